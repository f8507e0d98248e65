"""TicketAssistant: trains, flights and concerts."""

from a2a_servers.spec import AgentSpec
from a2a_servers.wording.concert import ConcertTemplate
from a2a_servers.wording.journey import FLIGHT, TRAIN
from a2a_servers.wording.order import OrderTemplate

SPEC = AgentSpec(
    name="TicketAssistant",
    description=(
        "查询和预订火车票、机票、演唱会门票：车次、航班和场次，时刻、历时、席别舱位区域、票价与余票；"
        "先报价，经您确认后才下单；也可以查看和取消这几类订单。"
    ),
    templates={
        "train": TRAIN, "flight": FLIGHT, "concert": ConcertTemplate(),
        "order": OrderTemplate("train", "flight", "concert"),
    },
)

"""TicketAssistant: trains and flights."""

from a2a_servers.spec import AgentSpec
from a2a_servers.wording.journey import FLIGHT, TRAIN

SPEC = AgentSpec(
    name="TicketAssistant",
    description="查询火车票与机票：车次和航班、时刻、历时、席别舱位、票价与余票。",
    templates={"train": TRAIN, "flight": FLIGHT},
)

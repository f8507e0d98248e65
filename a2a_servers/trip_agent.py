"""TripAssistant: rental cars, group tours and travel insurance."""

from a2a_servers.spec import AgentSpec
from a2a_servers.wording.car import CarTemplate
from a2a_servers.wording.insurance import InsuranceTemplate
from a2a_servers.wording.order import OrderTemplate
from a2a_servers.wording.tour import TourTemplate

SPEC = AgentSpec(
    name="TripAssistant",
    description=(
        "查询和预订租车、跟团游、旅行保险：车型与座位、线路与天数、保障内容、价格与余量；"
        "先报价，经您确认后才下单；也可以查看和取消这几类订单。"
    ),
    templates={
        "car_rental": CarTemplate(), "tour_group": TourTemplate(), "insurance": InsuranceTemplate(),
        "order": OrderTemplate("car_rental", "tour_group", "insurance"),
    },
    asks_others=True,
)

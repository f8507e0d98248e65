"""TripAssistant: group tours."""

from a2a_servers.spec import AgentSpec
from a2a_servers.wording.tour import TourTemplate

SPEC = AgentSpec(
    name="TripAssistant",
    description="查询跟团游线路：目的地、天数、出发日期、价格与余位。",
    templates={"tour_group": TourTemplate()},
)

"""The trip server: tour groups."""

from core.shared.clock import Clock
from mcp_server import parameters as p
from mcp_server.business_data import BusinessData
from mcp_server.results import TourResult
from mcp_server.skills import QUERY_TOUR_GROUP
from mcp_server.tool_server import ToolServer
from mcp_tools import trip_tools
from mcp_tools.wishes import PAGE_ROWS, TourWish


class TripTools:
    """The tools of this server over the business data."""

    def __init__(self, data: BusinessData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def query_tour_group(
        self, destination: p.Destination, days: p.Days = None, from_city: p.OptionalFromCity = None,
        date: p.OptionalDate = None, date_end: p.DateEnd = None, price_min: p.PriceMin = None,
        price_max: p.PriceMax = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> TourResult:
        """Tour groups to a place."""
        wish = TourWish(
            destination=destination, days=days, from_city=from_city, date=date, date_end=date_end,
            price_min=price_min, price_max=price_max, sort=sort, limit=limit,
        )
        return TourResult.model_validate(trip_tools.query_tour_group(self._data.engine, wish, self._clock.now()))


def make_server(data: BusinessData, clock: Clock) -> ToolServer:
    """The trip server; it opens `data` while it runs."""
    server = ToolServer("mcp-trip", "跟团游。", data, clock)
    server.add_query(TripTools(data, clock).query_tour_group, "查询跟团游", QUERY_TOUR_GROUP)
    return server

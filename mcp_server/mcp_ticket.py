"""The ticket server: trains and flights."""

from core.shared.clock import Clock
from mcp_server import parameters as p
from mcp_server.business_data import BusinessData
from mcp_server.results import FlightResult, TrainResult
from mcp_server.skills import QUERY_FLIGHT_TICKETS, QUERY_TRAIN_TICKETS
from mcp_server.tool_server import ToolServer
from mcp_tools import ticket_tools
from mcp_tools.wishes import PAGE_ROWS, FlightWish, TrainWish


class TicketTools:
    """The tools of this server over the business data."""

    def __init__(self, data: BusinessData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def query_train_tickets(
        self, from_city: p.FromCity, to_city: p.ToCity, date: p.Date, date_end: p.DateEnd = None,
        from_station: p.FromStation = None, to_station: p.ToStation = None, time_after: p.TimeAfter = None,
        time_before: p.TimeBefore = None, train_no: p.TrainNo = None, train_type: p.TrainType = None,
        seat_class: p.SeatClass = None, direct: p.Direct = None, price_min: p.PriceMin = None,
        price_max: p.PriceMax = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> TrainResult:
        """Train tickets between two cities. Every train of the timetable is direct, so `direct` excludes none."""
        wish = TrainWish(
            from_city=from_city, to_city=to_city, date=date, date_end=date_end, from_station=from_station,
            to_station=to_station, time_after=time_after, time_before=time_before, train_no=train_no,
            train_type=train_type, seat_class=seat_class, price_min=price_min, price_max=price_max, sort=sort,
            limit=limit,
        )
        return TrainResult.model_validate(ticket_tools.query_train_tickets(self._data.engine, wish, self._clock.now()))

    def query_flight_tickets(
        self, from_city: p.FromCity, to_city: p.ToCity, date: p.Date, date_end: p.DateEnd = None,
        from_station: p.FromStation = None, to_station: p.ToStation = None, time_after: p.TimeAfter = None,
        time_before: p.TimeBefore = None, flight_no: p.FlightNo = None, airline: p.Airline = None,
        cabin: p.Cabin = None, direct: p.Direct = None, price_min: p.PriceMin = None,
        price_max: p.PriceMax = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> FlightResult:
        """Flight tickets between two cities."""
        wish = FlightWish(
            from_city=from_city, to_city=to_city, date=date, date_end=date_end, from_station=from_station,
            to_station=to_station, time_after=time_after, time_before=time_before, flight_no=flight_no,
            airline=airline, cabin=cabin, direct=direct, price_min=price_min, price_max=price_max, sort=sort,
            limit=limit,
        )
        found = ticket_tools.query_flight_tickets(self._data.engine, wish, self._clock.now())
        return FlightResult.model_validate(found)


def make_server(data: BusinessData, clock: Clock) -> ToolServer:
    """The ticket server; it opens `data` while it runs."""
    tools = TicketTools(data, clock)
    server = ToolServer("mcp-ticket", "火车票和机票。", data, clock)
    server.add_query(tools.query_train_tickets, "查询火车票", QUERY_TRAIN_TICKETS)
    server.add_query(tools.query_flight_tickets, "查询机票", QUERY_FLIGHT_TICKETS)
    return server

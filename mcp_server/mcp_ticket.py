"""The ticket server: trains, flights and concerts."""

from core.shared.clock import Clock
from mcp_server import parameters as p
from mcp_server.business_data import BusinessData
from mcp_server.calls import Call
from mcp_server.order_desk import OrderDesk
from mcp_server.order_skills import CANCEL_ORDER, ORDER_CONCERT_TICKETS, ORDER_FLIGHT_TICKETS, ORDER_TRAIN_TICKETS
from mcp_server.results import ConcertResult, FlightResult, OrderResult, TrainResult
from mcp_server.skills import QUERY_CONCERT_TICKETS, QUERY_FLIGHT_TICKETS, QUERY_ORDERS, QUERY_TRAIN_TICKETS
from mcp_server.tool_server import ToolServer
from mcp_tools import concert_tools, ticket_tools
from mcp_tools.on_sale import Kind
from mcp_tools.wishes import PAGE_ROWS, ConcertWish, FlightWish, TrainWish

KINDS: tuple[Kind, ...] = ("train", "flight", "concert")


class TicketTools:
    """The tools of this server that look things up in the business data."""

    def __init__(self, data: BusinessData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def query_train_tickets(
        self, date: p.Date, from_city: p.JourneyFrom = None, to_city: p.JourneyTo = None, date_end: p.DateEnd = None,
        from_station: p.FromStation = None, to_station: p.ToStation = None, time_after: p.TimeAfter = None,
        time_before: p.TimeBefore = None, arrive_after: p.ArriveAfter = None, arrive_before: p.ArriveBefore = None,
        train_no: p.TrainNo = None, train_type: p.TrainType = None,
        seat_class: p.SeatClass = None, direct: p.Direct = None, quantity: p.Quantity = None,
        price_min: p.PriceMin = None, price_max: p.PriceMax = None, exclude: p.NotOnTrains = None,
        item_id: p.WantedItem = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> TrainResult:
        """Train tickets between two cities, or of one train by its number.

        Every train of the timetable is direct, so `direct` excludes none.
        """
        wish = TrainWish(
            from_city=from_city, to_city=to_city, date=date, date_end=date_end, from_station=from_station,
            to_station=to_station, time_after=time_after, time_before=time_before, arrive_after=arrive_after,
            arrive_before=arrive_before, train_no=train_no,
            train_type=train_type, seat_class=seat_class, quantity=quantity, price_min=price_min,
            price_max=price_max, exclude=p.unwanted(exclude), item_id=item_id, sort=sort, limit=limit,
        )
        return TrainResult.model_validate(ticket_tools.query_train_tickets(self._data.engine, wish, self._clock.now()))

    def query_flight_tickets(
        self, date: p.Date, from_city: p.JourneyFrom = None, to_city: p.JourneyTo = None, date_end: p.DateEnd = None,
        from_station: p.FromStation = None, to_station: p.ToStation = None, time_after: p.TimeAfter = None,
        time_before: p.TimeBefore = None, arrive_after: p.ArriveAfter = None, arrive_before: p.ArriveBefore = None,
        flight_no: p.FlightNo = None, airline: p.Airline = None,
        cabin: p.Cabin = None, direct: p.Direct = None, quantity: p.Quantity = None,
        price_min: p.PriceMin = None, price_max: p.PriceMax = None, exclude: p.NotInFlights = None,
        item_id: p.WantedItem = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> FlightResult:
        """Flight tickets between two cities, or of one flight by its number."""
        wish = FlightWish(
            from_city=from_city, to_city=to_city, date=date, date_end=date_end, from_station=from_station,
            to_station=to_station, time_after=time_after, time_before=time_before, arrive_after=arrive_after,
            arrive_before=arrive_before, flight_no=flight_no,
            airline=airline, cabin=cabin, direct=direct, quantity=quantity, price_min=price_min,
            price_max=price_max, exclude=p.unwanted(exclude), item_id=item_id, sort=sort, limit=limit,
        )
        found = ticket_tools.query_flight_tickets(self._data.engine, wish, self._clock.now())
        return FlightResult.model_validate(found)

    def query_concert_tickets(
        self, artist: p.Artist = None, city: p.ConcertCity = None, date: p.ConcertDate = None,
        date_end: p.DateEnd = None, area: p.Area = None, quantity: p.Quantity = None, price_min: p.PriceMin = None,
        price_max: p.PriceMax = None, exclude: p.NotAtConcerts = None, item_id: p.WantedItem = None,
        sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> ConcertResult:
        """Concert tickets by area."""
        wish = ConcertWish(
            artist=artist, city=city, date=date, date_end=date_end, area=area, quantity=quantity, price_min=price_min,
            price_max=price_max, exclude=p.unwanted(exclude), item_id=item_id, sort=sort, limit=limit,
        )
        found = concert_tools.query_concert_tickets(self._data.engine, wish, self._clock.now())
        return ConcertResult.model_validate(found)


class TicketOrders:
    """The tools of this server that buy."""

    def __init__(self, desk: OrderDesk) -> None:
        self._desk = desk

    def order_train_ticket(
        self, item_id: p.ItemId, quantity: p.OrderQuantity, expected_price: p.ExpectedPrice, call: Call
    ) -> OrderResult:
        """Buy train tickets."""
        return self._desk.buy("train", item_id, quantity, expected_price, call)

    def order_flight_ticket(
        self, item_id: p.ItemId, quantity: p.OrderQuantity, expected_price: p.ExpectedPrice, call: Call
    ) -> OrderResult:
        """Buy flight tickets."""
        return self._desk.buy("flight", item_id, quantity, expected_price, call)

    def order_concert_ticket(
        self, item_id: p.ItemId, quantity: p.OrderQuantity, expected_price: p.ExpectedPrice, call: Call
    ) -> OrderResult:
        """Buy concert tickets."""
        return self._desk.buy("concert", item_id, quantity, expected_price, call)


def make_server(data: BusinessData, clock: Clock) -> ToolServer:
    """The ticket server; it opens `data` while it runs."""
    tools, desk = TicketTools(data, clock), OrderDesk(data, clock, KINDS)
    orders = TicketOrders(desk)
    server = ToolServer("mcp-ticket", "火车票、机票和演唱会门票：查询、预订和退订。", data, clock)
    server.add_query(tools.query_train_tickets, "查询火车票", QUERY_TRAIN_TICKETS)
    server.add_query(tools.query_flight_tickets, "查询机票", QUERY_FLIGHT_TICKETS)
    server.add_query(tools.query_concert_tickets, "查询演唱会门票", QUERY_CONCERT_TICKETS)
    server.add_order(orders.order_train_ticket, "预订火车票", ORDER_TRAIN_TICKETS)
    server.add_order(orders.order_flight_ticket, "预订机票", ORDER_FLIGHT_TICKETS)
    server.add_order(orders.order_concert_ticket, "预订演唱会门票", ORDER_CONCERT_TICKETS)
    server.add_query(desk.query_orders, "查询订单", QUERY_ORDERS)
    server.add_cancel(desk.cancel_order, "取消订单", CANCEL_ORDER)
    return server

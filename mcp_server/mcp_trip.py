"""The trip server: rental cars, tour groups and insurance."""

from core.shared.clock import Clock
from mcp_server import parameters as p
from mcp_server.business_data import BusinessData
from mcp_server.calls import Call
from mcp_server.order_desk import OrderDesk
from mcp_server.order_skills import CANCEL_ORDER, ORDER_CAR_RENTAL, ORDER_INSURANCE, ORDER_TOUR_GROUP
from mcp_server.results import CarResult, InsuranceResult, OrderResult, TourResult
from mcp_server.skills import QUERY_CAR_RENTAL, QUERY_INSURANCE, QUERY_ORDERS, QUERY_TOUR_GROUP
from mcp_server.tool_server import ToolServer
from mcp_tools import car_tools, insurance_tools, trip_tools
from mcp_tools.on_sale import Kind
from mcp_tools.wishes import PAGE_ROWS, CarWish, InsuranceWish, TourWish

KINDS: tuple[Kind, ...] = ("car_rental", "tour_group", "insurance")


class TripTools:
    """The tools of this server that look things up in the business data."""

    def __init__(self, data: BusinessData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def query_tour_group(
        self, destination: p.Destination, days: p.Days = None, from_city: p.OptionalFromCity = None,
        date: p.OptionalDate = None, date_end: p.DateEnd = None, quantity: p.Quantity = None,
        price_min: p.PriceMin = None, price_max: p.PriceMax = None, exclude: p.NotAmongTours = None,
        item_id: p.WantedItem = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> TourResult:
        """Tour groups to a place."""
        wish = TourWish(
            destination=destination, days=days, from_city=from_city, date=date, date_end=date_end, quantity=quantity,
            price_min=price_min, price_max=price_max, exclude=p.unwanted(exclude), item_id=item_id, sort=sort,
            limit=limit,
        )
        return TourResult.model_validate(trip_tools.query_tour_group(self._data.engine, wish, self._clock.now()))

    def query_car_rental(
        self, city: p.CarCity, date: p.CarDate, date_end: p.CarDateEnd = None, days: p.CarDays = None,
        seats: p.Seats = None, brand: p.Brand = None, quantity: p.Quantity = None, price_min: p.PriceMin = None,
        price_max: p.PriceMax = None, exclude: p.NotAmongCars = None, item_id: p.WantedItem = None,
        day_price_max: p.DayPriceMax = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> CarResult:
        """Rental cars in a city, each at the price of the whole rental."""
        wish = CarWish(
            city=city, date=date, date_end=date_end, days=days, seats=seats, brand=brand, quantity=quantity,
            price_min=price_min, price_max=price_max, day_price_max=day_price_max, exclude=p.unwanted(exclude),
            item_id=item_id, sort=sort, limit=limit,
        )
        return CarResult.model_validate(car_tools.query_car_rental(self._data.engine, wish, self._clock.now()))

    def query_insurance(
        self, days: p.InsuranceDays = None, destination: p.InsuranceDestination = None, quantity: p.Quantity = None,
        price_min: p.PriceMin = None, price_max: p.PriceMax = None, exclude: p.NotAmongInsurance = None,
        item_id: p.WantedItem = None, sort: p.Sort = None, limit: p.Limit = PAGE_ROWS,
    ) -> InsuranceResult:
        """Travel insurance for a number of days."""
        wish = InsuranceWish(
            days=days, destination=destination, quantity=quantity, price_min=price_min, price_max=price_max,
            exclude=p.unwanted(exclude), item_id=item_id, sort=sort, limit=limit,
        )
        found = insurance_tools.query_insurance(self._data.engine, wish, self._clock.now())
        return InsuranceResult.model_validate(found)


class TripOrders:
    """The tools of this server that buy."""

    def __init__(self, desk: OrderDesk) -> None:
        self._desk = desk

    def order_tour_group(
        self, item_id: p.ItemId, quantity: p.OrderQuantity, expected_price: p.ExpectedPrice, call: Call
    ) -> OrderResult:
        """Buy places in a tour group."""
        return self._desk.buy("tour_group", item_id, quantity, expected_price, call)

    def order_car_rental(
        self, item_id: p.ItemId, quantity: p.OrderQuantity, expected_price: p.ExpectedPrice, call: Call
    ) -> OrderResult:
        """Rent cars."""
        return self._desk.buy("car_rental", item_id, quantity, expected_price, call)

    def order_insurance(
        self, item_id: p.ItemId, quantity: p.PolicyQuantity, expected_price: p.ExpectedPrice, call: Call
    ) -> OrderResult:
        """Buy travel insurance, one policy for each person."""
        return self._desk.buy("insurance", item_id, quantity, expected_price, call)


def make_server(data: BusinessData, clock: Clock) -> ToolServer:
    """The trip server; it opens `data` while it runs."""
    server = ToolServer("mcp-trip", "租车、跟团游和旅行保险：查询、预订和退订。", data, clock)
    tools, desk = TripTools(data, clock), OrderDesk(data, clock, KINDS)
    orders = TripOrders(desk)
    server.add_query(tools.query_tour_group, "查询跟团游", QUERY_TOUR_GROUP)
    server.add_query(tools.query_car_rental, "查询租车", QUERY_CAR_RENTAL)
    server.add_query(tools.query_insurance, "查询旅行保险", QUERY_INSURANCE)
    server.add_order(orders.order_car_rental, "预订租车", ORDER_CAR_RENTAL)
    server.add_order(orders.order_insurance, "购买旅行保险", ORDER_INSURANCE)
    server.add_order(orders.order_tour_group, "报名跟团游", ORDER_TOUR_GROUP)
    server.add_query(desk.query_orders, "查询订单", QUERY_ORDERS)
    server.add_cancel(desk.cancel_order, "取消订单", CANCEL_ORDER)
    return server

"""The tools of one server that buy, list and cancel: who does so is read from the call, never from its arguments."""

from collections.abc import Collection
from decimal import Decimal

from core.shared.clock import Clock
from mcp_server import parameters as p
from mcp_server.business_data import BusinessData
from mcp_server.calls import Call, context_of
from mcp_server.results import OrderResult
from mcp_tools import order_book, order_tools
from mcp_tools.buyers import buyer_of, user_of
from mcp_tools.on_sale import Kind
from mcp_tools.order_tools import Wanted
from mcp_tools.wishes import PAGE_ROWS, OrdersWish


class OrderDesk:
    """Orders of some kinds. `buy` is what the server's order tools do; the other two are tools themselves."""

    def __init__(self, data: BusinessData, clock: Clock, kinds: Collection[Kind]) -> None:
        self._data = data
        self._clock = clock
        self._kinds = kinds

    def buy(self, kind: Kind, item_id: str, quantity: int, expected_price: Decimal, call: Call) -> OrderResult:
        """Place one order for the person of the call, who has confirmed it."""
        buyer = buyer_of(context_of(call))
        wanted = Wanted(kind, item_id, quantity, expected_price)
        return OrderResult.model_validate(
            order_tools.place_order(self._data.engine, wanted, buyer, self._clock.now())
        )

    def query_orders(
        self, call: Call, limit: p.OrderLimit = PAGE_ROWS, before: p.Before = None,
        order_id: p.OptionalOrderId = None, kind: p.OrderKind = None, status: p.OrderStatus = None,
        date: p.OrderDate = None, train_no: p.TrainNo = None, flight_no: p.FlightNo = None,
        from_city: p.OrderCity = None, to_city: p.OrderCity = None, city: p.OrderCity = None,
        artist: p.Artist = None, idempotency_key: p.OptionalKey = None,
    ) -> OrderResult:
        """One's own orders."""
        wish = OrdersWish(
            limit=limit, before=before, order_id=order_id, kind=kind, status=status, date=date, train_no=train_no,
            flight_no=flight_no, from_city=from_city, to_city=to_city, city=city, artist=artist,
            idempotency_key=idempotency_key,
        )
        user_id = user_of(context_of(call))
        return OrderResult.model_validate(order_book.query_orders(self._data.engine, self._kinds, wish, user_id))

    def cancel_order(self, order_id: p.OrderId, call: Call) -> OrderResult:
        """Cancel one of one's own orders."""
        buyer = buyer_of(context_of(call))
        return OrderResult.model_validate(
            order_tools.cancel_order(self._data.engine, self._kinds, order_id, buyer, self._clock.now())
        )

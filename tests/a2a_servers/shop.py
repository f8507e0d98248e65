"""A tool server that sells: what is on its shelves and whose orders it has is for the test to say."""

from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from tests.a2a_servers.rows import order_row
from tests.a2a_servers.tool_server import CRASH_TEXT, READ_ONLY, Rows, ToolServer

CHANGED = "票价变了：现在是¥580，不是¥553，没有下单。"


@dataclass
class Shop:
    """`shelves`: rows by kind; `orders`: the person's. Every tool call is noted in `server.calls`."""

    server: ToolServer
    shelves: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    orders: list[dict[str, Any]] = field(default_factory=list)
    more: int = 0

    def open(self, *, more: int = 0, orders: list[dict[str, Any]] | None = None, **shelves: list[Any]) -> None:
        """As if newly opened, with these goods."""
        self.shelves, self.orders, self.more = shelves, orders or [], more
        self.server.forget()

    def rows(self, kind: str, **limits: Any) -> Rows:
        quantity = limits.pop("quantity", None) or 0
        said = {name: value for name, value in limits.items() if value is not None}
        rows = [row for row in self.shelves.get(kind, []) if all(row.get(name) == said[name] for name in said)]
        return Rows(kind=kind, rows=[row for row in rows if row["remaining"] >= quantity], more=self.more)

    def own(self, **limits: Any) -> Rows:
        said = {name: value for name, value in limits.items() if value is not None}
        rows = [row for row in self.orders if all(row.get(name) == said[name] for name in said)]
        return Rows(kind="order", rows=rows, more=self.more)


def shop_on(port: int) -> Shop:
    shop = Shop(ToolServer(port, with_basics=False))
    shop.server.extra_tools = [partial(add, shop=shop) for add in (_trains, _concerts, _cars, _orders)]
    return shop


def _skill(intent: str, kind: str, quotes_with: str = "") -> dict[str, Any]:
    return {"smartvoyage": {"intent": intent, "kind": kind, **({"quotes_with": quotes_with} if quotes_with else {})}}


def _trains(server: MCPServer, shop: Shop) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query train tickets", "train"))
    async def query_train_tickets(
        from_city: str, to_city: str, date: str, context: Context, seat_class: str | None = None,
        train_no: str | None = None, quantity: int | None = None, sort: str | None = None,
        exclude: dict[str, list[str]] | None = None,
    ) -> Rows:
        """Trains between two cities."""
        shop.server.note("query_train_tickets", {"quantity": quantity, "sort": sort, "exclude": exclude}, context)
        found = shop.rows("train", seat_class=seat_class, train_no=train_no, quantity=quantity)
        if sort == "price":
            found.rows.sort(key=lambda row: float(row["price"]))
        return found

    @server.tool(meta=_skill("order train tickets", "train", "query_train_tickets"))
    async def order_train_ticket(
        item_id: str, quantity: Annotated[int, Field(le=9)], expected_price: str, context: Context
    ) -> Rows:
        """Buys."""
        said = {"item_id": item_id, "quantity": quantity, "expected_price": expected_price}
        shop.server.note("order_train_ticket", said, context)
        if item_id == "changed":
            raise ToolError(CHANGED)
        if item_id == "crash":
            raise ValueError(CRASH_TEXT)
        if item_id == "slow":
            await shop.server.released.wait()
        return Rows(kind="order", rows=[] if item_id == "void" else [order_row(quantity=quantity)])


def _concerts(server: MCPServer, shop: Shop) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query concert tickets", "concert"))
    async def query_concert_tickets(context: Context, artist: str | None = None) -> Rows:
        """Concerts. Knows neither numbers nor orders of sorting."""
        shop.server.note("query_concert_tickets", {"artist": artist}, context)
        return shop.rows("concert", artist=artist)

    @server.tool(meta=_skill("order concert tickets", "concert", "query_concert_tickets"))
    async def order_concert_ticket(item_id: str, quantity: int, expected_price: str, context: Context) -> Rows:
        """Buys."""
        shop.server.note("order_concert_ticket", {"item_id": item_id}, context)
        return Rows(kind="order", rows=[order_row(kind="concert")])


def _cars(server: MCPServer, shop: Shop) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query car rental", "car_rental"))
    async def query_car_rental(city: str, context: Context) -> Rows:
        """Cars."""
        shop.server.note("query_car_rental", {"city": city}, context)
        return shop.rows("car_rental")

    @server.tool(meta=_skill("order car rental", "car_rental", "order_train_ticket"))
    async def order_car_rental(item_id: str, context: Context) -> Rows:
        """Names, by a mistake of its makers, a tool that buys for its quotes."""
        shop.server.note("order_car_rental", {"item_id": item_id}, context)
        return Rows(kind="order", rows=[])


def _orders(server: MCPServer, shop: Shop) -> None:
    @server.tool(annotations=READ_ONLY, meta=_skill("query orders", "order"))
    async def query_orders(
        context: Context, limit: int = 20, before: str | None = None, order_id: str | None = None,
        kind: str | None = None, status: str | None = None,
    ) -> Rows:
        """One's own orders."""
        said = {"limit": limit, "before": before, "order_id": order_id, "kind": kind, "status": status}
        shop.server.note("query_orders", said, context)
        return shop.own(order_id=order_id, kind=kind, status=status)

    @server.tool(meta=_skill("cancel order", "order", "query_orders"))
    async def cancel_order(order_id: str, context: Context) -> Rows:
        """Cancels."""
        shop.server.note("cancel_order", {"order_id": order_id}, context)
        return Rows(kind="order", rows=[order_row(order_id=order_id, status="cancelled")])

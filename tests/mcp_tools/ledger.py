"""What the tables say happened: the judge of every test that buys under bad conditions. It never asks the replies."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Engine, func, select

from mcp_tools.shelves import SHELVES
from mcp_tools.tables import order_lines, orders


@dataclass(frozen=True, slots=True)
class Books:
    """`stock` and `sold` per item that was looked at and per kind (all its items); `keys` counts orders per key."""

    stock: Mapping[str, int]
    sold: Mapping[str, int]
    lowest: int
    keys: Mapping[tuple[str, str], int]

    @property
    def together(self) -> dict[str, int]:
        """Stock and sold: what no order and no cancellation may change."""
        return {item: self.stock[item] + self.sold.get(item, 0) for item in self.stock}


def books(engine: Engine, *items: str) -> Books:
    """As they stand in one transaction."""
    with engine.connect() as connection:
        stock: dict[str, int] = {}
        lowest = 0
        for shelf in SHELVES.values():
            remaining, item = shelf.sales.c.remaining, shelf.sales.c.item_id
            total, least = connection.execute(select(func.sum(remaining), func.min(remaining))).one()
            stock[shelf.kind], lowest = int(total or 0), min(lowest, int(least or 0))
            stock |= {row[0]: int(row[1]) for row in connection.execute(select(item, remaining).where(item.in_(items)))}
        return Books(stock, _sold(connection, orders.c.kind) | _sold(connection, order_lines.c.item_id), lowest,
                     _keys(connection))


def check_books(before: Books, after: Books) -> None:
    """Stock and sold are constant, nothing is below zero, no key has two orders."""
    assert after.together == before.together
    assert after.lowest == 0
    assert max(after.keys.values(), default=0) <= 1


def _sold(connection: Connection, by: ColumnElement[str]) -> dict[str, int]:
    statement = (
        select(by, func.sum(order_lines.c.quantity))
        .select_from(order_lines.join(orders))
        .where(orders.c.status == "confirmed")
        .group_by(by)
    )
    return {name: int(count) for name, count in connection.execute(statement)}


def _keys(connection: Connection) -> Counter[tuple[str, str]]:
    found = connection.execute(select(orders.c.user_id, orders.c.idempotency_key))
    return Counter((user_id, key) for user_id, key in found)

"""People who buy, for the tests of orders."""

import itertools
from collections.abc import Callable
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Engine, Table, func, select

from mcp_tools.buyers import Buyer
from mcp_tools.on_sale import Kind
from mcp_tools.order_tools import Wanted, place_order
from mcp_tools.rows import OrderRow
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import orders
from tests.mcp_tools.demo_file import NOW

_numbers = itertools.count(1)


def buyer(user_id: str = "alice", key: str | None = None) -> Buyer:
    """Somebody with a confirmed offer; a key of its own unless one is given."""
    number = next(_numbers)
    return Buyer(user_id, f"offer-{number}", key or f"offer-{number}:1")


def wanted(kind: Kind, row: Any, quantity: int = 1, **more: Any) -> Wanted:
    """An order for a row as it was shown."""
    shown = asdict(row)
    price = Decimal(shown["price"])
    return Wanted(**{
        "kind": kind, "item_id": shown["item_id"], "quantity": quantity, "expected_price": price, **more,
    })


def buy(engine: Engine, order: Wanted, who: Buyer | None = None) -> OrderRow:
    return place_order(engine, order, who or buyer(), NOW).rows[0]


def left(engine: Engine, kind: Kind, item_id: str) -> int:
    """What is left of an item now."""
    return _with(engine, lambda connection: getattr(SHELVES[kind].find(connection, item_id), "remaining", -1))


def orders_of(engine: Engine, user_id: str) -> int:
    statement = select(func.count()).where(orders.c.user_id == user_id)
    return _with(engine, lambda connection: connection.scalar(statement) or 0)


def count(engine: Engine, table: Table) -> int:
    return _with(engine, lambda connection: connection.scalar(select(func.count()).select_from(table)) or 0)


def _with(engine: Engine, work: Callable[[Connection], int]) -> int:
    with engine.connect() as connection:
        return work(connection)

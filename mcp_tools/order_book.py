"""A person's orders: written down in rows, listed newest first."""

import datetime as dt
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from sqlalchemy import JSON, ColumnElement, Engine, RowMapping, and_, false, or_, select, type_coerce

from core.shared.clock import SHANGHAI
from core.shared.errors import InvalidRequest
from mcp_tools.on_sale import Kind
from mcp_tools.places import city_name, number
from mcp_tools.rows import Found, OrderRow
from mcp_tools.search import first_page, minutes_into, same, yuan
from mcp_tools.tables import orders
from mcp_tools.wishes import OrdersWish

OrderRecord = RowMapping | Mapping[str, Any]
"""A row of the table, as read or as just written."""

_item = type_coerce(orders.c.item, JSON)
_LOOKED_FOR = {
    "train_no": ("train_no",), "flight_no": ("flight_no",), "artist": ("artist",), "from_city": ("from_city",),
    "to_city": ("to_city", "destination"), "city": ("city", "to_city", "destination"),
}
_NAMES: dict[str, Callable[[str], str]] = {
    "train_no": number, "flight_no": number, "from_city": city_name, "to_city": city_name, "city": city_name,
}


def query_orders(engine: Engine, kinds: Collection[Kind], wish: OrdersWish, user_id: str) -> Found[OrderRow]:
    """The person's own orders of these kinds, newest first. InvalidRequest: a cursor that is none."""
    statement = (
        select(orders)
        .where(orders.c.user_id == user_id, orders.c.kind.in_(kinds))
        .where(same(orders.c.kind, wish.kind), same(orders.c.status, wish.status))
        .where(same(orders.c.idempotency_key, wish.idempotency_key))
        .where(same(orders.c.order_id, wish.order_id.upper() if wish.order_id else None))
        .where(*_of_day(wish.date), *_older_than(wish.before), *_in_item(wish))
        .order_by(orders.c.created_at.desc(), orders.c.order_id.desc())
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, wish.limit)
    return Found(tuple(order_row(row) for row in page.rows), page.more, page.origin)


def order_row(order: OrderRecord) -> OrderRow:
    """A row of the table as clients see it."""
    return OrderRow(
        order["order_id"], order["kind"], order["status"], json.loads(order["item"]), order["quantity"],
        yuan(order["total_fen"]), in_shanghai(order["created_at"]),
    )


def in_utc(moment: dt.datetime) -> dt.datetime:
    """As the tables hold it: UTC without an offset."""
    return moment.astimezone(dt.UTC).replace(tzinfo=None)


def in_shanghai(stored: dt.datetime) -> str:
    """RFC 3339 of one width, so that text and time sort alike."""
    return stored.replace(tzinfo=dt.UTC).astimezone(SHANGHAI).isoformat(timespec="microseconds")


def _of_day(day: dt.date | None) -> list[ColumnElement[bool]]:
    """Orders for that day, and those made on it: 明天的票, 今天订的."""
    if day is None:
        return []
    first, end = in_utc(minutes_into(day, 0)), in_utc(minutes_into(day + dt.timedelta(days=1), 0))
    return [or_(orders.c.travel_date == day, and_(orders.c.created_at >= first, orders.c.created_at < end))]


def _older_than(cursor: str | None) -> list[ColumnElement[bool]]:
    if cursor is None:
        return []
    text, _, order_id = cursor.partition("|")
    try:
        said = dt.datetime.fromisoformat(text)
        if said.tzinfo is None:
            raise ValueError("a moment with its offset was expected")
        moment = in_utc(said)
    except (ValueError, OverflowError):
        raise InvalidRequest("翻页的位置写得不对，请从第一页重新查询。") from None
    same_moment = and_(orders.c.created_at == moment, orders.c.order_id < order_id)
    return [or_(orders.c.created_at < moment, same_moment)]


def _in_item(wish: OrdersWish) -> list[ColumnElement[bool]]:
    """What was bought has these words: each under one of the names that the rows of several kinds give it."""
    limits = []
    for slot, names in _LOOKED_FOR.items():
        said: str | None = getattr(wish, slot)
        if said is not None:
            value = _NAMES.get(slot, str.strip)(said)
            limits.append(or_(false(), *(_item[name].as_string() == value for name in names)))
    return limits

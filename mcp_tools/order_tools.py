"""Buying and giving back: each is one transaction, and happens once however often it is asked for."""

import datetime as dt
import json
import logging
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, RowMapping, Table, and_, insert, select, update
from sqlalchemy.exc import IntegrityError, OperationalError

from core.shared.errors import Conflict, NotFound, UpstreamUnavailable
from mcp_tools import refusals_of_orders as refuse
from mcp_tools.buyers import Buyer
from mcp_tools.on_sale import Kind, Line, OnSale
from mcp_tools.order_book import OrderRecord, in_utc, order_row
from mcp_tools.rows import Found, OrderRow
from mcp_tools.shelves import SHELVES, Shelf
from mcp_tools.tables import order_lines, orders

logger = logging.getLogger(__name__)

T = TypeVar("T")

_TRIES = 8
_RANDOM_DIGITS = 17
_RETRY_AFTER_S = 5
_MYSQL_TRY_AGAIN = (1205, 1213)
"""Lock wait timed out; deadlock found: MySQL has rolled back and asks to begin again."""


class _Overtaken(Exception):
    """What was read is no longer so: another transaction was faster. Look again."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """So many of one item, at the price per unit that the person agreed to. CNY."""

    kind: Kind
    item_id: str
    quantity: int
    expected_price: Decimal


def place_order(engine: Engine, wanted: Wanted, buyer: Buyer, now: dt.datetime) -> Found[OrderRow]:
    """The order, there and paid for with stock; the same key again gives the same order again.

    Conflict, and nothing written: no longer on sale, departed, another price, too few left, or a key that was used for
    something else. InvalidRequest: more than one order may hold.
    """
    shelf = SHELVES[wanted.kind]
    refuse.too_many(shelf, wanted.quantity)
    row = _in_turn(engine, lambda connection: _place(connection, shelf, wanted, buyer, now))
    return Found((order_row(row),), 0, row["origin"])


def cancel_order(
    engine: Engine, kinds: Collection[Kind], order_id: str, buyer: Buyer, now: dt.datetime
) -> Found[OrderRow]:
    """The cancelled order, its stock back for sale; a second time the same order, and nothing more happens.

    NotFound for none of this person's (of these kinds); Conflict when what was ordered has begun.
    """
    row = _in_turn(engine, lambda connection: _cancel(connection, kinds, order_id, buyer, now))
    return Found((order_row(row),), 0, row["origin"])


def _in_turn(engine: Engine, work: Callable[[Connection], T]) -> T:
    """Do the work in one transaction, again from its beginning when another one got in its way."""
    for _ in range(_TRIES):
        try:
            with engine.connect() as connection:
                done = work(connection)
                connection.commit()
                return done
        except (_Overtaken, IntegrityError) as overtaken:
            logger.debug("order tried again: %s", type(overtaken).__name__)
        except OperationalError as error:
            if not _may_begin_again(error):
                raise
    raise UpstreamUnavailable("现在办理的人太多，这次没有办成，请稍后再试。", retry_after_s=_RETRY_AFTER_S)


def _may_begin_again(error: OperationalError) -> bool:
    """MySQL rolled it back; or the connection broke, and whether it was committed is not known: then the key finds
    what is there, or a turned status does. Where no new connection is to be had, that error is the last word."""
    number = error.orig.args[0] if error.orig and error.orig.args else None
    return number in _MYSQL_TRY_AGAIN or error.connection_invalidated


def _place(
    connection: Connection, shelf: Shelf, wanted: Wanted, buyer: Buyer, now: dt.datetime
) -> OrderRecord:
    if known := _known(connection, buyer):
        return _repeated(known, wanted, buyer)
    found = shelf.find(connection, wanted.item_id)
    if found is None:
        raise refuse.not_on_sale()
    refuse.unsellable(found, shelf, wanted.quantity, wanted.expected_price, now)
    order = _new_order(shelf, wanted, found, buyer, now)
    connection.execute(insert(orders), order)
    connection.execute(insert(order_lines), [
        {"order_id": order["order_id"], "item_id": line.item_id, "quantity": wanted.quantity} for line in found.lines
    ])
    for line in found.lines:
        _take(connection, shelf.sales, line, wanted.quantity)
    return order


def _known(connection: Connection, buyer: Buyer) -> RowMapping | None:
    """The order of this key; else one that has used up the offer's item under another key."""
    of_item = and_(orders.c.offer_id == buyer.offer_id, orders.c.item_number == buyer.item_number)
    for mine in (orders.c.idempotency_key == buyer.idempotency_key, of_item):
        found = connection.execute(select(orders).where(orders.c.user_id == buyer.user_id, mine)).mappings().first()
        if found is not None:
            return found
    return None


def _repeated(known: RowMapping, wanted: Wanted, buyer: Buyer) -> RowMapping:
    if known["idempotency_key"] != buyer.idempotency_key:
        raise Conflict("这个报价已经下过单了，没有重复下单；需要再订的话，请重新查询并确认。")
    if (known["kind"], known["item_id"], known["quantity"]) != (wanted.kind, wanted.item_id, wanted.quantity):
        raise Conflict("这个请求编号已经用在另一笔订单上，没有重复下单，请重新确认一次。")
    return known


def _take(connection: Connection, sales: Table, line: Line, quantity: int) -> None:
    """The one place where stock goes down: only while there is enough, only at the price that was agreed."""
    left = connection.execute(
        update(sales)
        .where(sales.c.item_id == line.item_id, sales.c.remaining >= quantity, sales.c.price_fen == line.price_fen)
        .values(remaining=sales.c.remaining - quantity)
    )
    if left.rowcount == 0:
        raise _Overtaken


def _new_order(shelf: Shelf, wanted: Wanted, found: OnSale, buyer: Buyer, now: dt.datetime) -> dict[str, Any]:
    day = found.shown.get("date")
    return {
        "order_id": f"SV{shelf.number}{secrets.randbelow(10**_RANDOM_DIGITS):0{_RANDOM_DIGITS}}",
        "user_id": buyer.user_id, "kind": shelf.kind, "status": "confirmed", "item_id": wanted.item_id,
        "item": json.dumps(found.shown, ensure_ascii=False),
        "travel_date": dt.date.fromisoformat(str(day)) if day else None,
        "leaves_at": in_utc(found.leaves_at) if found.leaves_at else None,
        "quantity": wanted.quantity, "unit_price_fen": found.price_fen,
        "total_fen": found.price_fen * wanted.quantity, "origin": found.origin, "offer_id": buyer.offer_id,
        "idempotency_key": buyer.idempotency_key, "item_number": buyer.item_number,
        "created_at": in_utc(now), "cancelled_at": None,
    }


def _cancel(
    connection: Connection, kinds: Collection[Kind], order_id: str, buyer: Buyer, now: dt.datetime
) -> RowMapping:
    this = orders.c.order_id == order_id
    order = connection.execute(
        select(orders).where(this, orders.c.user_id == buyer.user_id, orders.c.kind.in_(kinds))
    ).mappings().first()
    if order is None:
        raise NotFound("没有找到这个订单，请检查一下订单号。")
    if order["status"] == "confirmed":
        refuse.begun(order, now)
        _give_back(connection, order, now)
    return connection.execute(select(orders).where(this)).mappings().one()


def _give_back(connection: Connection, order: RowMapping, now: dt.datetime) -> None:
    """Whoever turns the status gives the stock back: of two at once, one finds it turned."""
    this = orders.c.order_id == order["order_id"]
    turned = connection.execute(
        update(orders)
        .where(this, orders.c.status == "confirmed")
        .values(status="cancelled", cancelled_at=in_utc(now))
    )
    if turned.rowcount == 0:
        raise _Overtaken
    sales = SHELVES[order["kind"]].sales
    taken = select(order_lines).where(order_lines.c.order_id == order["order_id"]).order_by(order_lines.c.item_id)
    for line in connection.execute(taken).mappings().all():
        connection.execute(
            update(sales)
            .where(sales.c.item_id == line["item_id"])
            .values(remaining=sales.c.remaining + line["quantity"])
        )

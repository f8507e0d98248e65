"""The list of one's own orders: newest first, page by page, and found by what was ordered."""

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import Engine

from core.shared.errors import InvalidRequest
from mcp_tools.order_book import query_orders
from mcp_tools.order_tools import cancel_order, place_order
from mcp_tools.rows import Found, OrderRow
from mcp_tools.shelves import SHELVES
from mcp_tools.ticket_tools import query_flight_tickets, query_train_tickets
from mcp_tools.trip_tools import query_tour_group
from mcp_tools.wishes import FlightWish, OrdersWish, TourWish, TrainWish
from tests.mcp_tools.buying import buy, buyer, wanted
from tests.mcp_tools.demo_file import NOW, TOMORROW

KINDS = tuple(SHELVES)


def _orders(engine: Engine, user_id: str = "alice", kinds: Any = KINDS, **more: Any) -> Found[OrderRow]:
    return query_orders(engine, kinds, OrdersWish(**more), user_id)


def _ids(found: Found[OrderRow]) -> list[str]:
    return [row.order_id for row in found.rows]


def _train(engine: Engine, **more: Any) -> Any:
    wish: dict[str, Any] = {"from_city": "北京", "to_city": "上海", "date": TOMORROW, "quantity": 9, **more}
    return query_train_tickets(engine, TrainWish(**wish), NOW).rows[0]


def _flight(engine: Engine) -> Any:
    wish = FlightWish(from_city="广州", to_city="成都", date=TOMORROW + dt.timedelta(days=2), quantity=1)
    return query_flight_tickets(engine, wish, NOW).rows[0]


def test_pages_follow_one_another_without_gap_or_repetition(own_engine: Engine) -> None:
    row = _train(own_engine)
    minutes = [0, 0, 0, 1, 2, 2, 3]
    made = [
        place_order(own_engine, wanted("train", row), buyer(), NOW + dt.timedelta(minutes=minute)).rows[0]
        for minute in minutes
    ]
    seen: list[str] = []
    before = None
    for more in (4, 1, 0):
        page = _orders(own_engine, limit=3, before=before)
        assert page.more == more
        seen += _ids(page)
        before = f"{page.rows[-1].created_at}|{page.rows[-1].order_id}"
    newest_first = sorted(made, key=lambda order: f"{order.created_at}|{order.order_id}", reverse=True)
    assert seen == [order.order_id for order in newest_first]
    assert _orders(own_engine, before=before).rows == ()


def test_only_ones_own_orders_are_listed(own_engine: Engine) -> None:
    order = buy(own_engine, wanted("train", _train(own_engine)), buyer("alice"))
    assert _ids(_orders(own_engine)) == [order.order_id]
    for other in ("Alice", "bob", "alice\t", ""):  # a space at the end is equal to none in MySQL; no user id has one
        assert _orders(own_engine, other).rows == ()
        assert _orders(own_engine, other, order_id=order.order_id).rows == ()


def test_an_order_is_found_by_number_kind_status_and_day(own_engine: Engine) -> None:
    train = buy(own_engine, wanted("train", _train(own_engine)))
    flight = buy(own_engine, wanted("flight", _flight(own_engine)))
    cancel_order(own_engine, KINDS, train.order_id, buyer(), NOW)
    assert _ids(_orders(own_engine, order_id=train.order_id.lower())) == [train.order_id]
    assert _ids(_orders(own_engine, kind="flight")) == [flight.order_id]
    assert _ids(_orders(own_engine, kinds=("train",))) == [train.order_id]
    assert _orders(own_engine, kinds=("train",), kind="flight").rows == ()
    assert _ids(_orders(own_engine, status="cancelled")) == [train.order_id]
    assert _ids(_orders(own_engine, status="confirmed")) == [flight.order_id]
    assert _ids(_orders(own_engine, date=TOMORROW)) == [train.order_id], "the day of the journey"
    assert len(_orders(own_engine, date=NOW.date()).rows) == 2, "the day on which they were ordered"
    assert _orders(own_engine, date=TOMORROW + dt.timedelta(days=9)).rows == ()


def test_an_order_is_found_by_what_was_ordered(own_engine: Engine) -> None:
    train = buy(own_engine, wanted("train", _train(own_engine, train_no="G1")))
    flight = buy(own_engine, wanted("flight", _flight(own_engine)))
    tour = query_tour_group(own_engine, TourWish(destination="黄山", quantity=1), NOW).rows[0]
    group = buy(own_engine, wanted("tour_group", tour))
    by_words: list[tuple[dict[str, Any], OrderRow]] = [
        ({"train_no": "g1"}, train), ({"to_city": "上海市"}, train), ({"city": "成都"}, flight),
        ({"flight_no": str(flight.item["flight_no"])}, flight), ({"from_city": "广州"}, flight),
        ({"city": "黄山"}, group), ({"to_city": "黄山"}, group),
    ]
    for words, order in by_words:
        assert _ids(_orders(own_engine, **words)) == [order.order_id], words
    assert _orders(own_engine, train_no="G1", to_city="成都").rows == ()
    assert _orders(own_engine, artist="五月天").rows == ()


@pytest.mark.parametrize("before", ["x", "|", "2026-13-01|SV1", "0001-01-01T00:00:00+08:00|SV1", "%|%"])
def test_a_cursor_that_is_none_is_refused(engine: Engine, before: str) -> None:
    with pytest.raises(InvalidRequest, match="翻页"):
        _orders(engine, before=before)

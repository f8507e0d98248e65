"""An order happens once and takes what it sells; what has changed since it was shown is said, and nothing happens."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine, update

from core.shared.call_context import CallContext, new_traceparent
from core.shared.errors import Conflict, Forbidden, InvalidRequest, NotFound, SmartVoyageError
from mcp_tools.buyers import Buyer, buyer_of
from mcp_tools.order_tools import cancel_order, place_order
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import order_lines, orders, train_seats
from tests.mcp_tools.buying import buy, buyer, count, left, wanted
from tests.mcp_tools.crowds import (
    a_train,
    all_at_once,
    made_with_one_key,
    overlapping_rentals,
    sold_of_last_five,
)
from tests.mcp_tools.demo_file import NOW
from tests.mcp_tools.rushes import RUSHES, cancelled_by_fifty, one_offer_under_many_keys, rush

KINDS = tuple(SHELVES)


def _refusal(engine: Engine, order: Any, now: dt.datetime = NOW) -> str:
    """What was said; and nothing was written."""
    before = (count(engine, orders), count(engine, order_lines), left(engine, order.kind, order.item_id))
    with pytest.raises(SmartVoyageError) as refused:
        place_order(engine, order, buyer(), now)
    assert (count(engine, orders), count(engine, order_lines), left(engine, order.kind, order.item_id)) == before
    assert refused.value.detail.endswith("。")
    return refused.value.detail


def test_an_order_is_a_row_and_takes_stock(own_engine: Engine) -> None:
    row = a_train(own_engine)
    order = buy(own_engine, wanted("train", row, 2))
    assert left(own_engine, "train", row.item_id) == row.remaining - 2
    assert (order.kind, order.status, order.quantity) == ("train", "confirmed", 2)
    assert order.total_price == f"{Decimal(row.price) * 2:.2f}"
    assert (order.item["item_id"], order.item["title"], order.item["price"]) == (row.item_id, row.title, row.price)
    assert order.created_at == "2026-08-16T12:00:00.000000+08:00"


def test_the_same_key_gives_the_same_order_and_takes_nothing_more(own_engine: Engine) -> None:
    row, who = a_train(own_engine), buyer()
    first = buy(own_engine, wanted("train", row), who)
    again = place_order(own_engine, wanted("train", row), who, NOW + dt.timedelta(minutes=5)).rows[0]
    assert again == first
    assert left(own_engine, "train", row.item_id) == row.remaining - 1


def test_another_key_or_another_person_is_another_order(own_engine: Engine) -> None:
    row = a_train(own_engine)
    made = {
        buy(own_engine, wanted("train", row), who).order_id
        for who in (buyer("alice", "k1"), buyer("alice", "k2"), buyer("bob", "k1"))
    }
    assert len(made) == 3
    assert left(own_engine, "train", row.item_id) == row.remaining - 3


def test_a_key_is_good_for_one_thing_only(own_engine: Engine) -> None:
    row, who = a_train(own_engine), buyer()
    buy(own_engine, wanted("train", row), who)
    other = a_train(own_engine, seat_class="一等座")
    for order in (wanted("train", row, 2), wanted("train", other)):
        with pytest.raises(Conflict, match="已经用在另一笔订单上"):
            buy(own_engine, order, who)
    assert left(own_engine, "train", row.item_id) == row.remaining - 1
    assert left(own_engine, "train", other.item_id) == other.remaining


def test_the_same_key_at_the_same_moment_makes_one_order(own_engine: Engine) -> None:
    assert made_with_one_key(own_engine) == (6, 1, 1)


def test_of_twenty_who_want_the_last_five_five_get_one(own_engine: Engine) -> None:
    assert sold_of_last_five(own_engine) == (5, 15, 0)


def test_ten_renters_of_overlapping_days_all_come_to_an_end(own_engine: Engine) -> None:
    assert overlapping_rentals(own_engine) == (10, 0)


@pytest.mark.parametrize(("stock", "buyers", "quantity"), RUSHES)
def test_of_more_buyers_than_stock_exactly_the_stock_is_sold(
    own_engine: Engine, stock: int, buyers: int, quantity: int
) -> None:
    served = stock // quantity
    assert rush(own_engine, stock, buyers, quantity) == (served, buyers - served, stock - served * quantity)


def test_fifty_who_cancel_at_once_give_back_once(own_engine: Engine) -> None:
    assert cancelled_by_fifty(own_engine) == 3


def test_an_offers_item_is_ordered_once_whatever_the_keys(own_engine: Engine) -> None:
    assert one_offer_under_many_keys(own_engine) == (1, 9)


def test_each_item_of_an_offer_is_an_order_of_its_own(own_engine: Engine) -> None:
    row = a_train(own_engine)
    for number in (1, 2):
        who = Buyer("alice", "bundle", f"bundle:{number}")
        assert who.item_number == number
        assert buy(own_engine, wanted("train", row), who).status == "confirmed"
    assert left(own_engine, "train", row.item_id) == row.remaining - 2


def test_a_price_that_changed_is_said(own_engine: Engine) -> None:
    row = a_train(own_engine)
    said = _refusal(own_engine, wanted("train", row, expected_price=Decimal("1.50")))
    assert f"现在是¥{row.price}，不是¥1.50" in said


def test_what_is_left_is_said(own_engine: Engine) -> None:
    row = a_train(own_engine)
    one = train_seats.c.item_id == row.item_id
    with own_engine.begin() as connection:
        connection.execute(update(train_seats).where(one).values(remaining=1))
    assert "只剩1张，不够2张" in _refusal(own_engine, wanted("train", row, 2))
    with own_engine.begin() as connection:
        connection.execute(update(train_seats).where(one).values(remaining=0))
    assert "已经售完" in _refusal(own_engine, wanted("train", row, 2))


def test_what_has_left_is_not_sold(own_engine: Engine) -> None:
    row = a_train(own_engine)
    said = _refusal(own_engine, wanted("train", row), dt.datetime.fromisoformat(row.depart_at))
    assert "已经发车（8月17日" in said


def test_what_nobody_sells_is_not_sold(own_engine: Engine) -> None:
    row = a_train(own_engine)
    assert "不在售" in _refusal(own_engine, wanted("train", row, item_id="b4000"))
    assert "不在售" in _refusal(own_engine, wanted("flight", row))


def test_more_than_one_order_may_hold_is_refused(own_engine: Engine) -> None:
    row = a_train(own_engine)
    for quantity in (0, -1, 10):
        with pytest.raises(InvalidRequest, match="一次可以预订1到9张"):
            buy(own_engine, wanted("train", row, quantity))


def test_a_cancelled_order_gives_its_stock_back_once(own_engine: Engine) -> None:
    row = a_train(own_engine)
    order = buy(own_engine, wanted("train", row, 3))
    first = cancel_order(own_engine, KINDS, order.order_id, buyer(), NOW).rows[0]
    again = cancel_order(own_engine, KINDS, order.order_id, buyer(), NOW + dt.timedelta(hours=1)).rows[0]
    assert first.status == "cancelled"
    assert again == first
    assert left(own_engine, "train", row.item_id) == row.remaining


def test_five_who_cancel_at_once_give_back_once(own_engine: Engine) -> None:
    row = a_train(own_engine)
    order = buy(own_engine, wanted("train", row, 3))
    seen = all_at_once(5, lambda _: cancel_order(own_engine, KINDS, order.order_id, buyer(), NOW).rows[0].status)
    assert seen == ["cancelled"] * 5
    assert left(own_engine, "train", row.item_id) == row.remaining


def test_an_order_that_was_cancelled_is_not_made_again_by_its_key(own_engine: Engine) -> None:
    row, who = a_train(own_engine), buyer()
    order = buy(own_engine, wanted("train", row), who)
    cancel_order(own_engine, KINDS, order.order_id, buyer(), NOW)
    assert buy(own_engine, wanted("train", row), who).status == "cancelled"
    assert left(own_engine, "train", row.item_id) == row.remaining


def test_anothers_order_answers_like_one_that_does_not_exist(own_engine: Engine) -> None:
    row = a_train(own_engine)
    order = buy(own_engine, wanted("train", row))
    said = set()
    for order_id, who, kinds in (
        (order.order_id, buyer("bob"), KINDS), ("SV1", buyer(), KINDS), (order.order_id, buyer(), ("flight",)),
    ):
        with pytest.raises(NotFound) as refused:
            cancel_order(own_engine, kinds, order_id, who, NOW)
        said.add(refused.value.detail)
    assert said == {"没有找到这个订单，请检查一下订单号。"}
    assert left(own_engine, "train", row.item_id) == row.remaining - 1


def test_what_has_left_cannot_be_cancelled(own_engine: Engine) -> None:
    row = a_train(own_engine)
    order = buy(own_engine, wanted("train", row))
    with pytest.raises(Conflict, match="已经过了"):
        cancel_order(own_engine, KINDS, order.order_id, buyer(), dt.datetime.fromisoformat(row.depart_at))
    assert left(own_engine, "train", row.item_id) == row.remaining - 1


def test_order_numbers_cannot_be_guessed(own_engine: Engine) -> None:
    row = a_train(own_engine)
    made = [buy(own_engine, wanted("train", row)).order_id for _ in range(5)]
    assert len({order_id[:8] for order_id in made}) == 5
    assert all(len(order_id) == 20 and order_id.startswith("SV1") for order_id in made)


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ({"user_id": ""}, "请登录"), ({"user_id": "a b"}, "请登录"), ({"user_id": "x" * 65}, "请登录"),
        ({"offer_id": None}, "确认报价"), ({"offer_id": "o" * 65}, "确认报价"),
        ({"idempotency_key": None}, "请求编号"), ({"idempotency_key": "k" * 256}, "请求编号"),
        ({"idempotency_key": "k\x00"}, "请求编号"),
    ],
)
def test_nobody_buys_without_a_name_an_offer_and_a_key(missing: dict[str, Any], said: str) -> None:
    whole: dict[str, Any] = {
        "user_id": "alice", "session_id": "s", "remaining_ms": 1, "traceparent": new_traceparent(),
        "offer_id": "o", "idempotency_key": "k",
    }
    assert buyer_of(CallContext(**whole)).user_id == "alice"
    with pytest.raises(Forbidden, match=said):
        buyer_of(CallContext(**{**whole, **missing}))

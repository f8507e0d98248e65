"""Concerts, rental cars and insurance: every filter does what its name says, and what cannot be is refused in words."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine, select, update

from core.shared.errors import Conflict, InvalidRequest
from mcp_tools.car_tools import query_car_rental
from mcp_tools.concert_tools import query_concert_tickets
from mcp_tools.insurance_tools import query_insurance
from mcp_tools.items import rental_id, rental_of
from mcp_tools.order_tools import cancel_order
from mcp_tools.rows import CarRow, ConcertRow, Found, InsuranceRow
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import car_days
from mcp_tools.wishes import CarWish, ConcertWish, InsuranceWish
from tests.mcp_tools.buying import buy, buyer, left, wanted
from tests.mcp_tools.demo_file import NOW, TODAY, TOMORROW


def _concerts(engine: Engine, **more: Any) -> Found[ConcertRow]:
    return query_concert_tickets(engine, ConcertWish(**more), NOW)


def _cars(engine: Engine, city: str = "成都", **more: Any) -> Found[CarRow]:
    return query_car_rental(engine, CarWish(**{"city": city, "date": TOMORROW, **more}), NOW)


def _insurance(engine: Engine, **more: Any) -> Found[InsuranceRow]:
    return query_insurance(engine, InsuranceWish(**more), NOW)


def _rising(values: Sequence[Any]) -> bool:
    return list(values) == sorted(values)


@pytest.mark.parametrize("said", ["五月天", "Mayday", "mayday", " 五月天 ", "回到那一天"])
def test_an_artist_goes_by_any_name_and_a_concert_by_its_own(engine: Engine, said: str) -> None:
    assert {row.artist for row in _concerts(engine, artist=said).rows} == {"五月天"}


def test_concerts_come_next_one_first(engine: Engine) -> None:
    found = _concerts(engine)
    assert len(found.rows) == 20
    assert found.more > 500
    assert _rising([row.starts_at for row in found.rows])
    assert all(row.starts_at > NOW.isoformat() for row in found.rows)


def test_concert_filters_keep_only_what_fits(engine: Engine) -> None:
    assert {row.city for row in _concerts(engine, city="北京市").rows} == {"北京"}
    assert all("内场" in row.area for row in _concerts(engine, artist="周杰伦", area="内场票").rows)
    assert {row.area for row in _concerts(engine, artist="周杰伦", area="vip").rows} == {"内场VIP"}
    assert all(row.remaining >= 50 for row in _concerts(engine, quantity=50).rows)
    assert all(Decimal(row.price) <= 500 for row in _concerts(engine, price_max=Decimal(500)).rows)
    cheap_first = [Decimal(row.price) for row in _concerts(engine, city="上海", sort="price").rows]
    assert _rising(cheap_first)
    late_first = [row.starts_at for row in _concerts(engine, sort="-depart").rows]
    assert _rising(late_first[::-1])
    weekend = _concerts(engine, date=dt.date(2026, 8, 21), date_end=dt.date(2026, 8, 23))
    assert {row.date for row in weekend.rows} <= {"2026-08-21", "2026-08-22", "2026-08-23"}
    unwanted = _concerts(engine, city="上海", exclude={"artist": ["Mayday", "周深"], "area": ["内场"]}).rows
    assert not {row.artist for row in unwanted} & {"五月天", "周深"}
    assert "内场" not in {row.area for row in unwanted}


def test_an_artist_who_does_not_play_is_an_empty_answer(engine: Engine) -> None:
    assert _concerts(engine, artist="披头士").rows == ()
    with pytest.raises(InvalidRequest, match="没有找到名为“火星”的城市"):
        _concerts(engine, city="火星")
    with pytest.raises(InvalidRequest, match="60天内"):
        _concerts(engine, date=TODAY + dt.timedelta(days=60))


def test_a_rental_is_priced_for_all_its_days(engine: Engine) -> None:
    single = [_cars(engine, brand="GL8", date=TOMORROW + dt.timedelta(days=n)).rows[0] for n in range(3)]
    whole = _cars(engine, brand="别克GL8", days=3).rows[0]
    assert Decimal(whole.price) == sum(Decimal(row.price) for row in single)
    assert whole.remaining == min(row.remaining for row in single)
    assert (whole.date, whole.days, whole.title) == ("2026-08-17", 3, "别克 GL8 7座 成都取车3天")
    assert _cars(engine, brand="别克GL8", date_end=TOMORROW + dt.timedelta(days=2)).rows[0] == whole
    assert _cars(engine, days=3, item_id=whole.item_id).rows == (whole,)
    assert _cars(engine, days=2, item_id=whole.item_id).rows == ()


def test_car_filters_keep_only_what_fits(engine: Engine) -> None:
    assert {row.seats for row in _cars(engine, seats=7).rows} == {7}
    assert {row.seats for row in _cars(engine, seats=6).rows} == {7}, "six people need seven seats"
    assert {row.brand for row in _cars(engine, brand="大众").rows} == {"大众"}
    assert "大众" not in {row.brand for row in _cars(engine, exclude={"brand": ["大众"]}).rows}
    prices = [Decimal(row.price) for row in _cars(engine, price_max=Decimal(300)).rows]
    assert prices
    assert _rising(prices)
    assert prices[-1] <= 300
    dear_first = [Decimal(row.price) for row in _cars(engine, sort="-price").rows]
    assert _rising(dear_first[::-1])
    assert all(row.remaining >= 3 for row in _cars(engine, quantity=3).rows)


def test_a_rental_must_lie_within_the_days_on_sale(engine: Engine) -> None:
    last = TODAY + dt.timedelta(days=29)
    assert _cars(engine, date=last).rows
    with pytest.raises(InvalidRequest, match="30天内"):
        _cars(engine, date=last, days=2)
    with pytest.raises(InvalidRequest, match="没有找到名为“火星”的城市"):
        _cars(engine, city="火星")


def test_a_rental_takes_a_car_from_every_one_of_its_days_and_gives_it_back(own_engine: Engine) -> None:
    row = _cars(own_engine, days=3, quantity=2).rows[0]
    car_id, first, _ = rental_of(row.item_id) or ("", TODAY, 0)
    days = [rental_id(car_id, first + dt.timedelta(days=n), 1) for n in range(-1, 4)]
    before = [left(own_engine, "car_rental", day) for day in days]
    order = buy(own_engine, wanted("car_rental", row, 2))
    taken = [was - left(own_engine, "car_rental", day) for was, day in zip(before, days, strict=True)]
    assert taken == [0, 2, 2, 2, 0]
    cancel_order(own_engine, tuple(SHELVES), order.order_id, buyer(), NOW)
    assert [left(own_engine, "car_rental", day) for day in days] == before


def test_a_rental_with_one_day_sold_out_takes_nothing(own_engine: Engine) -> None:
    row = _cars(own_engine, days=3, quantity=1).rows[0]
    car_id, first, _ = rental_of(row.item_id) or ("", TODAY, 0)
    last = rental_id(car_id, first + dt.timedelta(days=2), 1)
    with own_engine.begin() as connection:
        connection.execute(update(car_days).where(car_days.c.item_id == last).values(remaining=0))
        stock = select(car_days.c.remaining).where(car_days.c.car_id == car_id).order_by(car_days.c.date)
        before = connection.scalars(stock).all()
    with pytest.raises(Conflict, match="已经售完"):
        buy(own_engine, wanted("car_rental", row))
    with own_engine.connect() as connection:
        assert connection.scalars(stock).all() == before


@pytest.mark.parametrize("item", ["", "c", "c" + "0" * 23, "c" + "0" * 16 + "b4a0500", "C" + "0" * 16 + "b4a0501"])
def test_names_that_no_rental_has_name_none(item: str) -> None:
    assert rental_of(item) is None


def test_insurance_is_for_exactly_so_many_days_the_cheapest_first(engine: Engine) -> None:
    rows = _insurance(engine, days=5).rows
    assert {row.days for row in rows} == {5}
    assert _rising([Decimal(row.price) for row in rows])
    assert len({row.name for row in rows}) == len(rows) >= 8
    assert all(row.coverage for row in rows)


def test_without_days_each_product_stands_once(engine: Engine) -> None:
    rows = _insurance(engine).rows
    assert len({row.name for row in rows}) == len(rows) == 12
    assert {row.days for row in rows} == {1}


@pytest.mark.parametrize(
    ("said", "has", "has_not"),
    [
        ("三亚", "安心游境内旅行保险", "港澳畅行旅行险"), ("香港", "港澳畅行旅行险", "安心游境内旅行保险"),
        ("拉萨", "雪域高原旅行险", "滑雪季专项保障"), ("西藏", "雪域高原旅行险", "港澳畅行旅行险"),
        ("张掖", "雪域高原旅行险", "滑雪季专项保障"), ("九寨沟", "雪域高原旅行险", "滑雪季专项保障"),
        ("国内", "安心游境内旅行保险", "雪域高原旅行险"),
    ],
)
def test_insurance_is_good_for_the_destination(engine: Engine, said: str, has: str, has_not: str) -> None:
    names = {row.name for row in _insurance(engine, destination=said).rows}
    assert has in names
    assert has_not not in names


def test_insurance_filters_keep_only_what_fits(engine: Engine) -> None:
    assert all(Decimal(row.price) <= 20 for row in _insurance(engine, days=3, price_max=Decimal(20)).rows)
    assert "众安保险" not in {row.insurer for row in _insurance(engine, exclude={"insurer": ["众安保险"]}).rows}
    dear_first = [Decimal(row.price) for row in _insurance(engine, days=7, sort="-price").rows]
    assert _rising(dear_first[::-1])
    assert _insurance(engine, quantity=200_000).rows == ()
    for wrong, said in (({"days": 31}, "最长可以保30天"), ({"destination": "泰国"}, "“泰国”")):
        with pytest.raises(InvalidRequest, match=said):
            _insurance(engine, **wrong)


def test_twenty_policies_go_into_one_order(own_engine: Engine) -> None:
    row = _insurance(own_engine, days=5, destination="三亚").rows[0]
    order = buy(own_engine, wanted("insurance", row, 20))
    assert order.total_price == f"{Decimal(row.price) * 20:.2f}"
    with pytest.raises(InvalidRequest, match="一次可以预订1到20份"):
        buy(own_engine, wanted("insurance", row, 21))

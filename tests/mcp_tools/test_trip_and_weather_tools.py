"""Tour groups and the weather, asked as people ask."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine, select, update

from core.shared.errors import InvalidRequest
from mcp_tools.rows import Found, TourRow, WeatherRow
from mcp_tools.tables import tour_departures, tour_groups
from mcp_tools.trip_tools import query_tour_group
from mcp_tools.weather_tools import query_weather
from mcp_tools.wishes import TourWish, WeatherWish
from tests.mcp_tools.demo_file import NOW, TODAY, TOMORROW

SATURDAY = dt.date(2026, 8, 22)


def _tours(engine: Engine, destination: str = "成都", **more: Any) -> Found[TourRow]:
    return query_tour_group(engine, TourWish(destination=destination, **more), NOW)


def _weather(engine: Engine, city: str = "上海", date: dt.date = TOMORROW, **more: Any) -> Found[WeatherRow]:
    return query_weather(engine, WeatherWish(city=city, date=date, **more), NOW)


def test_without_a_date_each_tour_stands_once_with_its_next_departure(engine: Engine) -> None:
    rows = _tours(engine).rows
    assert len({row.name for row in rows}) == len(rows) >= 5
    assert all(row.date >= TOMORROW.isoformat() and row.remaining > 0 for row in rows)


def test_a_tour_that_is_sold_out_next_shows_its_next_date_with_room(own_engine: Engine) -> None:
    tour = select(tour_groups.c.tour_id).where(tour_groups.c.name.contains("熊猫基地·三星堆")).scalar_subquery()
    soon = tour_departures.c.date <= TODAY + dt.timedelta(days=4)
    with own_engine.begin() as connection:
        connection.execute(update(tour_departures).where(tour_departures.c.tour_id == tour, soon).values(remaining=0))
    row = next(row for row in _tours(own_engine, days=2).rows if "三星堆" in row.name)
    assert row.date > (TODAY + dt.timedelta(days=4)).isoformat()


def test_chengdu_has_short_tours_but_none_of_three_days(engine: Engine) -> None:
    assert _tours(engine, days=3).rows == ()
    assert _tours(engine, days=1).rows
    assert _tours(engine, days=2).rows


def test_with_a_date_only_that_days_departures_are_shown(engine: Engine) -> None:
    rows = _tours(engine, date=SATURDAY).rows
    assert {row.date for row in rows} == {"2026-08-22"}
    both = _tours(engine, date=SATURDAY, date_end=SATURDAY + dt.timedelta(days=1), days=1).rows
    assert {row.date for row in both} == {"2026-08-22", "2026-08-23"}


@pytest.mark.parametrize("said", ["云南", "阳朔", "九寨沟", "成都市"])
def test_a_destination_may_be_a_city_a_province_or_a_sight(engine: Engine, said: str) -> None:
    assert _tours(engine, said).rows


def test_tour_filters_keep_only_what_fits(engine: Engine) -> None:
    assert {row.from_city for row in _tours(engine, "黄山", from_city="上海").rows} == {"上海"}
    assert all(Decimal(row.price) <= 200 for row in _tours(engine, price_max=Decimal(200)).rows)
    dear_first = [Decimal(row.price) for row in _tours(engine, sort="-price").rows]
    assert dear_first == sorted(dear_first, reverse=True)
    assert [row.days for row in _tours(engine, sort="duration").rows] == sorted(
        row.days for row in _tours(engine).rows
    )


def test_a_tours_title_says_where_it_starts(engine: Engine) -> None:
    row = _tours(engine, "黄山", from_city="上海").rows[0]
    assert row.title == "黄山·西递·宏村高铁三日游（上海出发）"
    assert (row.destination, row.days) == ("黄山", 3)


@pytest.mark.parametrize(
    ("destination", "more", "said"),
    [
        ("火星", {}, "没有找到名为“火星”的目的地"),
        ("成都", {"from_city": "火星"}, "没有找到名为“火星”的城市"),
        ("成都", {"date": TODAY - dt.timedelta(days=1)}, "已经过去了"),
        ("成都", {"date": TODAY + dt.timedelta(days=40)}, "超出了范围"),
        ("成都", {"price_min": Decimal(2), "price_max": Decimal(1)}, "最低价高于最高价"),
    ],
)
def test_impossible_tours_are_refused_in_words(
    engine: Engine, destination: str, more: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidRequest, match=said):
        _tours(engine, destination, **more)


def test_the_weather_of_a_day_is_one_row(engine: Engine) -> None:
    found = _weather(engine)
    assert [(row.city, row.date) for row in found.rows] == [("上海", "2026-08-17")]
    assert found.rows[0].updated_at == "2026-08-16T00:00:00+08:00"
    assert (found.more, found.origin) == (0, "demo")


def test_the_weather_of_a_range_comes_day_by_day(engine: Engine) -> None:
    rows = _weather(engine, date=TODAY, date_end=TODAY + dt.timedelta(days=14)).rows
    assert [row.date for row in rows] == [(TODAY + dt.timedelta(days=n)).isoformat() for n in range(15)]


@pytest.mark.parametrize(
    ("city", "date", "said"),
    [
        ("火星", TOMORROW, "没有找到名为“火星”的城市"),
        ("海南", TOMORROW, "请告诉我具体的城市，例如海口"),
        ("上海", TODAY - dt.timedelta(days=1), "已经过去了"),
        ("上海", TODAY + dt.timedelta(days=15), "天气预报目前只到8月30日"),
    ],
)
def test_weather_that_nobody_knows_is_refused_in_words(engine: Engine, city: str, date: dt.date, said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        _weather(engine, city, date)


def test_markup_and_invisible_characters_are_not_repeated(engine: Engine) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        _weather(engine, "<b>![x](http://a)\u202e\x00" + "长" * 30)
    assert not set("<>![]()\u202e\x00:/") & set(refusal.value.detail)
    assert len(refusal.value.detail) < 60

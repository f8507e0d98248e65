"""Trains and flights: every filter does what its name says, and what cannot be is refused in words."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import Engine, update

from core.shared.errors import InvalidRequest
from mcp_tools.rows import FlightRow, Found, TrainRow
from mcp_tools.tables import train_seats, trains
from mcp_tools.ticket_tools import query_flight_tickets, query_train_tickets
from mcp_tools.wishes import FlightWish, TrainWish
from tests.mcp_tools.demo_file import NOW, TODAY, TOMORROW


def _trains(engine: Engine, **more: Any) -> Found[TrainRow]:
    wish: dict[str, Any] = {"from_city": "北京", "to_city": "上海", "date": TOMORROW}
    return query_train_tickets(engine, TrainWish(**{**wish, **more}), NOW)


def _flights(engine: Engine, **more: Any) -> Found[FlightRow]:
    wish: dict[str, Any] = {"from_city": "北京", "to_city": "上海", "date": TOMORROW}
    return query_flight_tickets(engine, FlightWish(**{**wish, **more}), NOW)


def test_the_first_twenty_rows_come_with_a_count_of_the_rest(engine: Engine) -> None:
    found = _trains(engine)
    assert len(found.rows) == 20
    assert found.more > 0
    assert len(_trains(engine, limit=1).rows) == 1
    assert _trains(engine, limit=1).more == found.more + 19
    assert found.origin == "demo"


def test_rows_come_in_order_of_departure(engine: Engine) -> None:
    moments = [row.depart_at for row in _trains(engine).rows]
    assert moments == sorted(moments)


def test_a_row_says_what_a_traveller_needs(engine: Engine) -> None:
    row = next(row for row in _trains(engine, train_no="g1", seat_class="二等").rows)
    assert row.title == "G1 北京南→上海虹桥 二等座"
    assert (row.from_city, row.to_city, row.date) == ("北京", "上海", "2026-08-17")
    assert row.price.endswith((".00", ".50"))
    departure, arrival = dt.datetime.fromisoformat(row.depart_at), dt.datetime.fromisoformat(row.arrive_at)
    assert departure.utcoffset() == dt.timedelta(hours=8)
    assert arrival - departure == dt.timedelta(minutes=row.duration_min)


def test_a_train_that_travels_overnight_arrives_on_a_later_date(engine: Engine) -> None:
    row = _trains(engine, train_type="K").rows[0]
    assert row.date == "2026-08-17"
    assert row.arrive_at > "2026-08-18"


@pytest.mark.parametrize(
    ("filters", "field", "allowed"),
    [
        ({"train_type": "D"}, "train_type", {"D"}),
        ({"seat_class": "商务座"}, "seat_class", {"商务座"}),
        ({"from_station": "北京南站"}, "from_station", {"北京南"}),
        ({"to_station": "上海虹桥"}, "to_station", {"上海虹桥"}),
        ({"train_no": "G3"}, "train_no", {"G3"}),
    ],
)
def test_train_filters_keep_only_what_fits(
    engine: Engine, filters: dict[str, str], field: str, allowed: set[str]
) -> None:
    found = _trains(engine, **filters)
    assert {getattr(row, field) for row in found.rows} == allowed


def test_a_window_of_time_holds_at_both_ends(engine: Engine) -> None:
    known = _trains(engine, train_no="G9").rows[0].depart_at[11:16]
    exact = dt.time.fromisoformat(known)
    assert {row.train_no for row in _trains(engine, time_after=exact, time_before=exact).rows} >= {"G9"}
    afternoon = _trains(engine, time_after=dt.time(12), time_before=dt.time(18)).rows
    assert afternoon
    assert all("12:00" <= row.depart_at[11:16] <= "18:00" for row in afternoon)


def test_price_limits_hold_at_both_ends(engine: Engine) -> None:
    second = _trains(engine, train_no="G1", seat_class="二等座").rows[0]
    price = Decimal(second.price)
    found = _trains(engine, train_no="G1", price_min=price, price_max=price)
    assert [row.item_id for row in found.rows] == [second.item_id]
    assert _trains(engine, train_no="G1", price_max=price - Decimal("0.01")).rows == ()


@pytest.mark.parametrize(
    ("sort", "key", "falls"),
    [
        ("price", lambda row: Decimal(row.price), False),
        ("-price", lambda row: Decimal(row.price), True),
        ("depart", lambda row: row.depart_at, False),
        ("-depart", lambda row: row.depart_at, True),
        ("duration", lambda row: row.duration_min, False),
    ],
)
def test_every_order_is_kept(engine: Engine, sort: str, key: Any, falls: bool) -> None:
    for rows in (_trains(engine, sort=sort).rows, _flights(engine, sort=sort).rows):
        values = [key(row) for row in rows]
        assert values == sorted(values, reverse=falls)


def test_a_range_of_dates_brings_every_day_of_it(engine: Engine) -> None:
    found = _trains(engine, train_no="G1", seat_class="二等座", date_end=TOMORROW + dt.timedelta(days=2))
    assert [row.date for row in found.rows] == ["2026-08-17", "2026-08-18", "2026-08-19"]


def test_what_has_left_today_is_no_longer_offered(engine: Engine) -> None:
    assert all(row.depart_at > "2026-08-16T12:00" for row in _trains(engine, date=TODAY).rows)
    assert _trains(engine, date=TODAY, time_before=dt.time(11)).rows == ()


def test_city_names_are_taken_as_people_write_them(engine: Engine) -> None:
    usual = _trains(engine).rows
    assert _trains(engine, from_city="北京市", to_city=" 上海 ").rows == usual
    assert _trains(engine, from_city="北京南站").rows == usual


def test_nothing_found_is_an_empty_answer(engine: Engine) -> None:
    found = _trains(engine, from_city="拉萨", to_city="三亚")
    assert (found.rows, found.more, found.origin) == ((), 0, None)
    assert _trains(engine, train_no="G9999").rows == ()
    assert _trains(engine, seat_class="头等舱").rows == ()


def test_of_days_that_are_partly_on_sale_those_that_are_get_looked_at(engine: Engine) -> None:
    later = TODAY + dt.timedelta(days=45)
    for found in (_trains(engine, date_end=later), _flights(engine, date_end=later)):
        assert found.rows
        assert found.until == "2026-09-14"
    assert _trains(engine).until is None


def test_hours_of_arrival_bound_the_rows(engine: Engine) -> None:
    early = _trains(engine, arrive_before=dt.time(12)).rows
    late = _trains(engine, arrive_after=dt.time(18), sort="depart").rows
    assert early
    assert all(row.arrive_at[:16] <= f"{row.date}T12:00" for row in early)
    assert late
    assert all(row.arrive_at[:16] >= f"{row.date}T18:00" for row in late)


def test_a_number_says_from_where_to_where(engine: Engine) -> None:
    by_number = query_train_tickets(engine, TrainWish(date=TODAY + dt.timedelta(days=1), train_no="G1"), NOW)
    assert {row.train_no for row in by_number.rows} == {"G1"}
    with pytest.raises(InvalidRequest, match="还缺少出发城市"):
        query_train_tickets(engine, TrainWish(date=TODAY + dt.timedelta(days=1), to_city="上海"), NOW)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"from_city": "火星"}, "没有找到名为“火星”的城市"),
        ({"to_city": "海南"}, "例如海口"),
        ({"to_city": "北京市"}, "出发地和目的地都是北京"),
        ({"date": TODAY - dt.timedelta(days=1)}, "8月15日已经过去了"),
        ({"date": TODAY + dt.timedelta(days=30)}, "只能预订到9月14日"),
        ({"date": dt.date(2027, 1, 2)}, "2027年1月2日超出了范围"),
        ({"date_end": TODAY}, "结束日期8月16日早于开始日期8月17日"),
        ({"time_after": dt.time(20), "time_before": dt.time(8)}, "最早20:00晚于最晚08:00"),
        ({"price_min": Decimal(500), "price_max": Decimal(100)}, "最低价高于最高价"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(engine: Engine, wrong: dict[str, Any], said: str) -> None:
    for query in (_trains, _flights):
        with pytest.raises(InvalidRequest) as refusal:
            query(engine, **wrong)
        assert said in refusal.value.detail
        assert refusal.value.detail.endswith("。")


def test_the_last_day_on_sale_can_be_bought(engine: Engine) -> None:
    assert _trains(engine, date=TODAY + dt.timedelta(days=29)).rows


@pytest.mark.parametrize("said", ["国航", "CA", "ca", "中国国际航空", "中国国航"])
def test_an_airline_goes_by_any_of_its_names(engine: Engine, said: str) -> None:
    assert {row.airline for row in _flights(engine, airline=said).rows} == {"中国国航"}


@pytest.mark.parametrize("said", ["浦东", "浦东机场", "上海浦东机场", "浦东国际机场T2"])
def test_an_airport_goes_by_any_of_its_names(engine: Engine, said: str) -> None:
    rows = _flights(engine, to_station=said).rows
    assert rows
    assert all("浦东" in row.to_airport for row in rows)


def test_flight_filters_keep_only_what_fits(engine: Engine) -> None:
    assert {row.cabin for row in _flights(engine, cabin="商务舱").rows} == {"公务舱"}
    assert {row.flight_no for row in _flights(engine, flight_no="ca 1101").rows} == {"CA1101"}


def test_direct_leaves_out_flights_that_stop_on_the_way(engine: Engine) -> None:
    there = {"from_city": "大连", "to_city": "海口"}
    assert all("经停郑州" in row.title for row in _flights(engine, **there).rows)
    assert _flights(engine, **there, direct=True).rows == ()
    assert _flights(engine, **there, direct=False).rows


def test_a_city_of_an_operators_own_timetable_is_known(own_engine: Engine) -> None:
    with own_engine.begin() as connection:
        connection.execute(update(trains).where(trains.c.train_no == "G1").values(from_city="临空新城"))
        connection.execute(
            update(train_seats).where(train_seats.c.date == TOMORROW).values(origin="imported")
        )
    assert {row.train_no for row in _trains(own_engine, from_city="临空新城").rows} == {"G1"}
    assert _trains(own_engine, from_city="临空新城").origin == "imported"
    assert _trains(own_engine, from_city="临空新城", to_city="三亚").rows == ()
    with pytest.raises(InvalidRequest):
        _flights(own_engine, from_city="临空新城")


def test_one_demo_row_makes_the_answer_a_demo(own_engine: Engine) -> None:
    with own_engine.begin() as connection:
        connection.execute(
            update(train_seats).where(train_seats.c.seat_class != "商务座").values(origin="imported")
        )
    assert _trains(own_engine, train_no="G1").origin == "demo"
    assert _trains(own_engine, train_no="G1", seat_class="二等座").origin == "imported"

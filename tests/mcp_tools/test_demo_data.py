"""The demo data is believable, complete from today to the horizon, and the same everywhere."""

import datetime as dt

import pytest
from sqlalchemy import Engine, Table, func, select

from mcp_tools.data_files import read_table
from mcp_tools.demo import car_data, concert_data, flight_data, insurance_data, tour_data, train_data, weather_data
from mcp_tools.horizon import CONCERT_DAYS, FORECAST_DAYS, SALE_DAYS, days_from
from mcp_tools.places import provinces
from mcp_tools.tables import (
    car_days,
    concert_areas,
    concerts,
    flight_cabins,
    flights,
    insurance_plans,
    rental_cars,
    tour_departures,
    tour_groups,
    train_seats,
    trains,
    weather_forecasts,
)
from tests.mcp_tools.demo_file import TODAY

ASKED_FOR = [
    ("北京", "上海"), ("上海", "杭州"), ("北京", "西安"), ("广州", "深圳"), ("广州", "长沙"), ("成都", "重庆"),
    ("武汉", "长沙"), ("郑州", "徐州"), ("西安", "成都"), ("郑州", "洛阳"), ("郑州", "开封"), ("西宁", "兰州"),
    ("天津", "秦皇岛"), ("宿州", "徐州"), ("苏州", "北京"), ("北京", "大同"), ("杭州", "南京"), ("苏州", "南京"),
    ("深圳", "厦门"), ("北京", "郑州"), ("郑州", "西安"), ("上海", "成都"), ("上海", "南京"),
]
FLOWN = [
    ("北京", "上海"), ("上海", "成都"), ("武汉", "三亚"), ("上海", "厦门"), ("大连", "海口"), ("成都", "丽江"),
    ("北京", "三亚"), ("广州", "乌鲁木齐"), ("北京", "香港"), ("杭州", "北京"), ("深圳", "厦门"), ("成都", "三亚"),
]


def _departures(engine: Engine, table: str, start: str, end: str) -> list[int]:
    services = trains if table == "trains" else flights
    statement = select(services.c.depart_min).where(services.c.from_city == start, services.c.to_city == end)
    with engine.connect() as connection:
        return sorted(connection.scalars(statement))


def test_there_are_many_cities_with_weather_for_fifteen_days(engine: Engine) -> None:
    assert len(provinces()) >= 60
    statement = select(weather_forecasts.c.city, weather_forecasts.c.date)
    with engine.connect() as connection:
        found = {(city, day) for city, day in connection.execute(statement)}
    assert found == {(city, day) for city in provinces() for day in days_from(TODAY, FORECAST_DAYS)}


@pytest.mark.parametrize(("start", "end"), ASKED_FOR)
def test_trains_people_ask_for_run_both_ways_several_times_a_day(engine: Engine, start: str, end: str) -> None:
    for one_way in (_departures(engine, "trains", start, end), _departures(engine, "trains", end, start)):
        assert len(one_way) >= 2, (start, end)
        assert one_way[-1] - one_way[0] >= 100, "they are spread over the day"


@pytest.mark.parametrize(("start", "end"), FLOWN)
def test_flights_people_ask_for_go_both_ways(engine: Engine, start: str, end: str) -> None:
    assert _departures(engine, "flights", start, end)
    assert _departures(engine, "flights", end, start)


def test_every_route_goes_both_ways(engine: Engine) -> None:
    with engine.connect() as connection:
        for services in (trains, flights):
            pairs = {(a, b) for a, b in connection.execute(select(services.c.from_city, services.c.to_city))}
            assert pairs == {(b, a) for a, b in pairs}


@pytest.mark.parametrize(
    "sales", [train_seats, flight_cabins, tour_departures, concert_areas, car_days], ids=lambda table: str(table.name)
)
def test_prices_are_positive_and_stock_is_never_negative(engine: Engine, sales: Table) -> None:
    faults = select(func.count()).where(
        (sales.c.price_fen <= 0) | (sales.c.remaining < 0) | (sales.c.remaining > sales.c.total)
    )
    with engine.connect() as connection:
        assert connection.scalar(faults) == 0
        assert connection.scalar(select(func.count()).where(sales.c.remaining == 0)), "something is sold out"
        assert set(connection.scalars(select(sales.c.origin).distinct())) == {"demo"}


@pytest.mark.parametrize("sales", [train_seats, flight_cabins, car_days], ids=lambda table: str(table.name))
def test_every_day_of_the_thirty_is_on_sale_from_today(engine: Engine, sales: Table) -> None:
    statement = select(sales.c.date, func.count()).group_by(sales.c.date).order_by(sales.c.date)
    with engine.connect() as connection:
        rows = [(day, count) for day, count in connection.execute(statement)]
    assert [day for day, _ in rows] == days_from(TODAY, SALE_DAYS)
    assert len({count for _, count in rows}) == 1, "every day has the whole timetable"


def test_train_numbers_fit_their_type_and_name_one_train() -> None:
    rows = train_data.service_rows()
    assert all(row["train_no"][0] == row["train_type"] and row["train_no"][1:].isdigit() for row in rows)
    assert len({row["train_no"] for row in rows}) == len(rows)
    numbers = {row["train_no"] for row in rows if row["from_city"] == "北京" and row["to_city"] == "上海"}
    assert "G1" in numbers


def test_seats_are_those_of_the_train_type() -> None:
    kinds = {row["train_id"]: row["train_type"] for row in train_data.service_rows()}
    found: dict[str, set[str]] = {}
    for row in train_data.day_rows(TODAY):
        found.setdefault(kinds[row["train_id"]], set()).add(row["seat_class"])
    assert found["G"] == {"二等座", "一等座", "商务座"}
    assert found["D"] == {"二等座", "一等座"}
    assert found["Z"] == found["T"] == found["K"] == {"硬座", "硬卧", "软卧"}


def test_fast_trains_arrive_the_same_day_and_none_flies() -> None:
    for row in train_data.service_rows():
        if row["train_type"] == "G":
            assert row["depart_min"] >= 6 * 60
            assert row["depart_min"] + row["duration_min"] <= 24 * 60 + 60, row
        assert row["duration_min"] >= 15


def test_flight_numbers_carry_their_airline_and_name_one_flight() -> None:
    rows = flight_data.service_rows()
    assert len({row["flight_no"] for row in rows}) == len(rows)
    assert {row["airline"] for row in rows if row["flight_no"].startswith("CA")} == {"中国国航"}
    beijing = {row["from_airport"] for row in rows if row["from_city"] == "北京"}
    assert beijing == {"首都国际机场T3", "首都国际机场T2", "大兴国际机场"}


def test_a_red_eye_leaves_after_midnight(engine: Engine) -> None:
    assert _departures(engine, "flights", "广州", "乌鲁木齐")[0] == 65


def test_item_ids_are_unique_stable_and_say_nothing() -> None:
    first, again = train_data.day_rows(TODAY), train_data.day_rows(TODAY)
    ids = [row["item_id"] for row in first]
    assert ids == [row["item_id"] for row in again]
    others = (
        train_data.day_rows(TODAY + dt.timedelta(days=1)), flight_data.day_rows(TODAY), tour_data.day_rows(TODAY),
        concert_data.day_rows(TODAY), car_data.day_rows(TODAY), insurance_data.plan_rows(),
    )
    ids += [row["item_id"] for rows in others for row in rows]
    assert len(set(ids)) == len(ids)
    assert all(item.isalnum() and len(item) <= 32 for item in ids)


def test_tours_last_one_to_ten_days_and_chengdu_has_none_of_three(engine: Engine) -> None:
    with engine.connect() as connection:
        assert set(connection.scalars(select(tour_groups.c.days).distinct())) == set(range(1, 11))
        chengdu = set(connection.scalars(select(tour_groups.c.days).where(tour_groups.c.destination == "成都")))
    assert {1, 2} <= chengdu
    assert 3 not in chengdu


def test_the_weather_is_the_same_on_every_machine_and_fits_the_season() -> None:
    moment = dt.datetime(2026, 1, 1)
    for month in range(1, 13):
        day = dt.date(2026, month, 15)
        rows = {row["city"]: row for row in weather_data.day_rows(day, moment)}
        assert rows == {row["city"]: row for row in weather_data.day_rows(day, moment)}
        assert rows["哈尔滨"]["temp_max_c"] < rows["三亚"]["temp_max_c"]
        if month in (1, 12):
            assert rows["哈尔滨"]["temp_max_c"] < 0 < rows["三亚"]["temp_min_c"]
        if month == 7:
            assert rows["武汉"]["temp_max_c"] >= 26


def test_the_words_of_the_weather_fit_its_numbers() -> None:
    for ahead in range(0, 365, 5):
        for row in weather_data.day_rows(TODAY + dt.timedelta(days=ahead), dt.datetime(2026, 1, 1)):
            falls = any(word in row["condition_day"] + row["condition_night"] for word in "雨雪")
            assert falls == (row["precip_mm"] > 0), row
            assert row["temp_min_c"] < row["temp_max_c"], row
            assert 15 <= row["humidity_pct"] <= 98, row
            if "雪" in row["condition_day"] and "雨" not in row["condition_day"]:
                assert row["temp_max_c"] <= 2, row


def test_known_artists_play_within_sixty_days_in_real_halls_one_at_a_time(engine: Engine) -> None:
    with engine.connect() as connection:
        found = connection.execute(select(concerts)).mappings().all()
        areas = set(connection.scalars(select(concert_areas.c.area).distinct()))
    known = {"五月天", "周杰伦", "周深", "林俊杰", "张学友", "陈奕迅", "邓紫棋"}
    assert known <= {row["artist"] for row in found}
    assert {row["date"] for row in found} <= set(days_from(TODAY, CONCERT_DAYS))
    assert max(row["date"] for row in found) > TODAY + dt.timedelta(days=CONCERT_DAYS - 8)
    assert len({(row["venue"], row["date"]) for row in found}) == len(found)
    assert len({row["city"] for row in found}) >= 25
    assert {"内场VIP", "内场", "看台一层", "看台A区"} <= areas


def test_every_city_of_a_tour_has_halls_and_weather() -> None:
    halls = {row["city"] for row in read_table("venues")}
    played = {city for tour in read_table("concert_tours") for city in tour["cities"].split(",")}
    assert played <= halls <= set(provinces())


def test_every_city_rents_small_cars_and_large_ones(engine: Engine) -> None:
    statement = select(rental_cars.c.city, func.count(), func.min(rental_cars.c.seats), func.max(rental_cars.c.seats))
    with engine.connect() as connection:
        found = {row[0]: row[1:] for row in connection.execute(statement.group_by(rental_cars.c.city))}
    assert set(found) == set(provinces())
    assert all(count >= 8 and small <= 5 and large >= 7 for count, small, large in found.values())


def test_insurance_costs_more_for_more_days(engine: Engine) -> None:
    plans: dict[str, list[int]] = {}
    statement = select(insurance_plans.c.product_id, insurance_plans.c.price_fen).order_by(insurance_plans.c.days)
    with engine.connect() as connection:
        for product, price in connection.execute(statement):
            plans.setdefault(product, []).append(price)
    assert all(prices == sorted(set(prices)) for prices in plans.values())
    assert max(len(prices) for prices in plans.values()) == 30

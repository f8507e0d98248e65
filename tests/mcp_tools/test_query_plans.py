"""On MariaDB with the whole demo timetable, no tool reads a large table from end to end."""

import datetime as dt
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Engine, insert, text

from core.shared.errors import InvalidRequest
from core.shared.sql import make_engine
from mcp_tools.car_tools import query_car_rental
from mcp_tools.concert_tools import query_concert_tickets
from mcp_tools.imports.kinds import IMPORTS
from mcp_tools.imports.reading import CsvLine
from mcp_tools.imports.rows import rows_of
from mcp_tools.imports.writing import write
from mcp_tools.insurance_tools import query_insurance
from mcp_tools.order_book import query_orders
from mcp_tools.order_tools import cancel_order
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import metadata, order_lines, orders
from mcp_tools.ticket_tools import query_flight_tickets, query_train_tickets
from mcp_tools.trip_tools import query_tour_group
from mcp_tools.weather.store import collected_at
from mcp_tools.weather_tools import query_weather
from mcp_tools.wishes import (
    CarWish,
    ConcertWish,
    FlightWish,
    InsuranceWish,
    OrdersWish,
    TourWish,
    TrainWish,
    WeatherWish,
)
from tests.mcp_tools.buying import buy, buyer, wanted
from tests.mcp_tools.crowds import a_train
from tests.mcp_tools.demo_file import NOW, TODAY, TOMORROW, mariadb_url
from tests.mcp_tools.explaining import accesses_of
from tests.mcp_tools.mariadb import INSTALLED

pytestmark = pytest.mark.skipif(not INSTALLED, reason="MariaDB is not installed")

LARGE = {
    "trains", "train_seats", "flights", "flight_cabins", "tour_departures", "concert_areas", "car_days", "orders",
    "order_lines", "weather_forecasts",
}
KINDS = tuple(SHELVES)
_OLD_ORDERS = 4_000
_OLD_USERS = 200


@pytest.fixture(scope="module")
def mysql() -> Iterator[Engine]:
    engine = make_engine(mariadb_url())
    _grow_old(engine)
    yield engine
    engine.dispose()


def _grow_old(engine: Engine) -> None:
    """Orders of many people, and what the optimiser has to know about all tables."""
    made = [_old_order(number) for number in range(_OLD_ORDERS)]
    with engine.begin() as connection:
        connection.execute(insert(orders), made)
        connection.execute(insert(order_lines), [
            {"order_id": order["order_id"], "item_id": order["item_id"], "quantity": 1} for order in made
        ])
        connection.execute(text(f"ANALYZE TABLE {', '.join(metadata.tables)}"))


def _old_order(number: int) -> dict[str, Any]:
    return {
        "order_id": f"SV1{number:017}", "user_id": f"user{number % _OLD_USERS}", "kind": "train",
        "status": "confirmed", "item_id": f"old{number}", "item": json.dumps({"title": "G1"}),
        "travel_date": TODAY, "leaves_at": None, "quantity": 1, "unit_price_fen": 100, "total_fen": 100,
        "origin": "demo", "offer_id": f"old{number}", "idempotency_key": f"old{number}:1",
        "created_at": dt.datetime(2026, 8, 1), "cancelled_at": None,
    }


def _whole_life(engine: Engine) -> None:
    order = buy(engine, wanted("train", a_train(engine)), buyer("lena"))
    query_orders(engine, KINDS, OrdersWish(order_id=order.order_id), "lena")
    cancel_order(engine, KINDS, order.order_id, buyer("lena"), NOW)


def _import(engine: Engine) -> None:
    line = CsvLine(2, {
        "train_no": "G9001", "from_station": "雄安", "to_station": "北京西", "from_city": "雄安", "to_city": "北京",
        "date": TOMORROW, "depart": 485, "duration_min": 52, "seat_class": "二等座", "price": 5800, "total": 10,
    })
    for _ in range(2):
        write(engine, IMPORTS["train"], rows_of(IMPORTS["train"], [line])[0], print, dry_run=False)


_JOURNEY: dict[str, Any] = {"from_city": "北京", "to_city": "上海", "date": TOMORROW}


def _nowhere(engine: Engine) -> None:
    away = {**_JOURNEY, "to_city": "火星"}
    with pytest.raises(InvalidRequest, match="没有找到"):
        query_train_tickets(engine, TrainWish(**away), NOW)
    with pytest.raises(InvalidRequest, match="没有找到"):
        query_flight_tickets(engine, FlightWish(**away), NOW)


WORK: dict[str, Callable[[Engine], Any]] = {
    "trains": lambda engine: query_train_tickets(engine, TrainWish(**_JOURNEY), NOW),
    "trains by price": lambda engine: query_train_tickets(engine, TrainWish(**_JOURNEY, sort="price", quantity=2), NOW),
    "trains of a month": lambda engine: query_train_tickets(
        engine, TrainWish(from_city="北京", to_city="上海", date=TODAY, date_end=TODAY + dt.timedelta(days=29)), NOW
    ),
    "one train": lambda engine: query_train_tickets(engine, TrainWish(**_JOURNEY, train_no="G1"), NOW),
    "nowhere": _nowhere,
    "flights": lambda engine: query_flight_tickets(engine, FlightWish(**_JOURNEY, to_station="浦东", direct=True), NOW),
    "concerts of an artist": lambda engine: query_concert_tickets(engine, ConcertWish(artist="五月天"), NOW),
    "concerts of a day": lambda engine: query_concert_tickets(engine, ConcertWish(date=TOMORROW), NOW),
    "cars": lambda engine: query_car_rental(engine, CarWish(city="成都", date=TOMORROW, days=4, seats=6), NOW),
    "tours": lambda engine: query_tour_group(engine, TourWish(destination="成都"), NOW),
    "tours of a day": lambda engine: query_tour_group(engine, TourWish(destination="云南", date=TOMORROW), NOW),
    "insurance": lambda engine: query_insurance(engine, InsuranceWish(days=5, destination="三亚"), NOW),
    "weather": lambda engine: query_weather(engine, WeatherWish(city="上海", date=TODAY, date_end=TOMORROW), NOW),
    "age of the weather": collected_at,
    "orders": lambda engine: query_orders(engine, KINDS, OrdersWish(), "user7"),
    "orders of a day": lambda engine: query_orders(engine, KINDS, OrdersWish(date=TODAY, train_no="G1"), "user7"),
    "orders, next page": lambda engine: query_orders(
        engine, KINDS, OrdersWish(before="2026-08-02T00:00:00+08:00|SV1"), "user7"
    ),
    "order by its key": lambda engine: query_orders(engine, KINDS, OrdersWish(idempotency_key="old7:1"), "user7"),
    "order and cancel": _whole_life,
    "import": _import,
}


@pytest.mark.parametrize("work", list(WORK))
def test_no_large_table_is_read_from_end_to_end(mysql: Engine, work: str) -> None:
    accesses = accesses_of(mysql, lambda: WORK[work](mysql))
    assert accesses or work == "age of the weather"
    whole = [access for access in accesses if access.table in LARGE and access.reads_everything]
    assert not whole, whole


def test_an_unanswered_order_is_found_by_its_key_and_by_nobody_else(mysql: Engine) -> None:
    found = query_orders(mysql, KINDS, OrdersWish(idempotency_key="old7:1"), "user7")
    assert [row.order_id for row in found.rows] == [f"SV1{7:017}"]
    assert query_orders(mysql, KINDS, OrdersWish(idempotency_key="OLD7:1"), "user7").rows == ()
    assert query_orders(mysql, KINDS, OrdersWish(idempotency_key="old7:1"), "user8").rows == ()



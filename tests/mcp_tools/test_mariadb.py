"""The same tools on MySQL's dialect: a real MariaDB, filled by two at once."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, func, select, update
from sqlalchemy.exc import OperationalError

from core.shared.sql import make_engine
from mcp_tools.car_tools import query_car_rental
from mcp_tools.concert_tools import query_concert_tickets
from mcp_tools.imports.kinds import IMPORTS
from mcp_tools.imports.reading import CsvLine
from mcp_tools.imports.rows import rows_of
from mcp_tools.imports.writing import Written, write
from mcp_tools.insurance_tools import query_insurance
from mcp_tools.migration import VERSION_TABLE
from mcp_tools.order_book import query_orders
from mcp_tools.order_tools import cancel_order, place_order
from mcp_tools.shelves import SHELVES
from mcp_tools.tables import (
    car_days,
    concert_areas,
    demo_batches,
    flight_cabins,
    insurance_plans,
    metadata,
    tour_departures,
    train_seats,
    trains,
)
from mcp_tools.ticket_tools import query_flight_tickets, query_train_tickets
from mcp_tools.trip_tools import query_tour_group
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
from tests.mcp_tools.buying import buy, buyer, left, wanted
from tests.mcp_tools.crowds import (
    a_train,
    imports_beside_orders,
    made_with_one_key,
    overlapping_rentals,
    sold_of_last_five,
)
from tests.mcp_tools.demo_file import NOW, TODAY, TOMORROW, mariadb_url
from tests.mcp_tools.mariadb import INSTALLED
from tests.mcp_tools.rushes import RUSHES, cancelled_by_fifty, one_offer_under_many_keys, rush

pytestmark = pytest.mark.skipif(not INSTALLED, reason="MariaDB is not installed")


@pytest.fixture(scope="module")
def mysql() -> Iterator[Engine]:
    engine = make_engine(mariadb_url())
    yield engine
    engine.dispose()


def test_the_migrations_build_exactly_the_tables_of_the_code(mysql: Engine) -> None:
    with mysql.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []


def test_two_that_fill_at_once_double_nothing(mysql: Engine, engine: Engine) -> None:
    sold = (train_seats, flight_cabins, tour_departures, concert_areas, car_days, insurance_plans)
    for table in (trains, *sold, demo_batches):
        statement = select(func.count()).select_from(table)
        with mysql.connect() as here, engine.connect() as there:
            assert here.scalar(statement) == there.scalar(statement), table.name


def test_every_tool_finds_what_it_finds_on_sqlite(mysql: Engine, engine: Engine) -> None:
    train = TrainWish(from_city="北京", to_city="上海", date=TOMORROW, sort="price", time_after=dt.time(9))
    flight = FlightWish(from_city="北京", to_city="上海", date=TOMORROW, to_station="浦东机场", direct=True)
    assert query_train_tickets(mysql, train, NOW).rows
    assert query_train_tickets(mysql, train, NOW) == query_train_tickets(engine, train, NOW)
    assert query_flight_tickets(mysql, flight, NOW) == query_flight_tickets(engine, flight, NOW)
    tour, weather = TourWish(destination="云南"), WeatherWish(city="上海", date=TODAY, date_end=TOMORROW)
    assert query_tour_group(mysql, tour, NOW) == query_tour_group(engine, tour, NOW)
    assert query_weather(mysql, weather, NOW) == query_weather(engine, weather, NOW)


def test_concerts_cars_and_insurance_are_found_as_on_sqlite(mysql: Engine, engine: Engine) -> None:
    concert = ConcertWish(artist="Mayday", area="内场", exclude={"city": ["北京"]}, quantity=2)
    car = CarWish(city="成都", date=TOMORROW, days=4, seats=6, price_max=Decimal(4000), sort="-price")
    named = CarWish(city="成都", date=TOMORROW, brand="别克 GL8")
    insurance = InsuranceWish(days=5, destination="西藏")
    assert query_concert_tickets(mysql, concert, NOW).rows
    assert query_concert_tickets(mysql, concert, NOW) == query_concert_tickets(engine, concert, NOW)
    for wish in (car, named):
        assert query_car_rental(mysql, wish, NOW).rows
        assert query_car_rental(mysql, wish, NOW) == query_car_rental(engine, wish, NOW)
    assert query_insurance(mysql, insurance, NOW).rows
    assert query_insurance(mysql, insurance, NOW) == query_insurance(engine, insurance, NOW)
    assert query_insurance(mysql, InsuranceWish(), NOW) == query_insurance(engine, InsuranceWish(), NOW)


def test_of_twenty_who_want_the_last_five_five_get_one(mysql: Engine) -> None:
    assert sold_of_last_five(mysql) == (5, 15, 0)


@pytest.mark.parametrize(("stock", "buyers", "quantity"), RUSHES)
def test_of_more_buyers_than_stock_exactly_the_stock_is_sold(
    mysql: Engine, stock: int, buyers: int, quantity: int
) -> None:
    served = stock // quantity
    assert rush(mysql, stock, buyers, quantity) == (served, buyers - served, stock - served * quantity)


def test_fifty_who_cancel_at_once_give_back_once(mysql: Engine) -> None:
    assert cancelled_by_fifty(mysql) == 3


def test_an_offers_item_is_ordered_once_whatever_the_keys(mysql: Engine) -> None:
    assert one_offer_under_many_keys(mysql) == (1, 9)


def test_the_same_key_at_the_same_moment_makes_one_order(mysql: Engine) -> None:
    assert made_with_one_key(mysql) == (6, 1, 1)


def test_a_rental_takes_each_of_its_days_and_gives_them_back_once(mysql: Engine) -> None:
    row = query_car_rental(mysql, CarWish(city="杭州", date=TOMORROW, days=3, quantity=2), NOW).rows[0]
    order = buy(mysql, wanted("car_rental", row, 2), buyer("rita"))
    assert left(mysql, "car_rental", row.item_id) == row.remaining - 2
    for _ in range(2):
        cancel_order(mysql, tuple(SHELVES), order.order_id, buyer("rita"), NOW)
    assert left(mysql, "car_rental", row.item_id) == row.remaining


def test_ten_renters_of_overlapping_days_all_come_to_an_end(mysql: Engine) -> None:
    assert overlapping_rentals(mysql) == (10, 0)


def test_orders_are_listed_page_by_page_and_by_their_words(mysql: Engine) -> None:
    row = a_train(mysql)
    made = [
        place_order(mysql, wanted("train", row), buyer("paul"), NOW + dt.timedelta(microseconds=n)).rows[0]
        for n in range(3)
    ]
    first = query_orders(mysql, tuple(SHELVES), OrdersWish(limit=2, train_no=row.train_no.lower(), city="上海"), "paul")
    assert (list(first.rows), first.more) == ([made[2], made[1]], 1)
    before = f"{first.rows[-1].created_at}|{first.rows[-1].order_id}"
    rest = query_orders(mysql, tuple(SHELVES), OrdersWish(before=before, date=TOMORROW), "paul")
    assert (list(rest.rows), rest.more) == ([made[0]], 0)
    assert query_orders(mysql, tuple(SHELVES), OrdersWish(), "PAUL").rows == ()


def test_an_import_beside_orders_loses_none_of_them(mysql: Engine) -> None:
    assert imports_beside_orders(mysql) == (12, 12)


def test_an_import_again_keeps_what_is_sold(mysql: Engine) -> None:
    line = CsvLine(2, {
        "train_no": "G9001", "from_station": "雄安", "to_station": "北京西", "from_city": "雄安", "to_city": "北京",
        "date": TOMORROW, "depart": 485, "duration_min": 52, "seat_class": "二等座", "price": 5800, "total": 10,
    })
    rows, _ = rows_of(IMPORTS["train"], [line])
    assert write(mysql, IMPORTS["train"], rows, print, dry_run=True) == Written(added=1)
    assert write(mysql, IMPORTS["train"], rows, print, dry_run=False) == Written(added=1)
    wish = TrainWish(from_city="雄安", to_city="北京", date=TOMORROW, train_no="G9001")
    row = query_train_tickets(mysql, wish, NOW).rows[0]
    buy(mysql, wanted("train", row, 4), buyer("ivan"))
    fewer, _ = rows_of(IMPORTS["train"], [CsvLine(2, {**line.values, "total": 3})])
    assert write(mysql, IMPORTS["train"], fewer, print, dry_run=False) == Written(updated=1, held=1)
    assert left(mysql, "train", row.item_id) == 0


def test_keys_differ_by_case(mysql: Engine) -> None:
    with mysql.connect() as connection:
        assert connection.scalar(select(func.count()).where(trains.c.train_no == "g1")) == 0
        assert connection.scalar(select(func.count()).where(trains.c.train_no == "G1")) == 1


def test_stock_never_falls_below_nothing(mysql: Engine) -> None:
    with mysql.connect() as connection, pytest.raises(OperationalError, match="ck_train_seats_remaining"):
        connection.execute(update(train_seats).values(remaining=-1))

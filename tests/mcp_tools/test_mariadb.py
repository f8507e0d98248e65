"""The same tools on MySQL's dialect: a real MariaDB, filled by two at once."""

import datetime as dt
import threading
from collections.abc import Iterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, func, select, update
from sqlalchemy.exc import OperationalError

from core.shared.sql import make_engine
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.migration import VERSION_TABLE, migrate_engine
from mcp_tools.tables import demo_batches, flight_cabins, metadata, tour_departures, train_seats, trains
from mcp_tools.ticket_tools import query_flight_tickets, query_train_tickets
from mcp_tools.trip_tools import query_tour_group
from mcp_tools.weather_tools import query_weather
from mcp_tools.wishes import FlightWish, TourWish, TrainWish, WeatherWish
from tests.mcp_tools.demo_file import NOW, TODAY, TOMORROW
from tests.mcp_tools.mariadb import INSTALLED, running_mariadb

pytestmark = pytest.mark.skipif(not INSTALLED, reason="MariaDB is not installed")


@pytest.fixture(scope="module")
def mysql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with running_mariadb(tmp_path_factory.mktemp("mariadb")) as url:
        fillers = [threading.Thread(target=_fill, args=(url,)) for _ in range(2)]
        for filler in fillers:
            filler.start()
        for filler in fillers:
            filler.join()
        engine = make_engine(url)
        yield engine
        engine.dispose()


def _fill(url: str) -> None:
    engine = make_engine(url)
    migrate_engine(engine)
    extend_demo_data(engine, TODAY)
    engine.dispose()


def test_the_migrations_build_exactly_the_tables_of_the_code(mysql: Engine) -> None:
    with mysql.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []


def test_two_that_fill_at_once_double_nothing(mysql: Engine, engine: Engine) -> None:
    for table in (trains, train_seats, flight_cabins, tour_departures, demo_batches):
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


def test_keys_differ_by_case(mysql: Engine) -> None:
    with mysql.connect() as connection:
        assert connection.scalar(select(func.count()).where(trains.c.train_no == "g1")) == 0
        assert connection.scalar(select(func.count()).where(trains.c.train_no == "G1")) == 1


def test_stock_never_falls_below_nothing(mysql: Engine) -> None:
    with mysql.connect() as connection, pytest.raises(OperationalError, match="ck_train_seats_remaining"):
        connection.execute(update(train_seats).values(remaining=-1))

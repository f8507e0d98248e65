"""The demo data always reaches from today to the horizon: missing days are added, nothing that is there is touched."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Date, DateTime, Engine, Insert, Table, insert, select
from sqlalchemy.exc import IntegrityError

from core.shared.clock import SHANGHAI
from mcp_tools import tables
from mcp_tools.demo import (
    car_data,
    concert_data,
    flight_data,
    insurance_data,
    tour_data,
    train_data,
    weather_data,
)
from mcp_tools.horizon import CONCERT_DAYS, FORECAST_DAYS, SALE_DAYS, days_from


@dataclass(frozen=True, slots=True)
class _Batch:
    """What one writer writes in one transaction, and nobody twice."""

    name: str
    table: Table
    make_rows: Callable[[], list[dict[str, Any]]]


def extend_demo_data(engine: Engine, today: dt.date, *, weather: bool = True) -> int:
    """Add what is missing from `today` on and say how many rows that was. Safe to repeat and to run at once.

    `weather` false leaves the forecasts to those who collect them.
    """
    with engine.connect() as connection:
        done = set(connection.scalars(select(tables.demo_batches.c.name)))
    wanted = (batch for batch in _batches(today) if weather or batch.table is not tables.weather_forecasts)
    return sum(_write(engine, batch) for batch in wanted if batch.name not in done)


def is_in_use(engine: Engine) -> bool:
    """Whether somebody has ever filled this database with demo data."""
    with engine.connect() as connection:
        return connection.scalar(select(tables.demo_batches.c.name).limit(1)) is not None


def _batches(today: dt.date) -> Iterator[_Batch]:
    """What has no day of its own first: the days refer to it."""
    yield _Batch("trains", tables.trains, train_data.service_rows)
    yield _Batch("flights", tables.flights, flight_data.service_rows)
    yield _Batch("tour_groups", tables.tour_groups, tour_data.service_rows)
    yield _Batch("rental_cars", tables.rental_cars, car_data.service_rows)
    yield _Batch("insurance_products", tables.insurance_products, insurance_data.service_rows)
    yield _Batch("insurance_plans", tables.insurance_plans, insurance_data.plan_rows)
    yield from _days(today)


def _days(today: dt.date) -> Iterator[_Batch]:
    midnight = SHANGHAI.localize(dt.datetime.combine(today, dt.time())).astimezone(dt.UTC).replace(tzinfo=None)
    for day in days_from(today, FORECAST_DAYS):
        yield _day_batch(tables.weather_forecasts, day, lambda day: weather_data.day_rows(day, midnight))
    for day in days_from(today, SALE_DAYS):
        yield _day_batch(tables.train_seats, day, train_data.day_rows)
        yield _day_batch(tables.flight_cabins, day, flight_data.day_rows)
        yield _day_batch(tables.tour_departures, day, tour_data.day_rows)
        yield _day_batch(tables.car_days, day, car_data.day_rows)
    for day in days_from(today, CONCERT_DAYS):
        yield _day_batch(tables.concerts, day, concert_data.service_rows)
        yield _day_batch(tables.concert_areas, day, concert_data.day_rows)


def _day_batch(table: Table, day: dt.date, make_rows: Callable[[dt.date], list[dict[str, Any]]]) -> _Batch:
    return _Batch(f"{table.name}:{day.isoformat()}", table, lambda: make_rows(day))


def _write(engine: Engine, batch: _Batch) -> int:
    rows = batch.make_rows()
    with engine.connect() as connection:
        try:
            connection.execute(insert(tables.demo_batches), {"name": batch.name, "rows_written": len(rows)})
        except IntegrityError:
            return 0  # another process was first; its rows are committed by now
        if rows:
            _insert(connection, batch.table, rows)
        connection.commit()
    return len(rows)


def _insert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Hand the rows to the driver at once: a third faster than through SQLAlchemy's types (2.0 s against 2.7 s for the
    236,000 rows of a first fill, and the first fill decides how soon a new installation answers)."""
    statement = _unless_there(table).compile(dialect=connection.dialect)
    for name in [column.name for column in table.columns if isinstance(column.type, (Date, DateTime))]:
        for row in rows:
            row[name] = str(row[name])
    if statement.positiontup is None:  # PyMySQL takes names, SQLite positions
        connection.exec_driver_sql(str(statement), rows)
        return
    in_order = itemgetter(*statement.positiontup)
    connection.exec_driver_sql(str(statement), [in_order(row) for row in rows])


def _unless_there(table: Table) -> Insert:
    """What an operator has imported stays: a demo row of the same identity is left out."""
    statement = insert(table).prefix_with("OR IGNORE", dialect="sqlite")
    return statement.prefix_with("IGNORE", dialect="mysql").prefix_with("IGNORE", dialect="mariadb")

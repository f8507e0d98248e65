"""Collected forecasts in the table: what was collected takes the place of demo rows, and of its own older ones."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, select
from sqlalchemy.dialects import mysql, sqlite

from mcp_tools.tables import weather_forecasts as forecasts
from mcp_tools.weather.forecast import DayForecast

_KEY = ("city", "date")


def write_forecasts(engine: Engine, days: Sequence[DayForecast], collected_at: dt.datetime) -> int:
    """Insert or replace the days of some cities in one transaction. `collected_at` in UTC without an offset."""
    # In one order for everybody, so that two collectors at once do not lock each other out.
    rows = [
        {**day.model_dump(), "updated_at": collected_at, "origin": "collected"}
        for day in sorted(days, key=lambda day: (day.city, day.date))
    ]
    if rows:
        with engine.begin() as connection:
            connection.execute(_upsert(connection), rows)
    return len(rows)


def drop_demo_weather(engine: Engine) -> int:
    """Where no demo weather is wanted."""
    with engine.begin() as connection:
        return connection.execute(delete(forecasts).where(forecasts.c.origin == "demo")).rowcount


def collected_at(engine: Engine) -> dt.datetime | None:
    """When the newest row was collected, in UTC; None where none ever was."""
    statement = select(func.max(forecasts.c.updated_at)).where(forecasts.c.origin == "collected")
    with engine.connect() as connection:
        newest: dt.datetime | None = connection.scalar(statement)
    return newest.replace(tzinfo=dt.UTC) if newest else None


def _upsert(connection: Connection) -> Any:
    names = [column.name for column in forecasts.columns if column.name not in _KEY]
    if connection.dialect.name == "sqlite":
        new = sqlite.insert(forecasts)
        return new.on_conflict_do_update(index_elements=_KEY, set_={name: new.excluded[name] for name in names})
    newer = mysql.insert(forecasts)
    return newer.on_duplicate_key_update({name: newer.inserted[name] for name in names})

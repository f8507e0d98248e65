"""The weather forecast: what is known for a city on some days."""

import datetime as dt

from sqlalchemy import ColumnElement, Engine, RowMapping, exists, not_, or_, select

from core.shared.clock import SHANGHAI
from mcp_tools.checks import forecast_so_far
from mcp_tools.places import city_name
from mcp_tools.rows import Found, WeatherRow
from mcp_tools.search import first_page, refuse_unknown_city
from mcp_tools.tables import weather_forecasts as forecasts
from mcp_tools.wishes import PAGE_ROWS, WeatherWish


def query_weather(engine: Engine, wish: WeatherWish, now: dt.datetime) -> Found[WeatherRow]:
    """The forecast per day, in order. Where any of the days is known from a provider, demo days are left out: an
    answer is one or the other. InvalidRequest: a date outside the forecast, a city nobody knows.
    """
    first, last, until = forecast_so_far(wish.date, wish.date_end, now.date())
    city = city_name(wish.city)
    statement = (
        select(forecasts)
        .where(forecasts.c.city == city, forecasts.c.date.between(first, last))
        .where(or_(forecasts.c.origin != "demo", not_(_is_collected(city, first, last))))
        .order_by(forecasts.c.date)
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, PAGE_ROWS)
        if not page.rows:
            refuse_unknown_city(connection, forecasts, ("city",), city)
    return Found(tuple(_row(row) for row in page.rows), page.more, page.origin, until)


def _is_collected(city: str, first: dt.date, last: dt.date) -> ColumnElement[bool]:
    real = forecasts.alias()
    return exists().where(real.c.city == city, real.c.date.between(first, last), real.c.origin != "demo")


def _row(row: RowMapping) -> WeatherRow:
    return WeatherRow(
        row["city"], row["date"].isoformat(), row["condition_day"], row["condition_night"], row["temp_max_c"],
        row["temp_min_c"], row["humidity_pct"], row["wind"], float(row["precip_mm"]),
        row["updated_at"].replace(tzinfo=dt.UTC).astimezone(SHANGHAI).isoformat(timespec="seconds"),
        row["origin"],
    )

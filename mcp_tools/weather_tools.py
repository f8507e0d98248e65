"""The weather forecast: what is known for a city on some days."""

import datetime as dt

from sqlalchemy import Engine, RowMapping, select

from core.shared.clock import SHANGHAI
from mcp_tools.checks import dates_of_forecast
from mcp_tools.places import city_name
from mcp_tools.rows import Found, WeatherRow
from mcp_tools.search import first_page, refuse_unknown_city
from mcp_tools.tables import weather_forecasts as forecasts
from mcp_tools.wishes import PAGE_ROWS, WeatherWish


def query_weather(engine: Engine, wish: WeatherWish, now: dt.datetime) -> Found[WeatherRow]:
    """The forecast per day, in order. InvalidRequest: a date outside the forecast, a city nobody knows."""
    first, last = dates_of_forecast(wish.date, wish.date_end, now.date())
    city = city_name(wish.city)
    statement = (
        select(forecasts)
        .where(forecasts.c.city == city, forecasts.c.date.between(first, last))
        .order_by(forecasts.c.date)
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, PAGE_ROWS)
        if not page.rows:
            refuse_unknown_city(connection, forecasts, ("city",), city)
    return Found(tuple(_row(row) for row in page.rows), page.more, page.origin)


def _row(row: RowMapping) -> WeatherRow:
    return WeatherRow(
        row["city"], row["date"].isoformat(), row["condition_day"], row["condition_night"], row["temp_max_c"],
        row["temp_min_c"], row["humidity_pct"], row["wind"], float(row["precip_mm"]),
        row["updated_at"].replace(tzinfo=dt.UTC).astimezone(SHANGHAI).isoformat(timespec="seconds"),
    )

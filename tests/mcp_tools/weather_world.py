"""A weather provider on this machine, in the documented shapes, which can be told to fail; and a clock that hurries."""

import contextlib
import datetime as dt
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from sqlalchemy import Engine, select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.shared.clock import ManualClock
from core.shared.serving import Service, running
from mcp_tools.horizon import FORECAST_DAYS, days_from
from mcp_tools.tables import weather_forecasts
from mcp_tools.weather.forecast import WeatherProvider
from mcp_tools.weather.places import Place, all_places
from mcp_tools.weather_collector import Collected, collect_weather
from tests.mcp_tools.demo_file import TODAY
from tests.support.whole import free_port

PLACES = [place for place in all_places() if place.city in ("北京", "上海", "三亚")]
Answer = tuple[int, Any] | tuple[int, Any, dict[str, str]]
"""Status, body (bytes as they are, else JSON), headers."""


class HurriedClock(ManualClock):
    """Every wait is over at once, and written down."""

    def __init__(self, now: dt.datetime) -> None:
        super().__init__(now)
        self.naps: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.advance(seconds)


@dataclass
class Provider:
    """What was asked, and what is answered: the first of `answers`, one after another; then `usual`."""

    usual: Callable[[Request], Any]
    asked: list[Request] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    address: str = ""

    async def answer(self, request: Request) -> Response:
        self.asked.append(request)
        status, body, *more = self.answers.pop(0) if self.answers else (200, self.usual(request))
        if isinstance(body, bytes):
            return Response(body, status, more[0] if more else None, "application/json")
        return Response(json.dumps(body), status, more[0] if more else None, "application/json")


@contextlib.asynccontextmanager
async def provider_of(usual: Callable[[Request], Any]) -> AsyncIterator[Provider]:
    """A provider on a free port while inside."""
    provider = Provider(usual)
    routes = [Route("/{path:path}", provider.answer, methods=["GET"])]
    service = Service("provider", "127.0.0.1", free_port(), lambda: Starlette(routes=routes))
    provider.address = service.url
    async with running([service]):
        yield provider


def open_meteo_place(latitude: float = 40, **daily: Any) -> dict[str, Any]:
    """One place's forecast as Open-Meteo documents it. `daily` replaces a list, or sets all days to one value."""
    days = [day.isoformat() for day in days_from(TODAY, FORECAST_DAYS)]
    usual: dict[str, Any] = {
        "weather_code": 63, "temperature_2m_max": 28.6, "temperature_2m_min": 21.4, "relative_humidity_2m_mean": 71,
        "precipitation_sum": 12.34, "wind_speed_10m_max": 6.1, "wind_direction_10m_dominant": 47,
    }
    lists = {
        name: value if isinstance(value, list) else [value] * len(days) for name, value in {**usual, **daily}.items()
    }
    hours = [f"{day}T{hour:02}:00" for day in days for hour in range(24)]
    codes = [3 if 8 <= int(hour[11:13]) < 20 else 61 if hour < f"{days[1]}T08" else 0 for hour in hours]
    return {
        "latitude": latitude, "longitude": 116.4, "generationtime_ms": 0.4, "utc_offset_seconds": 28800,
        "timezone": "Asia/Shanghai", "timezone_abbreviation": "GMT+8", "elevation": 44.0,
        "daily_units": {"time": "iso8601", "weather_code": "wmo code", "temperature_2m_max": "°C"},
        "daily": {"time": days, **lists},
        "hourly_units": {"time": "iso8601", "weather_code": "wmo code"},
        "hourly": {"time": hours, "weather_code": codes},
    }


def open_meteo_usual(request: Request) -> Any:
    """A list for several places, an object for one."""
    latitudes = request.query_params["latitude"].split(",")
    found = [open_meteo_place(float(latitude)) for latitude in latitudes]
    return found if len(found) > 1 else found[0]


def qweather_day(day: dt.date = TODAY, **more: Any) -> dict[str, Any]:
    """One day as QWeather documents it: numbers in text."""
    return {
        "fxDate": day.isoformat(), "sunrise": "05:34", "sunset": "18:58", "tempMax": "31", "tempMin": "24",
        "iconDay": "302", "textDay": "雷阵雨", "iconNight": "101", "textNight": "多云", "wind360Day": "225",
        "windDirDay": "西南风", "windScaleDay": "1-3", "windSpeedDay": "3", "humidity": "77", "precip": "4.5",
        "pressure": "1000", "vis": "25", "cloud": "6", "uvIndex": "8", **more,
    }


def qweather_usual(_request: Request) -> Any:
    days = [qweather_day(day) for day in days_from(TODAY, FORECAST_DAYS)]
    return {"code": "200", "updateTime": "2026-08-16T11:35+08:00", "fxLink": "https://example.org", "daily": days}


async def round_of(
    engine: Engine, provider: WeatherProvider, clock: ManualClock, places: list[Place] | None = None
) -> Collected:
    """One round over a few cities."""
    async with httpx.AsyncClient(trust_env=False) as http:
        return await collect_weather(engine, http, provider, PLACES if places is None else places, clock)


def rows_of(engine: Engine, city: str) -> list[dict[str, Any]]:
    """A city's rows by day, from today to the horizon."""
    days = weather_forecasts.c.date.in_(days_from(TODAY, FORECAST_DAYS))
    statement = select(weather_forecasts).where(weather_forecasts.c.city == city, days)
    with engine.connect() as connection:
        found = connection.execute(statement.order_by(weather_forecasts.c.date)).mappings()
        return [dict(row) for row in found]

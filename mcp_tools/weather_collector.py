"""One round of collecting: every city's forecast asked for and written, and nothing lost where none came."""

import asyncio
import datetime as dt
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import httpx
from sqlalchemy import Engine

from core.shared.clock import Clock
from mcp_tools.horizon import FORECAST_DAYS, days_from
from mcp_tools.weather.fetching import ProviderAway, ProviderRefused, fetch
from mcp_tools.weather.forecast import BadPayload, DayForecast, WeatherProvider
from mcp_tools.weather.places import Place
from mcp_tools.weather.store import write_forecasts

logger = logging.getLogger(__name__)

_SAY_SO_EVERY = 50


@dataclass(frozen=True, slots=True)
class Collected:
    """What a round came to: cities and days written, cities that gave nothing, and why it ended early if it did."""

    cities: int = 0
    days: int = 0
    without: int = 0
    stopped: str | None = None


async def collect_weather(
    engine: Engine, http: httpx.AsyncClient, provider: WeatherProvider, places: Sequence[Place], clock: Clock
) -> Collected:
    """Ask for all places, some at a time, and write each answer as it comes. Rows that are there are only ever
    replaced by whole ones: a bad answer costs its cities this round, an outage the rest of it."""
    done, told = Collected(), 0
    for some in _portions(list(places), provider.at_once):
        try:
            days = await _days_of(http, provider, some, clock)
        except (ProviderAway, ProviderRefused) as error:
            left = len(places) - done.cities - done.without
            logger.warning("weather: the provider gave nothing for %d cities (%s); older rows stay", left, error)
            return Collected(done.cities, done.days, done.without + left, str(error))
        moment = clock.now().astimezone(dt.UTC).replace(tzinfo=None, microsecond=0)
        written = await asyncio.to_thread(write_forecasts, engine, days, moment)
        cities = len({day.city for day in days})
        done = Collected(done.cities + cities, done.days + written, done.without + len(some) - cities)
        if (done.cities + done.without) // _SAY_SO_EVERY > told:
            told = (done.cities + done.without) // _SAY_SO_EVERY
            logger.info("weather: %d of %d cities, %d days written", done.cities, len(places), done.days)
    return done


async def _days_of(
    http: httpx.AsyncClient, provider: WeatherProvider, some: list[Place], clock: Clock
) -> list[DayForecast]:
    """What the provider tells of these places from today to the horizon; nothing where its answer is no answer."""
    try:
        days = provider.read(await fetch(http, provider, some, clock), some)
    except BadPayload as bad:
        logger.warning("weather: an answer could not be read (%s); older rows stay", bad)
        return []
    wanted = days_from(clock.now().date(), FORECAST_DAYS)
    return [day for day in days if day.date in wanted]


def _portions(places: list[Place], size: int) -> Iterator[list[Place]]:
    for start in range(0, len(places), size):
        yield places[start:start + size]

"""The weather collector: a round of collecting on a schedule, demo data kept up, and /health that tells of both."""

import asyncio
import contextlib
import datetime as dt
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

import httpx
from apscheduler.schedulers.asyncio import AsyncIOScheduler  # type: ignore[import-untyped]
from apscheduler.triggers.interval import IntervalTrigger  # type: ignore[import-untyped]
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.routing import Route

from core.shared.clock import SHANGHAI, Clock, today
from core.shared.errors import SettingsError
from core.shared.settings import CollectorSettings
from mcp_server.business_data import BusinessData
from mcp_server.health import health_of
from mcp_tools.demo.extend import extend_demo_data, is_in_use
from mcp_tools.weather.forecast import WeatherProvider
from mcp_tools.weather.open_meteo import USUAL_ADDRESS, OpenMeteo
from mcp_tools.weather.places import Place, all_places
from mcp_tools.weather.qweather import QWeather
from mcp_tools.weather.store import collected_at, drop_demo_weather
from mcp_tools.weather_collector import collect_weather

logger = logging.getLogger(__name__)


async def _nobody() -> None:
    """Nobody is told of a round."""


def make_app(
    data: BusinessData, settings: CollectorSettings, clock: Clock, collected: Callable[[], Awaitable[None]] = _nobody
) -> Starlette:
    """The process as an application; `collected` is told after each round that wrote something. SettingsError where
    the provider lacks something."""
    rounds = Rounds(
        data, provider_of(settings), all_places(), clock, demo_weather=settings.demo_fallback, collected=collected
    )

    @contextlib.asynccontextmanager
    async def collecting(_app: Starlette) -> AsyncIterator[None]:
        async with data.open(), httpx.AsyncClient(timeout=30) as http, _scheduled(rounds, http, settings.every_minutes):
            yield

    return Starlette(routes=[Route("/health", health_of(data, clock, weather=True))], lifespan=collecting)


def provider_of(settings: CollectorSettings) -> WeatherProvider:
    """The configured provider."""
    if settings.provider == "open-meteo":
        return OpenMeteo(settings.base_url or USUAL_ADDRESS)
    if settings.base_url is None or settings.api_key is None:
        raise SettingsError(
            "collector: for the provider qweather both base_url (environment COLLECTOR_BASE_URL), the host of your "
            "account, and a key (environment COLLECTOR_API_KEY) are needed"
        )
    return QWeather(settings.base_url, settings.api_key.get_secret_value())


class Rounds:
    """What is done each time the schedule says so: never two at once, and no fault ends the schedule."""

    def __init__(
        self, data: BusinessData, provider: WeatherProvider, places: Sequence[Place], clock: Clock, *,
        demo_weather: bool, collected: Callable[[], Awaitable[None]] = _nobody,
    ) -> None:
        self._data = data
        self._provider = provider
        self._places = places
        self._clock = clock
        self._demo_weather = demo_weather
        self._collected = collected
        self.turn = asyncio.Lock()

    async def one(self, http: httpx.AsyncClient) -> None:
        """Extend the demo data where it is in use, then collect."""
        async with self.turn:
            try:
                await asyncio.to_thread(self._keep_demo_data)
                done = await collect_weather(self._data.engine, http, self._provider, self._places, self._clock)
            except SQLAlchemyError as error:
                logger.warning("weather: the database could not be used (%s); next round", type(error).__name__)
                return
            if done.days:
                await self._collected()
        logger.info("weather: round over, %d cities, %d days, %d cities without", done.cities, done.days, done.without)

    def _keep_demo_data(self) -> None:
        """On SQLite the data's own upkeep does this."""
        engine = self._data.engine
        if collected_at(engine) is None:
            logger.info("weather: nothing collected so far; the first fill of %d cities begins", len(self._places))
        if not self._data.is_own and is_in_use(engine):
            extend_demo_data(engine, today(self._clock), weather=self._demo_weather)
        if not self._demo_weather:
            drop_demo_weather(engine)


@contextlib.asynccontextmanager
async def _scheduled(rounds: Rounds, http: httpx.AsyncClient, every_minutes: int) -> AsyncIterator[None]:
    """A round at once and then one every so often; the one that is running ends with the block."""
    scheduler = AsyncIOScheduler(timezone=SHANGHAI)
    scheduler.add_job(
        rounds.one, IntervalTrigger(minutes=every_minutes, timezone=SHANGHAI, jitter=30), args=(http,),
        next_run_time=dt.datetime.now(SHANGHAI), max_instances=1, coalesce=True, misfire_grace_time=None,
    )
    scheduler.start()
    try:
        yield
    finally:
        scheduler.shutdown(wait=False)  # cancels the round
        async with rounds.turn:  # and this is when it has let go of the database
            pass

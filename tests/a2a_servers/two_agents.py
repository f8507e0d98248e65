"""Two agents that know of each other by the settings: one for trips, one for the weather, each with its own tools."""

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.types import ASGIApp

from a2a_servers.app import create_agent_app
from a2a_servers.trip_agent import SPEC as TRIP
from a2a_servers.weather_agent import SPEC as WEATHER
from core.shared.clock import SystemClock
from core.shared.serving import Service, running
from core.shared.settings import Settings, parse_settings
from tests.a2a_servers.calendar_server import Calendar, calendar_on
from tests.a2a_servers.world import NOON, World
from tests.support.whole import free_port


@dataclass(frozen=True)
class TwoAgents:
    """The agent for trips, with its tools, and those of the other."""

    trip: World
    tours: Calendar
    forecast: Calendar
    settings: Settings


@contextlib.asynccontextmanager
async def two_agents(
    weather: Callable[[Settings, str], ASGIApp] | None = None, *, weather_runs: bool = True
) -> AsyncIterator[TwoAgents]:
    """`weather` makes an agent to stand in for the usual one, from the settings and its own address."""
    tours, forecast = calendar_on(free_port(), "tours"), calendar_on(free_port(), "weather")
    settings = _settings(tours, forecast)
    clock = SystemClock(NOON)
    trip, other = settings.agents
    apps: list[tuple[str, str, Callable[[], ASGIApp]]] = [
        (other.name, other.a2a_url, lambda: create_agent_app(WEATHER, other, settings, clock)),
        (trip.name, trip.a2a_url, lambda: create_agent_app(TRIP, trip, settings, clock)),
    ]
    if weather is not None:
        stand_in = weather
        apps[0] = (other.name, other.a2a_url, lambda: stand_in(settings, other.a2a_url))
    services = [Service(name, "127.0.0.1", _port(url), make) for name, url, make in apps]
    async with (
        tours.server.running(), forecast.server.running(), running(services if weather_runs else services[1:]),
        httpx.AsyncClient(base_url=trip.a2a_url, timeout=20, trust_env=False) as http,
    ):
        world = World(tours.server, http)
        await world.until_tools_are(True)
        if weather_runs and weather is None:
            await _until_up(other.a2a_url)
        yield TwoAgents(world, tours, forecast, settings)


async def _until_up(url: str) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=20, trust_env=False) as http:
        while (await http.get("/health")).json()["tools"] is not True:
            pass


def _settings(tours: Calendar, forecast: Calendar) -> Settings:
    agents: list[dict[str, Any]] = [
        {"name": spec.name, "a2a_url": f"http://127.0.0.1:{free_port()}", "mcp_url": calendar.server.url}
        for spec, calendar in ((TRIP, tours), (WEATHER, forecast))
    ]
    return parse_settings({"agents": agents, "limits": {"card_refresh_ms": 100}})


def _port(url: str) -> int:
    return int(url.rsplit(":", 1)[1])

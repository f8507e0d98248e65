"""What the command line may start of this package."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.shared.serving import Service
from core.shared.settings import AgentEntry, Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from core.adapters.stores.agent_memory_opening import SpareMemory

# Service name → the agent's module, and the name of its entry in config.yaml.
_AGENTS = {
    "a2a-weather": ("weather_agent", "WeatherQueryAssistant"),
    "a2a-ticket": ("ticket_agent", "TicketAssistant"),
    "a2a-trip": ("trip_agent", "TripAssistant"),
}


Masked = Callable[[JsonObject], JsonObject]


def services(settings: Settings, clock: Clock, masked: Masked | None = None) -> list[Service]:
    """Those of the three agents that config.yaml names; their ports are those of `a2a_url` there.

    `masked`: what personal numbers go through on their way into the database; without it nothing is kept there.
    """
    entries = {entry.name: entry for entry in settings.agents}
    return [
        _service(name, entries[agent], settings, _maker(module, entries[agent], settings, clock, masked))
        for name, (module, agent) in _AGENTS.items()
        if agent in entries
    ]


def _service(name: str, entry: AgentEntry, settings: Settings, make_app: Callable[[], "FastAPI"]) -> Service:
    return Service(name, settings.services.host, _port(entry.a2a_url), make_app)


def _port(url: str) -> int:
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def _maker(
    module: str, entry: AgentEntry, settings: Settings, clock: Clock, masked: Masked | None
) -> Callable[[], "FastAPI"]:
    def make_app() -> "FastAPI":
        import importlib

        from a2a_servers.app import create_agent_app

        spec = importlib.import_module(f"a2a_servers.{module}").SPEC
        memory = None if masked is None else _memory(settings.database_url, clock, masked)
        return create_agent_app(spec, entry, settings, clock, memory=memory)

    return make_app


def _memory(url: str, clock: Clock, masked: Masked) -> "SpareMemory":
    from core.adapters.stores.agent_memory_opening import SpareMemory, open_sql_memory

    return SpareMemory(lambda: open_sql_memory(url, clock, masked), clock)

"""What the command line may start of this package."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.shared.clock import Clock
from core.shared.serving import Service
from core.shared.settings import AgentEntry, Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

# Service name → the agent's module, and the name of its entry in config.yaml.
_AGENTS = {
    "a2a-weather": ("weather_agent", "WeatherQueryAssistant"),
    "a2a-ticket": ("ticket_agent", "TicketAssistant"),
    "a2a-trip": ("trip_agent", "TripAssistant"),
}


def services(settings: Settings, clock: Clock) -> list[Service]:
    """Those of the three agents that config.yaml names; their ports are those of `a2a_url` there."""
    entries = {entry.name: entry for entry in settings.agents}
    return [
        _service(name, module, entries[agent], settings, clock)
        for name, (module, agent) in _AGENTS.items()
        if agent in entries
    ]


def _service(name: str, module: str, entry: AgentEntry, settings: Settings, clock: Clock) -> Service:
    return Service(name, settings.services.host, _port(entry.a2a_url), _maker(module, entry, settings, clock))


def _port(url: str) -> int:
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def _maker(module: str, entry: AgentEntry, settings: Settings, clock: Clock) -> Callable[[], "FastAPI"]:
    def make_app() -> "FastAPI":
        import importlib

        from a2a_servers.app import create_agent_app

        spec = importlib.import_module(f"a2a_servers.{module}").SPEC
        return create_agent_app(spec, entry, settings, clock)

    return make_app

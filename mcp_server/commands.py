"""What the command line may start of this package."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from core.shared.clock import Clock
from core.shared.data_changes import data_changed
from core.shared.serving import Service
from core.shared.settings import Settings

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from mcp_server.business_data import BusinessData

# Service name → its module, and the entry of config.yaml whose `mcp_url` says where it listens.
_SERVERS = {
    "mcp-weather": ("mcp_weather", "WeatherQueryAssistant"),
    "mcp-ticket": ("mcp_ticket", "TicketAssistant"),
    "mcp-trip": ("mcp_trip", "TripAssistant"),
}
_LARGEST_BODY_BYTES = 256 * 1024


def services(settings: Settings, clock: Clock) -> list[Service]:
    """The tool servers that config.yaml names, and the weather collector. Those of one list share one engine."""
    shared = _Shared(settings, clock)
    return [*_tool_servers(settings, shared), _collector(settings, shared)]


def _tool_servers(settings: Settings, shared: "_Shared") -> list[Service]:
    addresses = {entry.name: urlsplit(entry.mcp_url) for entry in settings.agents if entry.mcp_url}
    return [
        Service(
            name, settings.services.host, _port(addresses[agent]), _maker(name, module, addresses[agent], shared),
            setting=f"mcp_url of {agent} in config.yaml",
        )
        for name, (module, agent) in _SERVERS.items()
        if agent in addresses
    ]


def _collector(settings: Settings, shared: "_Shared") -> Service:
    def make_app() -> "Starlette":
        from mcp_server.weather_collector import make_app as make

        return make(shared.data(), settings.collector, shared.clock, lambda: data_changed(settings, "weather"))

    return Service(
        "weather-collector", settings.services.host, settings.collector.port, make_app,
        setting="collector.port in config.yaml", in_all=settings.collector.enabled,
    )


class _Shared:
    """The business data of this process, made when the first server is: listing services opens nothing."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self.clock = clock
        self._data: BusinessData | None = None

    def data(self) -> "BusinessData":
        from mcp_server.business_data import BusinessData

        if self._data is None:
            demo_weather = self.settings.collector.demo_fallback
            data = BusinessData(self.settings.database_url, self.clock, demo_weather=demo_weather)
            data.refuse_unusable()
            self._data = data
        return self._data


def _port(address: SplitResult) -> int:
    return address.port or (443 if address.scheme == "https" else 80)


def _maker(name: str, module: str, address: SplitResult, shared: _Shared) -> Callable[[], "Starlette"]:
    def make_app() -> "Starlette":
        import importlib

        from mcp.server.transport_security import TransportSecuritySettings

        server = importlib.import_module(f"mcp_server.{module}").make_server(shared.data(), shared.clock)
        hosts = _hosts(name, address, shared.settings.services.host)
        app: Starlette = server.streamable_http_app(
            streamable_http_path=address.path or "/mcp", stateless_http=True, json_response=True,
            max_request_body_size=_LARGEST_BODY_BYTES,
            transport_security=TransportSecuritySettings(allowed_hosts=hosts),
        )
        return app

    return make_app


def _hosts(name: str, address: SplitResult, host: str) -> list[str]:
    """The Host headers that are let in: loopback, the configured address, and the service's own name in a network of
    containers. Anything else gets 421, so that no web page can reach the tools through a rebound name."""
    names = {"127.0.0.1", "localhost", name, host, address.hostname or ""} - {"", "0.0.0.0", "::"}  # noqa: S104
    plain = {f"[{known}]" if ":" in known else known for known in names}
    return sorted(plain | {f"{known}:*" for known in plain})

"""The tool servers as tests start them: in process, or on free loopback ports over the real wire."""

import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from mcp import Client
from mcp_types import CallToolResult

from core.shared.clock import Clock, ManualClock
from core.shared.serving import Service
from core.shared.settings import Settings, parse_settings
from mcp_server import mcp_ticket, mcp_trip, mcp_weather
from mcp_server.business_data import BusinessData
from mcp_server.commands import services
from mcp_server.tool_server import ToolServer
from tests.mcp_tools.demo_file import NOW, filled_by_two_at_once, url_of

AGENTS = ("WeatherQueryAssistant", "TicketAssistant", "TripAssistant")
MAKERS: dict[str, Callable[[BusinessData, Clock], ToolServer]] = {
    "query_weather": mcp_weather.make_server,
    "query_train_tickets": mcp_ticket.make_server,
    "query_flight_tickets": mcp_ticket.make_server,
    "query_tour_group": mcp_trip.make_server,
}
ASKED: dict[str, dict[str, Any]] = {
    "query_weather": {"city": "上海", "date": "2026-08-17"},
    "query_train_tickets": {"from_city": "北京", "to_city": "上海", "date": "2026-08-17"},
    "query_flight_tickets": {"from_city": "北京", "to_city": "上海", "date": "2026-08-17"},
    "query_tour_group": {"destination": "成都"},
}
"""A question to each tool that finds something."""


def filled_url() -> str:
    """The address of the filled demo database; only for reading."""
    return url_of(filled_by_two_at_once()[0])


@contextlib.asynccontextmanager
async def client_of(tool: str) -> AsyncIterator[Client]:
    """A client of the server that has the tool, in process."""
    clock = ManualClock(NOW)
    async with Client(MAKERS[tool](BusinessData(filled_url(), clock), clock)) as client:
        yield client


async def ask(tool: str, **arguments: Any) -> CallToolResult:
    """One question in process; `arguments` replace those of ASKED."""
    async with client_of(tool) as client:
        return await client.call_tool(tool, {**ASKED[tool], **arguments})


def said(result: CallToolResult) -> str:
    """The text of a result."""
    return "".join(getattr(block, "text", "") for block in result.content)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def settings_on_free_ports(url: str, data: Path, **more: Any) -> Settings:
    agents = [
        {"name": name, "a2a_url": "http://127.0.0.1:1", "mcp_url": f"http://127.0.0.1:{free_port()}/mcp"}
        for name in AGENTS
    ]
    return parse_settings({"agents": agents, "database": {"url": url}, "data": data, **more})


def services_by_name(settings: Settings, clock: Clock) -> dict[str, Service]:
    return {service.name: service for service in services(settings, clock)}

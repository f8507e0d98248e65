"""The tool servers as tests start them: in process, or on free loopback ports over the real wire."""

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from mcp import Client
from mcp_types import CallToolResult, RequestParamsMeta

from core.shared.call_context import from_metadata
from core.shared.clock import Clock, ManualClock
from core.shared.serving import Service
from core.shared.settings import Settings, parse_settings
from mcp_server import mcp_ticket, mcp_trip, mcp_weather
from mcp_server.business_data import BusinessData
from mcp_server.commands import services
from mcp_server.tool_server import ToolServer
from tests.mcp_tools.demo_file import NOW, filled_by_two_at_once, url_of
from tests.support.whole import free_port

AGENTS = ("WeatherQueryAssistant", "TicketAssistant", "TripAssistant")
MAKERS: dict[str, Callable[[BusinessData, Clock], ToolServer]] = {
    "query_weather": mcp_weather.make_server,
    "query_train_tickets": mcp_ticket.make_server,
    "query_flight_tickets": mcp_ticket.make_server,
    "query_concert_tickets": mcp_ticket.make_server,
    "query_car_rental": mcp_trip.make_server,
    "query_tour_group": mcp_trip.make_server,
    "query_insurance": mcp_trip.make_server,
}
ASKED: dict[str, dict[str, Any]] = {
    "query_weather": {"city": "上海", "date": "2026-08-17"},
    "query_train_tickets": {"from_city": "北京", "to_city": "上海", "date": "2026-08-17"},
    "query_flight_tickets": {"from_city": "北京", "to_city": "上海", "date": "2026-08-17"},
    "query_concert_tickets": {"artist": "五月天"},
    "query_car_rental": {"city": "成都", "date": "2026-08-17"},
    "query_tour_group": {"destination": "成都"},
    "query_insurance": {"days": 5, "destination": "三亚"},
}
"""A question to each tool for goods or weather that finds something."""

BOUGHT_WITH: dict[str, str] = {
    "order_train_ticket": "query_train_tickets", "order_flight_ticket": "query_flight_tickets",
    "order_concert_ticket": "query_concert_tickets", "order_car_rental": "query_car_rental",
    "order_tour_group": "query_tour_group", "order_insurance": "query_insurance",
}
"""Each tool that buys, with the tool that shows what it would buy."""


def filled_url() -> str:
    """The address of the filled demo database; only for reading."""
    return url_of(filled_by_two_at_once()[0])


@contextlib.asynccontextmanager
async def client_of(tool: str, url: str | None = None) -> AsyncIterator[Client]:
    """A client of the server that has the tool, in process; over the common database unless another is named."""
    clock = ManualClock(NOW)
    maker = MAKERS[BOUGHT_WITH.get(tool, tool)]
    async with Client(maker(BusinessData(url or filled_url(), clock), clock)) as client:
        yield client


def caller(user_id: str = "alice", key: str = "offer-1:1") -> RequestParamsMeta:
    """The metadata of a person who has said yes to an offer."""
    offer_id = key.partition(":")[0]
    context = replace(
        from_metadata({}, default_remaining_ms=20_000), user_id=user_id, offer_id=offer_id, idempotency_key=key
    )
    return cast(RequestParamsMeta, context.to_metadata())


async def ask(tool: str, **arguments: Any) -> CallToolResult:
    """One question in process; `arguments` replace those of ASKED."""
    async with client_of(tool) as client:
        return await client.call_tool(tool, {**ASKED[tool], **arguments})


def said(result: CallToolResult) -> str:
    """The text of a result."""
    return "".join(getattr(block, "text", "") for block in result.content)


def settings_on_free_ports(url: str, data: Path, **more: Any) -> Settings:
    agents = [
        {"name": name, "a2a_url": f"http://127.0.0.1:{free_port()}", "mcp_url": f"http://127.0.0.1:{free_port()}/mcp"}
        for name in AGENTS
    ]
    return parse_settings({"agents": agents, "database": {"url": url}, "data": data, **more})


def config_on_free_ports(folder: Path) -> Path:
    """The same as a file, for the command line; the data lies in `folder`."""
    agents = "".join(
        f"  - {{name: {name}, a2a_url: 'http://127.0.0.1:{free_port()}', "
        f"mcp_url: 'http://127.0.0.1:{free_port()}/mcp'}}\n"
        for name in AGENTS
    )
    config = folder / "config.yaml"
    ports = f"gateway: {{port: {free_port()}}}\ncollector: {{port: {free_port()}}}\n"
    config.write_text(f"agents:\n{agents}{ports}data: {folder}\n", "utf-8")
    return config


def services_by_name(settings: Settings, clock: Clock) -> dict[str, Service]:
    return {service.name: service for service in services(settings, clock)}

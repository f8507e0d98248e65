"""A small tool server for these tests: real MCP over a real port, with tools that answer, refuse, break and wait."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel
from starlette.applications import Starlette

from core.shared.serving import Service, running
from tests.a2a_servers.rows import train_row, weather_row

READ_ONLY = ToolAnnotations(read_only_hint=True)
CRASH_TEXT = "db password=hunter2"


class Rows(BaseModel):
    kind: str
    rows: list[dict[str, Any]]
    more: int = 0
    origin: str | None = None


@dataclass
class ToolServer:
    """Where it listens, and what its tools were called with: name, arguments and the call's metadata."""

    port: int
    calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    called: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)
    extra_tools: list[Callable[[MCPServer], None]] = field(default_factory=list)
    with_basics: bool = True

    def called_names(self) -> list[str]:
        return [name for name, _, _ in self.calls]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until the context ends; may be entered again afterwards."""
        async with running([Service("tools", "127.0.0.1", self.port, self._app)]):
            yield

    def forget(self) -> None:
        """As if nothing had been called yet."""
        self.calls.clear()
        self.called.clear()
        self.released.clear()

    def note(self, tool: str, arguments: dict[str, Any], context: Context) -> None:
        self.calls.append((tool, arguments, dict(context.request_context.meta or {})))
        self.called.set()

    def _app(self) -> Starlette:
        server = MCPServer("test-tools", log_level="ERROR")
        if self.with_basics:
            _add_weather(server, self)
            _add_trains(server, self)
        for add in self.extra_tools:
            add(server)
        return server.streamable_http_app(stateless_http=True, json_response=True)


def _add_weather(server: MCPServer, tools: ToolServer) -> None:
    @server.tool(annotations=READ_ONLY, meta={"smartvoyage": {
        "intent": "query weather", "kind": "weather", "description": "查询城市天气预报",
        "tags": ["天气", "气温", "下雨"], "examples": ["明天上海天气怎么样", "北京周末会下雨吗"],
    }})
    async def query_weather(city: str, date: str, context: Context, date_end: str | None = None) -> Rows:
        """Weather of a city."""
        tools.note("query_weather", {"city": city, "date": date, "date_end": date_end}, context)
        if city == "火星":
            raise ToolError("没有找到“火星”这个城市，请核对城市名。")
        if city == "崩溃":
            raise ValueError(CRASH_TEXT)
        if city == "慢城":
            await tools.released.wait()
        rows = [] if city == "空城" else [weather_row(city=city, date=date)]
        return Rows(kind="weather", rows=rows, origin="demo")


def _add_trains(server: MCPServer, tools: ToolServer) -> None:
    @server.tool(annotations=READ_ONLY, meta={"smartvoyage": {
        "intent": "query train tickets", "kind": "train", "description": "查询火车票",
        "tags": ["火车票", "高铁", "动车"], "examples": ["明天北京到上海的高铁"],
    }})
    async def query_train_tickets(
        from_city: str, to_city: str, date: str, context: Context, seat_class: str | None = None
    ) -> Rows:
        """Trains between two cities."""
        tools.note("query_train_tickets", {"from_city": from_city, "to_city": to_city, "date": date}, context)
        rows = [train_row(seat_class=seat) for seat in ("二等座", "一等座") if seat_class in (None, seat)]
        return Rows(kind="train", rows=rows, origin="demo")

    @server.tool(meta={"smartvoyage": {"intent": "order train tickets", "kind": "train", "tags": ["订火车票"]}})
    async def order_train_ticket(item_id: str, quantity: int, context: Context) -> Rows:
        """Buys."""
        tools.note("order_train_ticket", {"item_id": item_id, "quantity": quantity}, context)
        return Rows(kind="train", rows=[])

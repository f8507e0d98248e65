"""An agent of the house on a free port, with a tool server beside it, and plain HTTP clients for its dialects."""

import contextlib
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from a2a_servers.app import create_agent_app
from a2a_servers.spec import AgentSpec
from a2a_servers.wording.journey import TRAIN
from a2a_servers.wording.weather import WeatherTemplate
from core.adapters.stores.agent_memory_opening import SpareMemory
from core.shared.clock import SHANGHAI, SystemClock
from core.shared.serving import Service, running
from core.shared.settings import Settings, parse_settings
from tests.a2a_servers.tool_server import ToolServer
from tests.support.whole import free_port

NOON = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))
TRACEPARENT = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
SPEC = AgentSpec("TestAssistant", "测试用的助手", {"weather": WeatherTemplate(), "train": TRAIN})


@dataclass(frozen=True)
class World:
    """A running agent: its tool server (to be started by the test or not), and an HTTP client to its root."""

    tools: ToolServer
    http: httpx.AsyncClient

    async def send(self, *parts: dict[str, Any], metadata: Mapping[str, Any] | None = None, **ids: str) -> Any:
        """One A2A 1.0 message; the task it became."""
        message = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": list(parts), **ids}
        body = await self.rpc("SendMessage", {"message": {**message, "metadata": dict(metadata or {})}})
        return body["result"]["task"]

    async def ask(
        self, tool: str, parameter: Mapping[str, Any], metadata: Mapping[str, Any] | None = None, words: str = ""
    ) -> Any:
        """One action with these parameters; the agent's typed answer."""
        action = {"tool_name": tool, "parameter": dict(parameter), "job_desc": words}
        return answer_in(await self.send({"data": {"action_code": [action]}}, metadata=metadata))

    async def say(self, text: str, metadata: Mapping[str, Any] | None = None) -> Any:
        """A plain text; the agent's typed answer."""
        return answer_in(await self.send({"text": text}, metadata=metadata))

    async def rpc(self, method: str, params: dict[str, Any], version: str = "1.0") -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return (await self.http.post("/", json=body, headers={"A2A-Version": version})).json()

    async def until_tools_are(self, reachable: bool) -> None:
        """Ask for the agent's health until it says so."""
        while (await self.http.get("/health")).json()["tools"] is not reachable:
            pass

    async def skills(self) -> list[str]:
        card = (await self.http.get("/.well-known/agent-card.json")).json()
        return [skill["name"] for skill in card.get("skills", [])]


def answer_in(task: Any) -> Any:
    """The AgentResponse in a task: in its artifact, or in the message of a task that waits."""
    parts = [part for artifact in task.get("artifacts", []) for part in artifact["parts"]]
    parts += task["status"].get("message", {}).get("parts", [])
    return next(part["data"] for part in parts if "data" in part)


@contextlib.asynccontextmanager
async def agent_beside(
    tools: ToolServer, spec: AgentSpec = SPEC, memory: SpareMemory | None = None, **more: Any
) -> AsyncIterator[World]:
    """The agent alone: its tool server is started where the test wants it. `more`: further settings."""
    port = free_port()
    entry = {"name": spec.name, "a2a_url": f"http://127.0.0.1:{port}", "mcp_url": tools.url}
    settings: Settings = parse_settings({"agents": [entry], "limits": {"card_refresh_ms": 100}, **more})
    clock = SystemClock(NOON)
    app = create_agent_app(spec, settings.agents[0], settings, clock, memory=memory)
    async with (
        running([Service(spec.name, "127.0.0.1", port, lambda: app)]),
        httpx.AsyncClient(base_url=settings.agents[0].a2a_url, timeout=20, trust_env=False) as http,
    ):
        yield World(tools, http)


@contextlib.asynccontextmanager
async def agent_with_tools(
    spec: AgentSpec = SPEC, tools: ToolServer | None = None, memory: SpareMemory | None = None, **more: Any
) -> AsyncIterator[World]:
    """Both, and the agent has found its tools."""
    tools = tools or ToolServer(free_port())
    async with tools.running(), agent_beside(tools, spec, memory, **more) as world:
        await world.until_tools_are(True)
        yield world

"""An in-memory network of agents for tests of the rooms: it implements the port and is no kinder than the wire."""

import asyncio
from collections.abc import Awaitable, Callable

from core.ports.agents import Unreachable
from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import AgentView, Skill

Handler = Callable[[AgentRequest, CallContext], Awaitable[AgentResponse | Unreachable]]


class InMemoryNetwork:
    """Agents by name, each with its intents and a coroutine that answers. Every call is remembered."""

    def __init__(self) -> None:
        self._agents: dict[str, tuple[AgentView, Handler]] = {}
        self.calls: list[tuple[str, AgentRequest, CallContext]] = []

    def add(
        self, name: str, intents: list[str], handler: Handler, *, healthy: bool = True, tags: tuple[str, ...] = ()
    ) -> None:
        skills = tuple(Skill(name=intent, description=intent, tags=tags) for intent in intents)
        view = AgentView(name=name, url=f"http://{name}", version="1", healthy=healthy, skills=skills)
        self._agents[name] = (view, handler)

    def agents(self) -> tuple[AgentView, ...]:
        return tuple(view for view, _ in self._agents.values())

    async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        self.calls.append((agent, request, context))
        return await self._agents[agent][1](request, context)


def answering(text: str, kind: str = "weather", rows: int = 1) -> Handler:
    """An agent that always finds the same."""

    async def answer(request: AgentRequest, context: CallContext) -> AgentResponse:
        data = {"kind": kind, "rows": [{"title": f"{text}{n}"} for n in range(rows)]}
        return AgentResponse.model_validate({"status": "completed", "observation": text, "data": data})

    return answer


def meeting(together: asyncio.Barrier, text: str) -> Handler:
    """An agent that answers only once all others of the barrier are being asked too."""

    async def answer(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        await together.wait()
        return await answering(text)(request, context)

    return answer


async def gone(request: AgentRequest, context: CallContext) -> Unreachable:
    """An agent that cannot be reached."""
    return Unreachable(agent="gone", reason="连接中断")

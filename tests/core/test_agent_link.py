"""What the core knows of an agent between two looks at it: nothing is forgotten because its tools rest."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any

import httpx
import pytest

from core.adapters.agents.agent_link import AgentLink
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import AgentEntry

URL = "http://127.0.0.1:7001"
SKILL = {"id": "q", "name": "query weather", "description": "weather", "tags": ["天气"]}


class Agent:
    """An agent that shows a card and, unless it is a third party's, its health."""

    def __init__(self) -> None:
        self.name = "WeatherQueryAssistant"
        self.skills: list[dict[str, Any]] = [SKILL]
        self.reachable: bool | None = True
        self.health: Callable[[], httpx.Response] = lambda: httpx.Response(200, json={"status": "ok"})

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/health":
            return self.health()
        interface = {"url": URL, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        tools = [] if self.reachable is None else [
            {"uri": "smartvoyage/tools", "required": False, "params": {"reachable": self.reachable}}
        ]
        card = {
            "name": self.name, "description": "d", "version": "1", "supportedInterfaces": [interface],
            "capabilities": {"extensions": tools}, "skills": self.skills,
            "defaultInputModes": ["text"], "defaultOutputModes": ["text"],
        }
        return httpx.Response(200, json=card)


@pytest.fixture
def agent() -> Agent:
    return Agent()


@pytest.fixture
async def link(agent: Agent) -> AsyncIterator[AgentLink]:
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    async with httpx.AsyncClient(transport=httpx.MockTransport(agent)) as http:
        link = AgentLink(AgentEntry(name="WeatherQueryAssistant", a2a_url=URL), http, clock)
        await link.refresh()
        yield link


async def test_skills_survive_a_restart_of_the_tools(link: AgentLink, agent: Agent) -> None:
    agent.skills, agent.reachable = [], False
    agent.health = lambda: httpx.Response(200, json={"status": "degraded", "tools": False})
    await link.refresh()
    assert link.view.offers("query weather")
    assert (link.view.healthy, link.view.degraded, link.view.working) == (True, True, False)
    agent.skills, agent.reachable, agent.health = [SKILL], True, lambda: httpx.Response(200, json={"status": "ok"})
    await link.refresh()
    assert link.view.working


@pytest.mark.parametrize("reachable", [True, None])
async def test_skills_that_an_agent_gives_up_while_its_tools_are_there_are_gone(
    link: AgentLink, agent: Agent, reachable: bool | None
) -> None:
    agent.skills, agent.reachable = [], reachable
    await link.refresh()
    assert not link.view.offers("query weather")


async def test_another_agent_at_the_same_address_brings_its_own_skills(link: AgentLink, agent: Agent) -> None:
    agent.name, agent.skills, agent.reachable = "SomebodyElse", [], False
    await link.refresh()
    assert link.view.skills == ()


@pytest.mark.parametrize(
    "health",
    [
        lambda: httpx.Response(404, text="no such page"),
        lambda: httpx.Response(200, text="fine"),
        lambda: httpx.Response(200, json=["degraded"]),
    ],
)
async def test_a_third_partys_agent_is_judged_by_its_card(
    link: AgentLink, agent: Agent, health: Callable[[], httpx.Response]
) -> None:
    agent.health = health
    await link.refresh()
    assert link.view.working

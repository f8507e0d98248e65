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
        self.health: Callable[[], httpx.Response] = lambda: httpx.Response(200, json={"status": "ok"})

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/health":
            return self.health()
        interface = {"url": URL, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        card = {
            "name": self.name, "description": "d", "version": "1", "supportedInterfaces": [interface],
            "capabilities": {}, "defaultInputModes": ["text"], "defaultOutputModes": ["text"], "skills": self.skills,
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


async def test_a_card_without_skills_does_not_take_away_the_skills_that_were_known(
    link: AgentLink, agent: Agent
) -> None:
    agent.skills, agent.health = [], lambda: httpx.Response(200, json={"status": "degraded", "tools": False})
    await link.refresh()
    assert link.view.offers("query weather")
    assert (link.view.healthy, link.view.degraded, link.view.working) == (True, True, False)
    agent.skills, agent.health = [SKILL], lambda: httpx.Response(200, json={"status": "ok"})
    await link.refresh()
    assert link.view.working


async def test_another_agent_at_the_same_address_brings_its_own_skills(link: AgentLink, agent: Agent) -> None:
    agent.name, agent.skills = "SomebodyElse", []
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

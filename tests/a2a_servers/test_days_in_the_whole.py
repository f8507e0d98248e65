"""Questions over days through the gateway, with the house's own tools: answered, and each look stands in the trace."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.support.whole import Whole, free_settings, whole

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    data: Path = tmp_path_factory.mktemp("data")
    async with whole(free_settings(data)) as running:
        await running.until("ok")
        yield running


async def inner_rounds(house: Whole, reply: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """The agent that was called for the only step, and its rounds as the trace has them."""
    trace = (await house.client.get(f"/api/traces/{reply['trace_id']}")).json()
    [step] = [step for one in trace["rounds"] for step in one["steps"]]
    [call] = step["calls"]
    return call["agent"], call["rounds"]


async def test_the_cheapest_day_from_a_day_on(house: Whole) -> None:
    reply = await house.ask("下周三以后最便宜的一天从北京去三亚的机票")
    text = reply["reply"]
    assert text.startswith("8月19日至8月25日北京到三亚的机票，最便宜的是")
    assert "逐日最低价：" in text
    agent, rounds = await inner_rounds(house, reply)
    assert agent == "TicketAssistant"
    assert len(rounds) == 5
    assert all(one["action"]["tool_name"] == "query_flight_tickets" and one["observation"] for one in rounds)


async def test_tours_on_dry_days_ask_the_weather_agent(house: Whole) -> None:
    reply = await house.ask("三亚不下雨的那几天的一日游", session_id="s-2")
    agent, rounds = await inner_rounds(house, reply)
    assert agent == "TripAssistant"
    assert rounds[0]["agent"] == "WeatherQueryAssistant"
    assert {one["action"]["tool_name"] for one in rounds[1:]} <= {"query_tour_group"}
    assert "不下雨" in reply["reply"]

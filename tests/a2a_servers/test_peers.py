"""Agents ask one another: with the caller's identity, less and less time, and never round in a ring."""

import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI
from starlette.types import ASGIApp

from core.shared.settings import Settings
from tests.a2a_servers.two_agents import TwoAgents, two_agents
from tests.a2a_servers.world import TRACEPARENT, answer_in

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

WEEK = {f"2026-08-{day}": ["198.00"] for day in range(17, 24)}
DRY_TOURS = {"destination": "成都", "days": 1, "date": "2026-08-17", "date_end": "2026-08-23", "day_by": "dry"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[TwoAgents]:
    async with two_agents() as both:
        yield both


@pytest.fixture
def both(shared: TwoAgents) -> TwoAgents:
    shared.tours.shows(WEEK)
    shared.forecast.shows(rain=frozenset({"2026-08-18", "2026-08-19", "2026-08-22"}))
    return shared


def caller(**fields: Any) -> dict[str, Any]:
    inner = {"user_id": "u1", "session_id": "s1", "remaining_ms": 10_000, **fields}
    return {"smartvoyage": inner, "traceparent": TRACEPARENT}


async def ask(both: TwoAgents, metadata: dict[str, Any] | None = None, **more: Any) -> Any:
    return await both.trip.ask("query tour group", {**DRY_TOURS, **more}, metadata or caller())


async def test_tours_are_looked_for_on_the_dry_days_alone(both: TwoAgents) -> None:
    answer = await ask(both)
    assert both.forecast.looks == [("2026-08-17", "2026-08-23")]
    assert both.tours.looks == [("2026-08-17", None), ("2026-08-20", "2026-08-21"), ("2026-08-23", None)]
    assert [row["date"] for row in answer["data"]["rows"]] == ["2026-08-17", "2026-08-20", "2026-08-21", "2026-08-23"]
    assert answer["observation"].startswith(
        "成都8月17日至8月23日里，预报不下雨的有4天：8月17日（周一）、8月20日（周四）、8月21日（周五）、8月23日（周日）。\n"
    )


async def test_a_longer_tour_needs_as_many_dry_days(both: TwoAgents) -> None:
    answer = await ask(both, days=2)
    assert both.tours.looks == [("2026-08-20", None)]
    assert [row["date"] for row in answer["data"]["rows"]] == ["2026-08-20"]


async def test_the_rounds_name_the_other_agent(both: TwoAgents) -> None:
    rounds = (await ask(both))["rounds"]
    assert [one["agent"] for one in rounds] == ["WeatherQueryAssistant", "", "", ""]
    assert rounds[0]["thought"] == "要知道成都8月17日至8月23日里哪天不下雨，先问天气。"
    assert rounds[0]["action"]["tool_name"] == "query weather"
    assert rounds[0]["action"]["parameter"] == {"city": "成都", "date": "2026-08-17", "date_end": "2026-08-23"}
    assert len(rounds) <= 5


async def test_identity_trace_and_path_travel_and_the_time_shrinks(both: TwoAgents) -> None:
    metadata = caller(offer_id="o-1", idempotency_key="o-1:1", model_calls_left=4)
    await ask(both, metadata)
    meta = both.forecast.server.calls[0][2]
    inner = meta["smartvoyage"]
    assert (inner["user_id"], inner["session_id"]) == ("u1", "s1")
    assert (inner["path"], inner["hops"]) == (["TripAssistant"], 1)
    assert inner["remaining_ms"] < 10_000 * 0.6
    assert inner["model_calls_left"] == 1
    assert "offer_id" not in inner
    assert "idempotency_key" not in inner
    assert meta["traceparent"].split("-")[1] == TRACEPARENT.split("-")[1]


async def test_where_it_always_rains_no_tour_is_looked_for(both: TwoAgents) -> None:
    both.forecast.shows(rain=frozenset(WEEK))
    answer = await ask(both)
    assert answer["status"] == "completed"
    assert answer["observation"].startswith("成都8月17日至8月23日的预报里没有哪天不下雨")
    assert both.tours.looks == []


async def test_dry_days_beyond_the_five_actions_are_named(both: TwoAgents) -> None:
    both.forecast.shows(rain=frozenset(f"2026-08-{day}" for day in (18, 20, 22, 24)))
    both.tours.shows({**WEEK, "2026-08-25": ["198.00"]})
    answer = await ask(both, date_end="2026-08-25")
    assert len(both.tours.looks) == 4
    assert "8月25日还没有查，需要的话可以再问我。" in answer["observation"]


async def test_a_request_that_comes_back_ends_at_once(both: TwoAgents) -> None:
    answer = await ask(both, caller(path=["TripAssistant", "WeatherQueryAssistant"], hops=2))
    assert (answer["status"], answer["code"]) == ("failed", "refused")
    assert answer["observation"] == (
        "助手之间互相转问，绕回了原处（TripAssistant → WeatherQueryAssistant → TripAssistant），"
        "已经停下，没有得到结果。请把要问的分开说。"
    )
    assert both.forecast.looks == both.tours.looks == []


@pytest.mark.parametrize(("metadata", "reaches_weather"), [
    ({"path": ["A", "B"], "hops": 2}, True), ({"path": ["A", "B", "C"]}, False), ({"hops": 3}, False),
    ({"hops": 900}, False), ({"path": "TripAssistant", "hops": "many"}, True), ({"path": [1, None]}, True),
])
async def test_three_hops_are_the_most(both: TwoAgents, metadata: dict[str, Any], reaches_weather: bool) -> None:
    answer = await ask(both, caller(**metadata))
    assert (both.forecast.looks != []) is reaches_weather
    assert (answer["status"] == "completed") is reaches_weather
    if not reaches_weather:
        assert "次，到这里就停下了" in answer["observation"]
        assert both.tours.looks == []


def asking_back(settings: Settings, url: str) -> ASGIApp:
    """A weather agent by somebody else, which asks the trip agent before it answers anything."""
    app = FastAPI()
    trip = settings.agents[0].a2a_url

    @app.get("/.well-known/agent-card.json")
    async def card() -> dict[str, Any]:
        skill = {"id": "w", "name": "query weather", "description": "天气", "tags": ["天气"]}
        interface = {"url": f"{url}/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        return {
            "name": "WeatherQueryAssistant", "description": "天气", "version": "1", "skills": [skill],
            "supportedInterfaces": [interface], "capabilities": {}, "defaultInputModes": [], "defaultOutputModes": [],
        }

    @app.post("/")
    async def send(body: dict[str, Any]) -> dict[str, Any]:
        metadata = body["params"]["message"]["metadata"]
        inner = metadata["smartvoyage"]
        passed = {**inner, "path": [*inner["path"], "WeatherQueryAssistant"], "hops": inner["hops"] + 1}
        action = {"tool_name": "query tour group", "parameter": DRY_TOURS}
        message = {
            "messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"data": {"action_code": [action]}}],
            "metadata": {**metadata, "smartvoyage": passed},
        }
        async with httpx.AsyncClient(timeout=10, trust_env=False) as http:
            request = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
            answer = await http.post(f"{trip}/", json=request, headers={"A2A-Version": "1.0"})
        return {**answer.json(), "id": body["id"]}

    return app


async def test_two_agents_that_ask_each_other_end_with_a_clear_failure() -> None:
    async with two_agents(asking_back) as both:
        task = await both.trip.send(
            {"data": {"action_code": [{"tool_name": "query tour group", "parameter": DRY_TOURS}]}}, metadata=caller()
        )
    answer = answer_in(task)
    assert task["status"]["state"] == "TASK_STATE_FAILED"
    assert (answer["status"], answer["code"]) == ("failed", "refused")
    assert "绕回了原处（TripAssistant → WeatherQueryAssistant → TripAssistant）" in answer["observation"]
    assert answer["observation"].endswith("没法只挑不下雨的日子。也可以不看天气，直接查这几天的。")
    assert both.tours.looks == []


async def test_without_the_other_agent_the_rest_is_not_guessed() -> None:
    async with two_agents(weather_runs=False) as both:
        both.tours.shows(WEEK)
        answer = await ask(both)
        assert (answer["status"], answer["code"]) == ("failed", "unavailable")
        assert answer["observation"].startswith("没有问到成都8月17日至8月23日的天气")
        assert both.tours.looks == []


async def test_the_caller_s_time_bounds_the_whole(both: TwoAgents) -> None:
    answer = await ask(both, caller(remaining_ms=0))
    assert answer["status"] == "failed"
    assert both.forecast.looks == both.tours.looks == []

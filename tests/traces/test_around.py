"""Runs that are answered from the cache, and runs in which an order is placed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.cache.test_flights import waiting
from tests.cache.world import World, cache_stores, gateway
from tests.support.network import answering
from tests.support.orders import INTENTS, TrainSeller
from tests.traces.runs import Traced

TRAINS = "明天北京到上海的高铁票"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with cache_stores(tmp_path) as kept, gateway(kept) as made:
        yield made


async def trace_of(world: World, reply: dict[str, Any], user: str = "u1") -> dict[str, Any]:
    response = await world.client.get(f"/api/traces/{reply['trace_id']}", params={"user_id": user})
    body: dict[str, Any] = response.json()
    assert response.status_code == 200, body
    return body


async def test_a_hit_is_told_and_made_no_call(world: World) -> None:
    first = await trace_of(world, await world.ask(TRAINS))
    again = await trace_of(world, await world.ask(TRAINS, "u2"), "u2")
    assert first["cache_level"] is None
    assert first["rounds"][0]["steps"][0]["calls"][0]["agent"] == "Looker"
    assert (again["cache_level"], again["rounds"], again["calls"]) == ("redis", [], [])
    assert "cache" in [phase["name"] for phase in again["phases"]]


async def test_of_equal_questions_at_once_every_person_has_a_run_of_their_own(world: World) -> None:
    world.looker.gate = asyncio.Event()
    asking = [asyncio.create_task(world.ask(TRAINS, user)) for user in ("u1", "u2")]
    await waiting(world, 2)
    world.looker.gate.set()
    replies = await asyncio.gather(*asking)
    runs = [await trace_of(world, reply, user) for reply, user in zip(replies, ("u1", "u2"), strict=True)]
    assert [run["rounds"][0]["steps"][0]["status"] for run in runs] == ["ok", "ok"]
    assert sum(len(run["rounds"][0]["steps"][0]["calls"]) for run in runs) == world.looker.looked == 1


async def test_the_call_that_places_an_order_stands_by_itself() -> None:
    traced = Traced()
    traced.network.add("TicketAssistant", INTENTS, TrainSeller())
    traced.network.add("WeatherQueryAssistant", ["query weather"], answering("晴。"))
    _, offered = await traced.say("订一张明天北京到上海的二等座")
    reply, placed = await traced.say("确认")
    assert (offered.status, offered.rounds[0].steps[0].calls[0].quotes) == ("confirmation_required", 1)
    assert len(reply.answer.orders) == 1
    (call,) = placed.calls
    assert (call.agent, call.status, placed.rounds) == ("TicketAssistant", "completed", ())

"""The rules of the event stream, over a real socket."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.bootstrap import build_backend
from core.gateway.app import create_app
from core.ports.agents import Unreachable
from core.service import Backend
from core.shared.call_context import CallContext
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.serving import Service, running
from core.shared.settings import load_settings
from core.types.agent_protocol import AgentRequest, AgentResponse
from tests.support.network import InMemoryNetwork, answering
from tests.support.stores import in_memory_stores
from tests.support.whole import free_port

SETTINGS = load_settings(Path(__file__).parents[2] / "config.yaml", {})
QUESTION = "明天北京到上海的高铁，还有上海天气"
BEFORE_THE_HELD_AGENT = 6
"""Events that come while one agent is still held: meta, intent, plan, two starts, one end."""


@dataclass
class Held:
    """An agent that answers when it is let go, and knows whether it was called off."""

    go: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    called_off: asyncio.Event = field(default_factory=asyncio.Event)
    calls: int = 0

    async def __call__(self, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        self.calls += 1
        self.asked.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.called_off.set()
            raise
        return await answering("有票。", kind="train")(request, context)


@dataclass
class Stage:
    url: str
    held: Held
    network: InMemoryNetwork
    clock: ManualClock

    @contextlib.asynccontextmanager
    async def listening(self, query: str = QUESTION, **more: Any) -> AsyncIterator[httpx.Response]:
        body = {"query": query, **more}
        client = httpx.AsyncClient(timeout=20)
        async with client, client.stream("POST", f"{self.url}/api/chat/stream", json=body) as response:
            yield response


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    network, held = InMemoryNetwork(), Held()
    network.add("TicketAssistant", ["query train tickets"], held)
    network.add("WeatherQueryAssistant", ["query weather"], answering("上海晴。"))

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        yield build_backend(network, in_memory_stores(), SETTINGS, clock)

    service = Service("gateway", "127.0.0.1", free_port(), lambda: create_app(open_backend))
    async with running([service]):
        yield Stage(service.url, held, network, clock)


async def read_events(lines: AsyncIterator[str]) -> AsyncIterator[tuple[int, str, Any]]:
    """(id, event, data) of each event; a comment is (0, "comment", its text)."""
    number, name = 0, ""
    async for line in lines:
        if line.startswith(":"):
            yield 0, "comment", line[1:].strip()
        elif line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            yield number, name, json.loads(line[6:])


async def all_events(stage: Stage, query: str = QUESTION) -> list[tuple[int, str, Any]]:
    stage.held.go.set()
    async with stage.listening(query) as response:
        return [event async for event in read_events(response.aiter_lines())]


async def test_headers_keep_proxies_from_buffering(stage: Stage) -> None:
    stage.held.go.set()
    async with stage.listening() as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["x-accel-buffering"] == "no"
        await response.aread()


async def test_ids_rise_from_one_and_the_stream_ends_once(stage: Stage) -> None:
    events = await all_events(stage)
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
    names = [name for _, name, _ in events]
    assert names[0] == "meta"
    assert names[-1] == "done"
    assert names.count("done") + names.count("error") == 1
    assert {"intent", "plan", "step", "delta"} <= set(names)


async def test_deltas_add_up_to_the_reply(stage: Stage) -> None:
    events = await all_events(stage)
    text = "".join(data["text"] for _, name, data in events if name == "delta")
    assert text == events[-1][2]["reply"]


async def test_every_step_is_told_when_it_starts_and_when_it_ends(stage: Stage) -> None:
    steps = [data for _, name, data in await all_events(stage) if name == "step"]
    assert sorted((s["step"], s["status"]) for s in steps) == [(1, "ok"), (1, "started"), (2, "ok"), (2, "started")]


async def test_the_first_event_comes_before_any_agent_has_answered(stage: Stage) -> None:
    async with stage.listening() as response:
        events = read_events(response.aiter_lines())
        first = await asyncio.wait_for(anext(events), 5)
        assert first[1] == "meta"
        stage.held.go.set()
        assert [name async for _, name, _ in events][-1] == "done"


async def test_silence_is_filled_with_comments(stage: Stage) -> None:
    async with stage.listening() as response:
        events = read_events(response.aiter_lines())
        for _ in range(BEFORE_THE_HELD_AGENT):
            await anext(events)
        coming = asyncio.ensure_future(anext(events))
        seconds = 0
        while not coming.done() and seconds < 15:
            stage.clock.advance(1)
            seconds += 1
            await asyncio.wait({coming}, timeout=0.05)
        assert (await coming)[1] == "comment"
        stage.held.go.set()
        assert [name async for _, name, _ in events][-1] == "done"


async def test_a_bad_request_is_a_plain_problem_not_a_stream(stage: Stage) -> None:
    async with stage.listening("  ") as response:
        assert response.status_code == 422
        assert response.headers["content-type"] == "application/problem+json"


async def test_the_deadline_is_the_one_error_that_ends_the_stream(stage: Stage) -> None:
    async with stage.listening() as response:
        events = read_events(response.aiter_lines())
        await stage.held.asked.wait()
        stage.clock.advance(61)
        names = [(name, data) async for _, name, data in events if name != "comment"]
        assert names[-1][0] in ("done", "error")
        assert [name for name, _ in names].count("error") + [name for name, _ in names].count("done") == 1


@pytest.mark.parametrize("cut_after", range(1, BEFORE_THE_HELD_AGENT + 1))
async def test_a_client_that_leaves_ends_the_run(stage: Stage, cut_after: int) -> None:
    async with stage.listening() as response:
        events = read_events(response.aiter_lines())
        for _ in range(cut_after):
            await asyncio.wait_for(anext(events), 5)
        await asyncio.wait_for(stage.held.asked.wait(), 5)
    await asyncio.wait_for(stage.held.called_off.wait(), 5)
    async with asyncio.timeout(5):
        while stage.clock.sleeping:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert stage.held.calls == 1


async def test_a_stream_speaks_of_every_kind_of_outcome(stage: Stage) -> None:
    for query, status in (("你好", "out_of_scope"), ("霍格沃茨明天天气", "follow_up")):
        events = await all_events(stage, query)
        assert events[-1][1] == "done"
        assert events[-1][2]["status"] == status


async def test_a_client_that_leaves_a_plain_question_ends_its_run(stage: Stage) -> None:
    async with httpx.AsyncClient(timeout=20) as client:
        asking = asyncio.create_task(client.post(f"{stage.url}/api/chat", json={"query": QUESTION}))
        await asyncio.wait_for(stage.held.asked.wait(), 10)
        asking.cancel()
        await asyncio.wait({asking})
    await asyncio.wait_for(stage.held.called_off.wait(), 10)
    assert stage.held.calls == 1


async def test_a_client_that_leaves_with_a_key_finds_its_answer_when_it_returns(stage: Stage) -> None:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(timeout=20, headers={"Idempotency-Key": "k1"}) as client:
            return await client.post(f"{stage.url}/api/chat", json={"query": QUESTION})

    asking = asyncio.create_task(ask())
    await asyncio.wait_for(stage.held.asked.wait(), 10)
    asking.cancel()
    await asyncio.wait({asking})
    running = await ask()
    assert running.status_code == 409
    assert running.headers["Retry-After"]
    stage.held.go.set()
    async with asyncio.timeout(20):
        while (answer := await ask()).status_code == 409:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert answer.json()["status"] == "answered"
    assert stage.held.calls == 1

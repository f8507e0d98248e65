"""A caller that leaves or cancels takes the model call with it, down to the socket, and nothing new is begun for it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from core.adapters.stores.agent_memory_opening import SpareMemory
from core.shared.clock import SystemClock
from core.types.agent_memory import NO_PAST, Conversation, Past
from tests.a2a_servers.model_world import FORECAST, SHANGHAI_TOMORROW, Pair, caller, thinking_agent
from tests.a2a_servers.test_memory import parked
from tests.a2a_servers.world import NOON
from tests.support.model_server import UNANSWERED, answer

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAIN = {"city": "杭州", "date": "2026-08-18"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[Pair]:
    async with thinking_agent() as pair:
        yield pair


@pytest.fixture
def pair(shared: Pair) -> Pair:
    shared.plays(UNANSWERED)
    return shared


async def _leave_while_the_model_thinks(pair: Pair, parameter: dict[str, Any], words: str = "") -> None:
    asking = asyncio.create_task(pair.agent.ask("query weather", parameter, caller(), words))
    await pair.model.called.wait()
    asking.cancel()
    await asyncio.wait({asking})
    await pair.model.left.wait()


async def test_a_caller_that_leaves_ends_the_wording(pair: Pair) -> None:
    await _leave_while_the_model_thinks(pair, SHANGHAI_TOMORROW)
    assert len(pair.model.calls) == 1


async def test_for_a_caller_that_has_left_nothing_is_looked_up(pair: Pair) -> None:
    await _leave_while_the_model_thinks(pair, {"city": "上海"}, "火把节前夜热不热")
    await pair.agent.ask("query weather", PLAIN, caller(0))
    assert [arguments["city"] for _, arguments, _ in pair.agent.tools.calls] == ["杭州"]
    assert len(pair.model.calls) == 1


class Notes:
    """A memory that keeps how often it was given anything."""

    def __init__(self) -> None:
        self.taken = 0

    async def past(self, conversation: Conversation) -> Past:
        return NO_PAST

    async def remember(self, conversation: Conversation, past: Past) -> None:
        self.taken += 1


async def test_of_a_caller_that_has_left_nothing_is_remembered() -> None:
    notes = Notes()
    spare = SpareMemory(lambda: contextlib.nullcontext(notes), SystemClock(NOON))
    async with thinking_agent(memory=spare) as pair:
        pair.plays(UNANSWERED)
        before = parked()
        await _leave_while_the_model_thinks(pair, SHANGHAI_TOMORROW)
        while parked() > before:
            await pair.agent.http.get("/health")
        assert notes.taken == 0
        await pair.agent.ask("query weather", PLAIN, caller(0))
        assert notes.taken == 1


async def test_a_cancelled_task_ends_the_wording(pair: Pair) -> None:
    action = {"tool_name": "query weather", "parameter": SHANGHAI_TOMORROW}
    parts = [{"data": {"action_code": [action]}}]
    message = {"messageId": "m1", "role": "ROLE_USER", "parts": parts, "metadata": caller()}
    started = await pair.agent.rpc(
        "SendMessage", {"message": message, "configuration": {"returnImmediately": True}}
    )
    await pair.model.called.wait()
    cancelled = await pair.agent.rpc("CancelTask", {"id": started["result"]["task"]["id"]})
    await pair.model.left.wait()
    assert cancelled["result"]["status"]["state"] == "TASK_STATE_CANCELED"
    assert len(pair.model.calls) == 1


async def test_a_caller_that_asked_not_to_wait_still_gets_the_models_words(pair: Pair) -> None:
    pair.plays(answer(FORECAST))
    action = {"tool_name": "query weather", "parameter": SHANGHAI_TOMORROW}
    parts = [{"data": {"action_code": [action]}}]
    message = {"messageId": "m2", "role": "ROLE_USER", "parts": parts, "metadata": caller()}
    started = await pair.agent.rpc(
        "SendMessage", {"message": message, "configuration": {"returnImmediately": True}}
    )
    state, task = "", {}
    while state != "TASK_STATE_COMPLETED":
        task = (await pair.agent.rpc("GetTask", {"id": started["result"]["task"]["id"]}))["result"]
        state = task["status"]["state"]
    assert FORECAST in str(task["artifacts"])

"""An agent whose memory is away goes on without: nothing is raised, nobody waits long, and the log is not filled."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.stores.agent_memory_opening import (
    PATIENCE_S,
    PAUSE_S,
    TOLD_EVERY_S,
    SpareMemory,
    open_sql_memory,
)
from core.memory.trace_masking import masked_json
from core.ports.agent_memory import AgentMemory
from core.shared.clock import ManualClock, SystemClock
from core.shared.errors import UpstreamUnavailable
from core.types.agent_memory import NO_PAST, Conversation, Past
from tests.a2a_servers.world import NOON

OURS = Conversation("a", "u1", "c")
PAST = Past(asked=True)


class Remote:
    """A memory elsewhere, which counts how often it is asked; `trouble` is raised, or waited for without end."""

    def __init__(self) -> None:
        self.trouble: Exception | None = None
        self.hangs = False
        self.asked = 0

    async def past(self, conversation: Conversation) -> Past:
        self.asked += 1
        if self.hangs:
            await asyncio.get_running_loop().create_future()
        if self.trouble is not None:
            raise self.trouble
        return PAST

    async def remember(self, conversation: Conversation, past: Past) -> None:
        await self.past(conversation)


@contextlib.asynccontextmanager
async def opened(remote: Remote, clock: ManualClock) -> AsyncIterator[SpareMemory]:
    ready = asyncio.Event()

    @contextlib.asynccontextmanager
    async def opening() -> AsyncIterator[AgentMemory]:
        asyncio.get_running_loop().call_soon(ready.set)
        yield remote

    spare = SpareMemory(opening, clock)
    async with spare.opened():
        await ready.wait()
        yield spare


async def test_what_answers_is_passed_on() -> None:
    async with opened(Remote(), ManualClock(NOON)) as spare:
        assert await spare.past(OURS) == PAST


async def test_nobody_waits_for_one_that_hangs_and_it_is_left_in_peace_for_a_while() -> None:
    clock, remote = ManualClock(NOON), Remote()
    remote.hangs = True
    async with opened(remote, clock) as spare:
        asking = asyncio.create_task(spare.past(OURS))
        await clock.somebody_sleeps()
        clock.advance(PATIENCE_S)
        assert await asking == NO_PAST
        await spare.remember(OURS, PAST)
        assert remote.asked == 1
        remote.hangs = False
        clock.advance(PAUSE_S)
        assert await spare.past(OURS) == PAST


async def test_an_outage_is_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    clock, remote = ManualClock(NOON), Remote()
    remote.trouble = UpstreamUnavailable("数据库暂时不可用")
    async with opened(remote, clock) as spare:
        for _ in range(int(TOLD_EVERY_S / PAUSE_S)):
            assert await spare.past(OURS) == NO_PAST
            clock.advance(PAUSE_S)
        assert remote.asked == int(TOLD_EVERY_S / PAUSE_S)
        assert len(caplog.records) == 1
        await spare.remember(OURS, PAST)
    assert len(caplog.records) == 2


async def test_a_fault_in_it_fails_no_request_either(caplog: pytest.LogCaptureFixture) -> None:
    remote = Remote()
    remote.trouble = ValueError("a bug")
    async with opened(remote, ManualClock(NOON)) as spare:
        await spare.remember(OURS, PAST)
        assert await spare.past(OURS) == NO_PAST
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2


async def test_before_it_is_opened_and_after_it_was_closed_nothing_is_remembered() -> None:
    clock, remote = ManualClock(NOON), Remote()
    async with opened(remote, clock) as spare:
        pass
    assert await spare.past(OURS) == NO_PAST

    @contextlib.asynccontextmanager
    async def never() -> AsyncIterator[AgentMemory]:
        await asyncio.get_running_loop().create_future()
        yield remote

    waiting = SpareMemory(never, clock)
    async with waiting.opened():
        assert await waiting.past(OURS) == NO_PAST
    assert remote.asked == 0


async def test_a_database_is_opened_with_its_tables(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'core.db'}"
    async with open_sql_memory(url, SystemClock(NOON), masked_json) as memory:
        await memory.remember(OURS, PAST)
    async with open_sql_memory(url, SystemClock(NOON), masked_json) as memory:
        assert await memory.past(OURS) == PAST

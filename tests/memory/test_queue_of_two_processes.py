"""Two processes draw tickets for the same sessions at the same moment: only one turn of a session ever runs."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.stores.database import open_database
from core.adapters.stores.history_store import SqlHistoryStore
from core.adapters.stores.session_order import SqlSessionOrder
from core.shared.clock import SystemClock
from core.types.memory import TurnRecord
from tests.memory.databases import emptied

SESSIONS = 12


@pytest.fixture(params=["sqlite", "mariadb"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'core.db'}"
    found: str = request.getfixturevalue("mariadb_url")
    return found


class Process:
    """A gateway's queue and memory, with connections of its own."""

    def __init__(self, order: SqlSessionOrder, memory: SqlHistoryStore) -> None:
        self.order = order
        self.memory = memory


@pytest.fixture
async def processes(url: str) -> AsyncIterator[tuple[Process, Process]]:
    clock = SystemClock()
    async with contextlib.AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(emptied(url))]
        opened.append(await stack.enter_async_context(open_database(url)))
        one, other = (Process(SqlSessionOrder(each, clock), SqlHistoryStore(each, clock)) for each in opened)
        yield one, other


class Inside:
    def __init__(self) -> None:
        self.now: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.passed: Counter[str] = Counter()

    async def turn(self, process: Process, session: str, *, recorded: bool) -> None:
        async with process.order.queue("u1", session) as place:
            await place.reached()
            self.now[session] += 1
            self.most[session] = max(self.most[session], self.now[session])
            self.passed[session] += 1
            await asyncio.sleep(0)
            self.now[session] -= 1
            if recorded:
                await process.memory.record(TurnRecord("u1", session, (), None, place=place.holder), facts=20)
                place.given_back()


async def test_one_turn_of_a_session_runs_at_a_time_whichever_process_has_it(
    processes: tuple[Process, Process],
) -> None:
    inside = Inside()
    for recorded in (True, False):
        async with asyncio.TaskGroup() as group:
            for number in range(SESSIONS):
                for process in (*processes, *processes):
                    group.create_task(inside.turn(process, f"s{number}", recorded=recorded))
    assert set(inside.most.values()) == {1}
    assert set(inside.passed.values()) == {8}

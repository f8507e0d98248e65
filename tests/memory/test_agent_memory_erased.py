"""What agents remember goes with the person, the session, and the time; a running turn brings nothing back."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event, func, select, update

from core.adapters.stores.agent_memory import SWEEP_EVERY_S, SWEPT_AT_ONCE, SqlAgentMemory
from core.adapters.stores.agent_memory_opening import open_sql_memory
from core.adapters.stores.agent_memory_table import agent_memory
from core.adapters.stores.database import Database, open_database
from core.adapters.stores.history_store import SqlHistoryStore
from core.adapters.stores.migration import migrate
from core.adapters.stores.session_order import SqlSessionOrder
from core.adapters.stores.tables import conversation_memory
from core.language.frames import PastWish
from core.language.slots import Slots
from core.memory.trace_masking import masked_json
from core.ports.agent_memory import MAX_AGE_S
from core.shared.clock import SHANGHAI, ManualClock, SystemClock
from core.shared.errors import UpstreamUnavailable
from core.types.agent_memory import NO_PAST, Conversation, Past
from core.types.memory import KINDS, NO_CONTEXT, TurnRecord
from tests.mcp_tools.mariadb import INSTALLED, mariadb
from tests.memory.databases import emptied, every_cell

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
DOCUMENT = Path(__file__).parents[2] / "docs" / "database.md"
MARKER = "鼓浪屿"
PAST = Past((PastWish("query weather", Slots(city=MARKER)),))
OURS = Conversation("WeatherQueryAssistant", "u1", "u1/s1", "s1")
NEXT = replace(OURS, context_id="u1/s2", session_id="s2")
THEIRS = replace(OURS, user_id="u2", context_id="u2/s1")


@dataclass(frozen=True)
class Kept:
    url: str
    database: Database
    memory: SqlAgentMemory
    history: SqlHistoryStore
    order: SqlSessionOrder
    clock: ManualClock

    async def known(self) -> list[Conversation]:
        return [one for one in (OURS, NEXT, THEIRS) if await self.memory.past(one) != NO_PAST]

    async def rows(self) -> int:
        query = select(func.count()).select_from(agent_memory)
        return await self.database.run(lambda connection: connection.scalar(query)) or 0


@pytest.fixture(params=["sqlite", "mariadb"])
async def kept(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kept]:
    mysql = request.param == "mariadb"
    url = request.getfixturevalue("mariadb_url") if mysql else f"sqlite:///{tmp_path / 'core.db'}"
    clock = ManualClock(NOW)
    async with emptied(url) as database:
        history, order = SqlHistoryStore(database, clock), SqlSessionOrder(database, clock)
        memory = SqlAgentMemory(database, clock, masked_json)
        for conversation in (OURS, NEXT, THEIRS):
            await memory.remember(conversation, PAST)
        yield Kept(url, database, memory, history, order, clock)


@pytest.mark.parametrize(
    ("erase", "left"),
    [
        (lambda history: history.erase("u1"), [THEIRS]),
        (lambda history: history.delete_session("u1", "s1"), [NEXT, THEIRS]),
        (lambda history: history.clear("u1", "s1", ("task_context",)), [NEXT, THEIRS]),
        (lambda history: history.clear("u1", "s1", KINDS), [THEIRS]),
    ],
    ids=["the person", "a session", "a session's context", "all memories"],
)
async def test_it_goes_with_what_it_belongs_to(
    kept: Kept, erase: Callable[[SqlHistoryStore], Awaitable[object]], left: list[Conversation]
) -> None:
    await erase(kept.history)
    assert await kept.known() == left


async def test_a_person_can_read_it(kept: Kept) -> None:
    exported = (await kept.history.export("u1"))["agent_memory"]
    assert isinstance(exported, list)
    assert len(exported) == 2
    assert exported[0]["content"]["wishes"] == [{"intent": "query weather", "slots": {"city": MARKER}}]
    assert exported[0]["said_at"] == NOW.isoformat()


@pytest.mark.parametrize("answered", [True, False])
async def test_a_turn_that_was_erased_while_it_ran_brings_nothing_back(kept: Kept, answered: bool) -> None:
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.erase("u1")
        await kept.memory.remember(OURS, PAST)  # the agent was still at work
        if answered:
            await kept.history.record(TurnRecord("u1", "s1", (), NO_CONTEXT, {}, (), place.holder), facts=20)
            place.given_back()
    cells = await every_cell(kept.database)
    assert [cell for cell in cells if cell == "u1"] == []
    assert await kept.known() == [THEIRS]


async def test_a_turn_that_was_left_alone_keeps_it(kept: Kept) -> None:
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.delete_session("u1", "s2")
        await kept.memory.remember(OURS, PAST)
    assert await kept.known() == [OURS, THEIRS]


async def test_old_rows_are_swept_as_turns_go_a_few_at_a_time(kept: Kept) -> None:
    for number in range(SWEPT_AT_ONCE):
        await kept.memory.remember(replace(THEIRS, context_id=str(number)), PAST)
    assert await kept.rows() == SWEPT_AT_ONCE + 3
    kept.clock.advance(MAX_AGE_S + SWEEP_EVERY_S)
    await kept.memory.remember(OURS, PAST)
    assert await kept.rows() == 3
    await kept.memory.remember(OURS, PAST)
    assert await kept.rows() == 1


async def test_ids_that_no_erasure_would_find_are_not_kept(kept: Kept) -> None:
    before = await kept.rows()
    for odd in (replace(OURS, user_id="u" * 65), replace(OURS, session_id="s" * 65)):
        await kept.memory.remember(odd, PAST)
        assert await kept.memory.past(odd) == NO_PAST
    assert await kept.rows() == before


async def test_who_gave_up_waiting_has_remembered_nothing_afterwards(kept: Kept) -> None:
    writing, held, let = threading.Event(), threading.Event(), threading.Event()

    def note(_connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if "INTO agent_memory" in statement:
            writing.set()

    def hold(connection: Connection) -> None:
        connection.execute(update(agent_memory).values(agent="held"))
        held.set()
        let.wait(10)

    threads = ThreadPoolExecutor(2)
    async with open_database(kept.url, threads=threads) as other:
        holding = asyncio.create_task(kept.database.run(hold))
        await asyncio.to_thread(held.wait, 10)
        event.listen(Engine, "before_cursor_execute", note)
        later = Past((PastWish("query weather", Slots(city="杭州")),))
        remembering = asyncio.create_task(SqlAgentMemory(other, kept.clock, masked_json).remember(OURS, later))
        await asyncio.to_thread(writing.wait, 10)
        event.remove(Engine, "before_cursor_execute", note)
        remembering.cancel()
        await asyncio.wait({remembering})
        let.set()
        await holding
        await asyncio.to_thread(threads.shutdown)
    assert await kept.memory.past(OURS) == PAST


async def test_an_agent_needs_no_more_rights_than_the_document_gives_it(tmp_path: Path) -> None:
    block = re.search(r"```sql\n(CREATE USER sv_agent.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert block is not None
    if not INSTALLED:
        pytest.skip("MariaDB is not installed")
    with mariadb(tmp_path) as server:
        await asyncio.to_thread(migrate, server.new_database("smartvoyage"))
        server.admin(re.sub("BY '[^']*'", "BY 'sv_agent'", block[1].replace("@'%'", "@'127.0.0.1'")))
        url, clock = server.url("smartvoyage", "sv_agent"), ManualClock(NOW)
        async with open_sql_memory(url, SystemClock(NOW), masked_json) as memory, open_database(url) as database:
            await memory.remember(OURS, PAST)
            assert await memory.past(OURS) == PAST
            old = SqlAgentMemory(database, clock, masked_json)
            clock.advance(MAX_AGE_S * 2)
            await old.remember(NEXT, PAST)  # sweeps
            assert await memory.past(OURS) == NO_PAST
            with pytest.raises(UpstreamUnavailable):
                await database.run(lambda connection: connection.execute(select(conversation_memory)))

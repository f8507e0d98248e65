"""Memories in real databases: migrations, a restart, several processes, and nothing left behind."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, update

from core.adapters.stores.database import Database, open_database
from core.adapters.stores.history_store import SqlHistoryStore
from core.adapters.stores.migration import VERSION_TABLE, migrate
from core.adapters.stores.offer_store import SqlOfferStore
from core.adapters.stores.tables import metadata, sessions
from core.adapters.stores.user_data import personal_tables
from core.memory.memory_manager import ConversationMemory
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.sql import make_engine
from core.types.agent_protocol import Quote
from core.types.memory import KINDS, NO_CONTEXT, Fact, Message, TaskContext, TurnRecord
from core.types.orders import Offer
from tests.memory.databases import emptied, every_cell

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0, 0, 654321))
MARKER = "紫色犀牛"


@pytest.fixture(params=["sqlite", "mariadb"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    mysql = request.param == "mariadb"
    address: str = request.getfixturevalue("mariadb_url") if mysql else f"sqlite:///{tmp_path / 'core.db'}"
    async with emptied(address):
        yield address


def memory_on(database: Database) -> ConversationMemory:
    return ConversationMemory(SqlHistoryStore(database, ManualClock(NOW)), ManualClock(NOW))


def marked(user: str = "u1", session: str = "s1") -> TurnRecord:
    context = TaskContext(shown=({"title": MARKER},), shown_kind="train")
    said, fact = Message("user", f"去看{MARKER}", NOW), Fact(f"喜欢{MARKER}", NOW)
    return TurnRecord(user, session, (said,), context, {"like": MARKER}, (fact,))


def offer(user: str = "u1") -> Offer:
    item = {"item": {"title": MARKER}, "quantity": 1, "unit_price": "1.00"}
    quote = Quote.model_validate({"skill": "s", "action": "place", "kind": "train", "items": [item]})
    return Offer(f"{user}-o1", user, "s1", "r1", "TicketAssistant", quote, NOW, NOW)


def test_migrating_twice_builds_exactly_the_tables_of_the_code(url: str) -> None:
    migrate(url)
    engine = make_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


async def test_memories_outlive_a_restart_and_reach_a_second_process(url: str) -> None:
    async with open_database(url) as first:
        await memory_on(first).record(marked())
        async with open_database(url) as second:
            known = await memory_on(second).read("u1", "s1")
    async with open_database(url) as later:
        assert await memory_on(later).read("u1", "s1") == known
    assert (known.user_profile, known.short_term[0].created_at) == ({"like": MARKER}, NOW)


async def test_two_processes_that_merge_at_once_lose_no_key(url: str) -> None:
    async with open_database(url) as first, open_database(url) as second:
        one, other = memory_on(first), memory_on(second)
        here = (one.merge_profile("u1", {f"a{n}": n}) for n in range(8))
        there = (other.merge_profile("u1", {f"b{n}": n}) for n in range(8))
        await asyncio.gather(*here, *there)
        profile = (await one.read("u1", "s1")).user_profile
    assert profile == {f"{name}{n}": n for n in range(8) for name in "ab"}


async def test_two_processes_that_record_at_once_lose_no_turn_and_double_no_fact(url: str) -> None:
    async with open_database(url) as first, open_database(url) as second:
        one, other = memory_on(first), memory_on(second)
        turns = [marked(session=f"s{n}") for n in range(6)]
        await asyncio.gather(*(memory.record(turn) for turn in turns for memory in (one, other)))
        assert len(await one.sessions("u1")) == 6
        known = await other.read("u1", "s3")
    assert (len(known.short_term), [fact.content for fact in known.long_term]) == (2, [f"喜欢{MARKER}"])


async def test_clearing_leaves_no_row_with_the_marker(url: str) -> None:
    async with open_database(url) as database:
        memory = memory_on(database)
        await memory.record(marked())
        assert any(MARKER in cell for cell in await every_cell(database))
        await memory.clear("u1", "s1", KINDS)
        assert not any(MARKER in cell for cell in await every_cell(database))


async def test_erasing_a_user_empties_every_table_and_leaves_the_neighbours(url: str) -> None:
    async with open_database(url) as database:
        memory, offers = memory_on(database), SqlOfferStore(database)
        for user in ("alice", "Alice"):
            await memory.record(marked(user))
            await memory.add_feedback(user, "t1", 1, MARKER)
            await offers.add([offer(user)])
        exported = await memory.export("alice")
        assert {name for name, found in exported.items() if found} >= {
            "conversation_memory", "sessions", "feedback", "offers",
        }
        await memory.erase("alice")
        assert not any((await memory.export("alice")).values())
        assert "alice" not in await every_cell(database)
        assert (await memory.read("Alice", "s1")).user_profile == {"like": MARKER}
        assert await offers.get("Alice", "Alice-o1") is not None


async def test_an_export_opens_stored_json_and_hides_our_own_columns(url: str) -> None:
    async with open_database(url) as database:
        memory = memory_on(database)
        await memory.record(TurnRecord("u1", "s1", (Message("user", "{不是JSON", NOW),), NO_CONTEXT))
        await SqlOfferStore(database).add([offer()])
        exported = await memory.export("u1")
    assert set(exported) == {table.name for table in personal_tables()}
    rows, made = exported["conversation_memory"], exported["offers"]
    assert isinstance(rows, list)
    assert isinstance(made, list)
    assert rows[0] == {
        "session_id": "s1", "kind": "short_term", "role": "user", "content": "{不是JSON", "trace_id": "",
        "created_at": NOW.isoformat(),
    }
    assert made[0]["quote"]["kind"] == "train"


async def test_a_context_of_another_version_is_left_aside(url: str) -> None:
    async with open_database(url) as database:
        memory = memory_on(database)
        await memory.record(marked())
        await database.run(
            lambda connection: connection.exec_driver_sql(
                "UPDATE conversation_memory SET content = '{\"old\": 1}' WHERE kind = 'task_context'"
            )
        )
        known = await memory.read("u1", "s1")
    assert (known.task_context, len(known.short_term)) == (NO_CONTEXT, 1)


async def test_of_two_transactions_that_wait_for_each_other_both_are_done_in_the_end(mariadb_url: str) -> None:
    async with emptied(mariadb_url) as database:
        memory = memory_on(database)
        for session in ("a", "b"):
            await memory.record(marked(session=session))
        both_hold_one = threading.Barrier(2, timeout=20)
        met = threading.local()

        def title(first: str, second: str) -> Callable[[Connection], None]:
            def work(connection: Connection) -> None:
                connection.execute(update(sessions).where(sessions.c.session_id == first).values(title=first))
                if not getattr(met, "yes", False):
                    met.yes = True
                    both_hold_one.wait()
                connection.execute(update(sessions).where(sessions.c.session_id == second).values(title=second))

            return work

        await asyncio.gather(database.run(title("a", "b")), database.run(title("b", "a")))
        assert {view.title for view in await memory.sessions("u1")} == {"a", "b"}

"""Runs stand in the database beside the memory of their turn: written, forgotten and erased with it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from core.adapters.stores.database import Database
from core.adapters.stores.history_store import SqlHistoryStore
from core.adapters.stores.session_order import SqlSessionOrder
from core.adapters.stores.trace_rows import MOST_CHARACTERS
from core.adapters.stores.trace_store import SWEEP_EVERY_S, SqlTraceStore
from core.ports.memory import HistoryStore
from core.ports.session_order import SessionOrder
from core.ports.traces import TraceStore
from core.shared.clock import ManualClock
from core.types.memory import KINDS, MemoryKind
from tests.memory.databases import emptied, every_cell
from tests.support.history import InMemoryHistoryStore
from tests.support.session_order import InMemorySessionOrder
from tests.traces.runs import ID, NOW, called, record, run


@dataclass(frozen=True)
class Kept:
    history: HistoryStore
    traces: TraceStore
    order: SessionOrder


@dataclass(frozen=True)
class Stored(Kept):
    """The same in a database that can be looked into."""

    database: Database
    clock: ManualClock

    async def rows(self) -> int:
        return len([cell for cell in await every_cell(self.database) if cell.startswith('{"trace_id"')])


def stored(database: Database) -> Stored:
    clock = ManualClock(NOW)
    traces = SqlTraceStore(database, clock, timedelta(days=30))
    return Stored(SqlHistoryStore(database, clock, traces), traces, SqlSessionOrder(database, clock), database, clock)


@pytest.fixture(params=["memory", "sqlite", "mariadb"])
async def kept(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kept]:
    if request.param == "memory":
        order = InMemorySessionOrder()
        history = InMemoryHistoryStore(order)
        yield Kept(history, history, order)
        return
    mysql = request.param == "mariadb"
    url = request.getfixturevalue("mariadb_url") if mysql else f"sqlite:///{tmp_path / 'core.db'}"
    async with emptied(url) as database:
        yield stored(database)


@pytest.fixture(params=["sqlite", "mariadb"])
async def sql(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stored]:
    mysql = request.param == "mariadb"
    url = request.getfixturevalue("mariadb_url") if mysql else f"sqlite:///{tmp_path / 'core.db'}"
    async with emptied(url) as database:
        yield stored(database)


async def test_a_run_is_read_as_it_was_written_and_only_by_its_person(kept: Kept) -> None:
    await kept.history.record(record(run()), facts=20)
    assert await kept.traces.find("u1", ID) == run()
    assert await kept.traces.find("u2", ID) is None
    assert await kept.traces.find("u1", "f" * 32) is None


async def test_of_an_id_that_was_used_again_the_newest_run_is_shown(kept: Kept) -> None:
    again = run(at=NOW + timedelta(minutes=1), query="再查一次")
    for trace in (run(), again):
        await kept.history.record(record(trace), facts=20)
    assert await kept.traces.find("u1", ID) == again


async def test_a_turn_that_was_erased_while_it_ran_leaves_no_run(kept: Kept) -> None:
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.erase("u1")
        await kept.history.record(record(run(), place=place.holder), facts=20)
    assert await kept.traces.find("u1", ID) is None


@pytest.mark.parametrize("kinds", [(kind,) for kind in KINDS] + [KINDS])
async def test_what_is_forgotten_is_forgotten_by_the_runs_too(kept: Kept, kinds: tuple[MemoryKind, ...]) -> None:
    for user in ("u1", "u2"):
        await kept.history.record(record(run(), user), facts=20)
    await kept.history.clear("u1", "s1", kinds)
    assert await kept.traces.find("u1", ID) is None
    assert await kept.traces.find("u2", ID) is not None


async def test_a_deleted_session_and_an_erased_person_take_their_runs_with_them(kept: Kept) -> None:
    other = run(trace_id="a" * 32, session_id="s2")
    for trace in (run(), other):
        await kept.history.record(record(trace), facts=20)
    await kept.history.delete_session("u1", "s1")
    assert await kept.traces.find("u1", ID) is None
    assert await kept.traces.find("u1", other.trace_id) == other
    await kept.history.erase("u1")
    assert await kept.traces.find("u1", other.trace_id) is None


async def test_the_export_holds_the_runs_and_no_prompt(sql: Stored) -> None:
    await sql.history.record(record(run()), facts=20)
    found = (await sql.history.export("u1"))["traces"]
    assert isinstance(found, list)
    assert found[0]["content"]["rounds"][0]["thought"] == "查高铁"
    assert "问话" not in str(found)
    assert "答话" not in str(found)


async def test_old_runs_are_not_shown_and_swept_at_most_once_an_hour(sql: Stored) -> None:
    old = run(trace_id="a" * 32, at=NOW - timedelta(days=30, seconds=-10))
    for trace in (old, run()):
        await sql.history.record(record(trace), facts=20)
    assert await sql.traces.find("u1", old.trace_id) == old
    sql.clock.advance(20)
    assert await sql.traces.find("u1", old.trace_id) is None
    await sql.history.record(record(run(trace_id="b" * 32)), facts=20)
    assert await sql.rows() == 3
    sql.clock.advance(SWEEP_EVERY_S)
    await sql.history.record(record(run(trace_id="c" * 32)), facts=20)
    assert await sql.rows() == 3
    assert await sql.traces.find("u1", ID) is not None


async def test_a_sweep_that_leaves_something_goes_on_with_the_next_turn(sql: Stored) -> None:
    for _ in range(501):
        await sql.history.record(record(run(at=NOW - timedelta(days=29))), facts=20)
    sql.clock.advance(timedelta(days=2).total_seconds())
    for left in (1 + 1, 2):
        await sql.history.record(record(run(trace_id="b" * 32, at=sql.clock.now())), facts=20)
        assert await sql.rows() == left


async def test_a_run_that_is_too_large_is_kept_without_its_rows(sql: Stored) -> None:
    huge = run(*[called(data={"kind": "train", "rows": ["票" * 600] * 5}) for _ in range(200)])
    await sql.history.record(record(huge), facts=20)
    found = await sql.traces.find("u1", ID)
    assert found is not None
    assert [call.data for call in found.rounds[0].steps[0].calls] == [None] * 200
    assert max(map(len, await every_cell(sql.database))) <= MOST_CHARACTERS

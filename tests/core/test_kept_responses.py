"""The contract of first answers kept by their key, over the embedded form and the database."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.adapters.stores.database import Database, open_database
from core.adapters.stores.kept_responses import SqlKeptResponses, forget_answers
from core.adapters.stores.kept_table import kept_responses
from core.ports.kept_responses import Claim, KeptResponse, KeptResponses
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.errors import Conflict, KeyReused
from tests.support.kept import InMemoryKeptResponses

ANSWER = KeptResponse(200, "application/json", '{"reply":"已下单"}')


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(f"sqlite:///{tmp_path / 'core.db'}") as opened:
        yield opened


@pytest.fixture(params=["memory", "sqlite"])
def kept(request: pytest.FixtureRequest, database: Database, clock: ManualClock) -> KeptResponses:
    return InMemoryKeptResponses() if request.param == "memory" else SqlKeptResponses(database, clock)


async def claimed(kept: KeptResponses, user: str = "u1", key: str = "k1", fingerprint: str = "f1") -> Claim:
    claim = await kept.claim(user, key, fingerprint)
    assert not isinstance(claim, KeptResponse)
    return claim


async def test_the_second_gets_the_first_ones_answer(kept: KeptResponses) -> None:
    await (await claimed(kept)).keep(ANSWER)
    assert await kept.claim("u1", "k1", "f1") == ANSWER


async def test_while_the_first_runs_the_second_is_told_so(kept: KeptResponses) -> None:
    claim = await claimed(kept)
    with pytest.raises(Conflict):
        await kept.claim("u1", "k1", "f1")
    await claim.release()
    await (await claimed(kept)).release()


async def test_a_key_of_another_request_is_refused_whether_that_runs_or_is_answered(kept: KeptResponses) -> None:
    claim = await claimed(kept)
    with pytest.raises(KeyReused):
        await kept.claim("u1", "k1", "f2")
    await claim.keep(ANSWER)
    with pytest.raises(KeyReused):
        await kept.claim("u1", "k1", "f2")


async def test_users_do_not_share_keys(kept: KeptResponses) -> None:
    await (await claimed(kept)).keep(ANSWER)
    others = [await claimed(kept, user="U1", fingerprint="f2"), await claimed(kept, key="K1", fingerprint="f2")]
    assert [other.resumed for other in others] == [False, False]
    for other in others:
        await other.release()
    assert await kept.claim("u1", "k1", "f1") == ANSWER


async def test_releasing_after_keeping_changes_nothing(kept: KeptResponses) -> None:
    claim = await claimed(kept)
    await claim.keep(ANSWER)
    await claim.release()
    assert await kept.claim("u1", "k1", "f1") == ANSWER


async def test_of_many_at_once_one_runs(database: Database, clock: ManualClock) -> None:
    replicas = [SqlKeptResponses(database, clock) for _ in range(4)]
    tried = await asyncio.gather(
        *(replicas[number % 4].claim("u1", "k1", "f1") for number in range(40)), return_exceptions=True
    )
    winners = [claim for claim in tried if not isinstance(claim, BaseException)]
    assert len(winners) == 1
    assert all(isinstance(error, Conflict) for error in tried if isinstance(error, BaseException))
    assert not isinstance(winners[0], KeptResponse)
    await winners[0].release()


async def test_an_answer_is_kept_for_a_day(database: Database, clock: ManualClock) -> None:
    kept = SqlKeptResponses(database, clock)
    await (await claimed(kept)).keep(ANSWER)
    clock.advance(timedelta(hours=23, minutes=59).total_seconds())
    assert await kept.claim("u1", "k1", "f1") == ANSWER
    clock.advance(60)
    await (await claimed(kept)).release()


async def test_a_request_whose_process_died_blocks_its_key_for_a_moment_only(
    database: Database, clock: ManualClock
) -> None:
    dead = ManualClock(clock.now())  # nobody moves it: that process renews nothing
    await claimed(SqlKeptResponses(database, dead))
    kept = SqlKeptResponses(database, clock)
    clock.advance(14)
    with pytest.raises(Conflict):
        await kept.claim("u1", "k1", "f1")
    clock.advance(2)
    claim = await claimed(kept)
    assert claim.resumed
    await claim.release()


async def test_a_long_request_keeps_its_key(database: Database, clock: ManualClock) -> None:
    kept = SqlKeptResponses(database, clock)
    claim = await claimed(kept)
    until = select(kept_responses.c.expires_at)
    for _ in range(6):
        before = await database.run(lambda connection: connection.scalar(until))
        clock.advance(5)
        async with asyncio.timeout(10):
            while await database.run(lambda connection: connection.scalar(until)) == before:  # noqa: ASYNC110
                await asyncio.sleep(0)
    with pytest.raises(Conflict):
        await kept.claim("u1", "k1", "f1")
    await claim.release()


async def test_what_was_erased_does_not_come_back_and_does_not_run_again(
    database: Database, clock: ManualClock
) -> None:
    kept = SqlKeptResponses(database, clock)
    await (await claimed(kept)).keep(ANSWER)
    running = await claimed(kept, key="k2")
    await database.run(lambda connection: forget_answers(connection, "u1"))
    await running.keep(ANSWER)
    for key in ("k1", "k2"):
        with pytest.raises(Conflict, match="清除"):
            await kept.claim("u1", key, "f1")
    holding = select(func.count()).where(kept_responses.c.body != "")
    assert await database.run(lambda connection: connection.scalar(holding)) == 0


async def test_who_takes_over_a_dead_request_is_told_and_only_the_same_request_may(
    database: Database, clock: ManualClock
) -> None:
    dead = ManualClock(clock.now())
    first = await claimed(SqlKeptResponses(database, dead))
    assert not first.resumed
    clock.advance(16)
    kept = SqlKeptResponses(database, clock)
    with pytest.raises(KeyReused):
        await kept.claim("u1", "k1", "f2")
    again = await claimed(kept)
    assert again.resumed
    await first.keep(ANSWER)  # a process that was only thought dead changes nothing
    with pytest.raises(Conflict):
        await kept.claim("u1", "k1", "f1")
    await again.keep(ANSWER)
    assert await kept.claim("u1", "k1", "f1") == ANSWER

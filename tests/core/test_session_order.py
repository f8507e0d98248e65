"""Messages of one session run one after another, first come first served, in one process or several."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.adapters.stores.database import Database, open_database
from core.adapters.stores.queue_table import session_tickets
from core.adapters.stores.session_order import SqlSessionOrder
from core.shared.clock import SHANGHAI, ManualClock, SystemClock
from core.shared.errors import Conflict


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(f"sqlite:///{tmp_path / 'core.db'}") as opened:
        yield opened


async def drawn(database: Database, number: int) -> None:
    """Wait until that many tickets stand in the table."""
    count = select(func.count()).select_from(session_tickets)
    async with asyncio.timeout(10):
        while await database.run(lambda connection: connection.scalar(count)) != number:  # noqa: ASYNC110
            await asyncio.sleep(0)


class Door:
    """Notes who is inside, and who came in which order."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.order: list[int] = []

    async def pass_through(self, order: SqlSessionOrder, number: int, session: str = "s1") -> None:
        async with order.queue("u1", session) as place:
            await place.reached()
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.order.append(number)
            await asyncio.sleep(0)
            self.inside -= 1


async def test_messages_of_a_session_run_one_after_another_in_the_order_they_came(database: Database) -> None:
    here, there = SqlSessionOrder(database, SystemClock()), SqlSessionOrder(database, SystemClock())
    door, held = Door(), asyncio.Event()

    async def hold() -> None:
        async with here.queue("u1", "s1") as place:
            await place.reached()
            await held.wait()

    holding = asyncio.create_task(hold())
    waiting = []
    for number in range(1, 4):
        await drawn(database, number)
        waiting.append(asyncio.create_task(door.pass_through(there if number % 2 else here, number)))
    await drawn(database, 4)
    held.set()
    await asyncio.gather(holding, *waiting)
    assert door.order == [1, 2, 3]
    assert door.most == 1


async def test_three_may_wait_and_a_further_one_is_refused(database: Database) -> None:
    order, held = SqlSessionOrder(database, SystemClock()), asyncio.Event()

    async def hold() -> None:
        async with order.queue("u1", "s1") as place:
            await place.reached()
            await held.wait()

    tasks = [asyncio.create_task(hold())]
    tasks += [asyncio.create_task(hold()) for _ in range(3)]
    await drawn(database, 4)
    with pytest.raises(Conflict):
        await hold()
    held.set()
    await asyncio.gather(*tasks)
    async with order.queue("u1", "s1"):
        assert held.is_set()


async def test_other_sessions_do_not_wait(database: Database) -> None:
    order, door = SqlSessionOrder(database, SystemClock()), Door()
    async with order.queue("u1", "s1"):
        await asyncio.wait_for(door.pass_through(order, 1, session="s2"), 5)
    assert door.order == [1]


async def test_who_gives_up_waiting_leaves_no_ticket(database: Database) -> None:
    order, door = SqlSessionOrder(database, SystemClock()), Door()
    async with order.queue("u1", "s1"):
        giving_up = asyncio.create_task(door.pass_through(order, 1))
        await drawn(database, 2)
        giving_up.cancel()
        await asyncio.wait({giving_up})
    await asyncio.wait_for(door.pass_through(order, 2), 5)
    assert door.order == [2]


async def test_a_crashed_holder_blocks_its_session_for_its_lease_only(database: Database) -> None:
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    crashed = SqlSessionOrder(database, clock)
    await crashed.queue("u1", "s1").__aenter__()
    later = SqlSessionOrder(database, ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12, 0, 16))))
    door = Door()
    await asyncio.wait_for(door.pass_through(later, 1), 5)
    assert door.order == [1]

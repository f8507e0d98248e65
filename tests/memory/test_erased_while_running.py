"""What is erased while a turn is running stays erased: the turn writes nothing back."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.adapters.stores.history_store import SqlHistoryStore
from core.adapters.stores.offer_store import SqlOfferStore
from core.adapters.stores.session_order import SqlSessionOrder
from core.ports.memory import HistoryStore
from core.ports.session_order import SessionOrder
from core.shared.clock import SHANGHAI, SystemClock
from core.types.agent_protocol import Quote, QuoteItem
from core.types.memory import KINDS, Fact, MemoryContext, MemoryKind, Message, TaskContext, TurnRecord
from core.types.orders import Offer
from tests.memory.databases import emptied, every_cell
from tests.support.history import InMemoryHistoryStore
from tests.support.session_order import InMemorySessionOrder

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
MARKER = "对芒果过敏"


@dataclass(frozen=True)
class Kept:
    """A store of memories and the queue of sessions beside it."""

    history: HistoryStore
    order: SessionOrder


@pytest.fixture(params=["memory", "sqlite", "mariadb"])
async def kept(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kept]:
    if request.param == "memory":
        order = InMemorySessionOrder()
        yield Kept(InMemoryHistoryStore(order), order)
        return
    mysql = request.param == "mariadb"
    url = request.getfixturevalue("mariadb_url") if mysql else f"sqlite:///{tmp_path / 'core.db'}"
    async with emptied(url) as database:
        clock = SystemClock(NOW)
        yield Kept(SqlHistoryStore(database, clock), SqlSessionOrder(database, clock))


def turn(place: str, session: str = "s1", user: str = "u1") -> TurnRecord:
    said = (Message("user", f"我{MARKER}", NOW),)
    return TurnRecord(user, session, said, TaskContext(), {"seat_class": "二等座"}, (Fact(MARKER, NOW),), place)


async def known(kept: Kept, session: str = "s1") -> MemoryContext:
    return await kept.history.read("u1", session, messages=10, facts=20)


async def test_a_turn_that_was_left_alone_is_recorded(kept: Kept) -> None:
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.clear("u2", "s1", KINDS)
        await kept.history.delete_session("u1", "another")
        await kept.history.record(turn(place.holder), facts=20)
    assert [fact.content for fact in (await known(kept)).long_term] == [MARKER]


@pytest.mark.parametrize("kinds", [KINDS, ("long_term",), ("short_term",)])
async def test_cleared_memories_do_not_come_back(kept: Kept, kinds: tuple[MemoryKind, ...]) -> None:
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.clear("u1", "s1", kinds)
        await kept.history.record(turn(place.holder), facts=20)
    assert await known(kept) == MemoryContext()
    assert await kept.history.sessions("u1") == ()


async def test_facts_are_the_persons_so_a_turn_of_another_session_does_not_bring_them_back(kept: Kept) -> None:
    async with kept.order.queue("u1", "s2") as place:
        await place.reached()
        await kept.history.clear("u1", "s1", KINDS)
        await kept.history.record(turn(place.holder, "s2"), facts=20)
    assert await known(kept, "s2") == MemoryContext()


async def test_an_erased_person_and_a_deleted_session_do_not_come_back(kept: Kept) -> None:
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.erase("u1")
        await kept.history.record(turn(place.holder), facts=20)
    assert await known(kept) == MemoryContext()
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.delete_session("u1", "s1")
        await kept.history.record(turn(place.holder), facts=20)
    assert await known(kept) == MemoryContext()


async def test_the_next_turn_is_remembered_again(kept: Kept) -> None:
    async with kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.clear("u1", "s1", KINDS)
    async with asyncio.timeout(10), kept.order.queue("u1", "s1") as place:
        await place.reached()
        await kept.history.record(turn(place.holder), facts=20)
    assert [fact.content for fact in (await known(kept)).long_term] == [MARKER]


async def test_an_offer_that_the_erased_turn_made_goes_too(tmp_path: Path) -> None:
    async with emptied(f"sqlite:///{tmp_path / 'core.db'}") as database:
        clock = SystemClock(NOW)
        history, order = SqlHistoryStore(database, clock), SqlSessionOrder(database, clock)
        item = QuoteItem(item={"title": MARKER}, unit_price="1.00")
        quote = Quote(skill="order train tickets", action="place", kind="train", items=[item])
        offer = Offer("o1", "u1", "s1", "r1", "agent", quote, NOW, NOW + timedelta(minutes=10))
        async with order.queue("u1", "s1") as place:
            await place.reached()
            await history.erase("u1")
            await SqlOfferStore(database).add([offer])
            left = turn(place.holder)
            await history.record(TurnRecord("u1", "s1", left.messages, TaskContext(), place=left.place, made=("o1",)),
                                 facts=20)
        assert not [cell for cell in await every_cell(database) if MARKER in cell or cell == "u1"]

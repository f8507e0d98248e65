"""The contract of a store of offers, over the embedded form and the database."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.adapters.stores.database import open_database
from core.adapters.stores.offer_store import SqlOfferStore
from core.ports.offers import OfferStore
from core.shared.clock import SHANGHAI
from core.types.agent_protocol import Quote
from core.types.orders import Offer
from tests.support.offers import InMemoryOfferStore

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0, 0, 123456))


def offer(number: int, *, user: str = "u1", session: str = "s1", reply: str = "r1", minutes: int = 0) -> Offer:
    made = NOW + timedelta(minutes=minutes)
    quote = Quote.model_validate(
        {
            "skill": "order train tickets",
            "action": "place",
            "kind": "train",
            "items": [{"item": {"item_id": "i1", "title": "G1"}, "quantity": 2, "unit_price": "553.00"}],
        }
    )
    offer_id = f"{user}-{reply}-{number}"
    return Offer(offer_id, user, session, reply, "TicketAssistant", quote, made, made + timedelta(minutes=10))


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OfferStore]:
    if request.param == "memory":
        yield InMemoryOfferStore()
        return
    async with open_database(f"sqlite:///{tmp_path / 'core.db'}") as database:
        yield SqlOfferStore(database)


async def test_an_offer_comes_back_as_it_was_stored(store: OfferStore) -> None:
    await store.add([offer(1)])
    assert await store.get("u1", "u1-r1-1") == offer(1)
    assert offer(1).total_price == 1106


async def test_anothers_offer_is_like_none(store: OfferStore) -> None:
    await store.add([offer(1)])
    assert await store.get("u2", "u1-r1-1") is None
    assert await store.latest("u2", "s1") == ()
    assert not await store.move(replace(offer(1), user_id="u2"), "placing", now=NOW)


async def test_the_latest_offers_are_those_of_one_reply_in_order(store: OfferStore) -> None:
    await store.add([offer(1)])
    await store.add([offer(1, reply="r2", minutes=1), offer(2, reply="r2", minutes=1)])
    await store.add([offer(1, session="s2", reply="r3", minutes=2)])
    assert [o.offer_id for o in await store.latest("u1", "s1")] == ["u1-r2-1", "u1-r2-2"]


async def test_of_many_confirmations_one_wins(store: OfferStore) -> None:
    await store.add([offer(1)])
    moved = await asyncio.gather(*(store.move(offer(1), "placing", now=NOW) for _ in range(10)))
    assert sorted(moved) == [False] * 9 + [True]
    kept = await store.get("u1", "u1-r1-1")
    assert kept is not None
    assert kept.state == "placing"


async def test_an_expired_offer_is_not_placed_but_may_be_withdrawn(store: OfferStore) -> None:
    await store.add([offer(1)])
    late = NOW + timedelta(minutes=10)
    assert not await store.move(offer(1), "placing", now=late)
    assert await store.move(offer(1), "withdrawn", now=late)

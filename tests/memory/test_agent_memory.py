"""What agents remember of conversations: one contract for the database and for a process alone."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from a2a_servers.conversation import ProcessMemory
from core.adapters.stores.agent_memory import SqlAgentMemory
from core.adapters.stores.agent_past import MOST_CHARACTERS
from core.language.frames import PastWish
from core.language.slots import Slots
from core.memory.trace_masking import masked_json
from core.ports.agent_memory import MAX_AGE_S, AgentMemory
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.json_types import JsonObject
from core.types.agent_memory import NO_PAST, Conversation, Past
from tests.memory.databases import emptied

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
OURS = Conversation("TicketAssistant", "u1", "u1/s1", "s1")
SLOTS = Slots(
    from_city="北京", to_city="上海", date=NOW.date(), price_max=Decimal("600.00"), exclude={"train_type": ("K",)}
)
PAST = Past((PastWish("query train tickets", SLOTS),), True, ({"train_no": "G1", "price": "553.00"},), "train")


@dataclass(frozen=True)
class Kept:
    memory: AgentMemory
    clock: ManualClock


@pytest.fixture(params=["memory", "sqlite", "mariadb"])
async def kept(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kept]:
    clock = ManualClock(NOW)
    if request.param == "memory":
        yield Kept(ProcessMemory(clock, masked_json), clock)
        return
    mysql = request.param == "mariadb"
    url = request.getfixturevalue("mariadb_url") if mysql else f"sqlite:///{tmp_path / 'core.db'}"
    async with emptied(url) as database:
        yield Kept(SqlAgentMemory(database, clock, masked_json), clock)


async def test_a_turn_comes_back_as_it_was(kept: Kept) -> None:
    assert await kept.memory.past(OURS) == NO_PAST
    await kept.memory.remember(OURS, PAST)
    assert await kept.memory.past(OURS) == PAST


async def test_the_last_turn_takes_the_place_of_the_one_before(kept: Kept) -> None:
    await kept.memory.remember(OURS, PAST)
    later = Past((PastWish("query weather", Slots(city="杭州")),))
    await kept.memory.remember(OURS, later)
    assert await kept.memory.past(OURS) == later


@pytest.mark.parametrize(
    "other",
    [
        replace(OURS, agent="TripAssistant"),
        replace(OURS, user_id="u2"),
        replace(OURS, user_id="U1"),
        replace(OURS, context_id="u1/s2"),
        replace(OURS, context_id="u1/s1 "),
        replace(OURS, user_id="u1u1/", context_id="s1"),
    ],
)
async def test_no_other_conversation_knows_of_it(kept: Kept, other: Conversation) -> None:
    await kept.memory.remember(OURS, PAST)
    assert await kept.memory.past(other) == NO_PAST
    await kept.memory.remember(other, NO_PAST)
    assert await kept.memory.past(OURS) == PAST


async def test_it_is_forgotten_after_its_time(kept: Kept) -> None:
    await kept.memory.remember(OURS, PAST)
    kept.clock.advance(MAX_AGE_S)
    assert await kept.memory.past(OURS) == PAST
    kept.clock.advance(1)
    assert await kept.memory.past(OURS) == NO_PAST
    await kept.memory.remember(OURS, PAST)
    assert await kept.memory.past(OURS) == PAST


async def test_a_conversation_without_an_id_is_none(kept: Kept) -> None:
    await kept.memory.remember(replace(OURS, context_id=""), PAST)
    assert await kept.memory.past(replace(OURS, context_id="")) == NO_PAST


async def test_a_context_id_may_be_long(kept: Kept) -> None:
    long = replace(OURS, context_id="上" * 5000)
    await kept.memory.remember(long, PAST)
    assert await kept.memory.past(long) == PAST


async def test_what_is_given_out_is_a_copy(kept: Kept) -> None:
    row: JsonObject = {"train_no": "G1"}
    await kept.memory.remember(OURS, Past(PAST.wishes, shown=(dict(row),), shown_kind="train"))
    (await kept.memory.past(OURS)).shown[0]["train_no"] = "G2"
    assert (await kept.memory.past(OURS)).shown == (row,)


async def test_numbers_that_name_a_person_are_masked_and_those_of_things_are_not(kept: Kept) -> None:
    wish = PastWish("query concert tickets", Slots(artist="电话13812345678", item_id="13812345678"))
    row: JsonObject = {"order_id": "13812345678", "note": "联系人 13812345678", "date": "2026-08-17", "seats": 40}
    await kept.memory.remember(OURS, Past((wish,), shown=(dict(row),), shown_kind="order"))
    past = await kept.memory.past(OURS)
    assert past.wishes[0].slots == Slots(artist="电话138****5678", item_id="13812345678")
    assert past.shown == (row | {"note": "联系人 138****5678"},)


async def test_rows_that_are_too_much_are_left_out_and_half_a_character_does_no_harm(kept: Kept) -> None:
    await kept.memory.remember(OURS, replace(PAST, shown=({"note": "行" * MOST_CHARACTERS},)))
    assert await kept.memory.past(OURS) == replace(PAST, shown=(), shown_kind="")
    await kept.memory.remember(OURS, replace(PAST, shown=({"note": "好\ud800"},)))
    assert (await kept.memory.past(OURS)).shown == ({"note": "好?"},)

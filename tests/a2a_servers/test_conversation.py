"""An agent remembers conversations by their context id: what leans on an earlier turn is understood, for its owner."""

import uuid
from typing import Any

import pytest

from a2a_servers.conversation import NO_PAST, Conversations
from core.language.frames import PastWish
from core.language.slots import Slots
from core.shared.clock import ManualClock
from core.shared.json_types import JsonObject
from core.types.agent_protocol import AgentResponse, ResultData
from tests.a2a_servers.rows import weather_row
from tests.a2a_servers.world import NOON, World, answer_in

ANSWER = AgentResponse(status="completed", observation="多云", data=ResultData(kind="weather", rows=[weather_row()]))
WISH: tuple[str, JsonObject] = ("query weather", {"city": "上海", "date": "2026-08-17"})


async def say(world: World, text: str, context_id: str, user: str = "u1") -> Any:
    metadata = {"smartvoyage": {"user_id": user}}
    return answer_in(await world.send({"text": text}, metadata=metadata, contextId=context_id))


@pytest.mark.wire
@pytest.mark.asyncio(loop_scope="module")
async def test_a_follow_up_is_read_with_what_was_asked_before(world: World) -> None:
    context_id = uuid.uuid4().hex
    await say(world, "明天上海天气怎么样", context_id)
    answer = await say(world, "那后天呢", context_id)
    assert answer["status"] == "completed"
    assert world.tools.calls[1][:2] == (
        "query_weather", {"city": "上海", "date": "2026-08-18", "date_end": None},
    )


@pytest.mark.wire
@pytest.mark.asyncio(loop_scope="module")
async def test_a_question_of_the_agent_is_answered_in_a_new_task(world: World) -> None:
    context_id = uuid.uuid4().hex
    asked = await say(world, "明天去上海的高铁", context_id)
    assert asked["status"] == "input_required"
    await say(world, "北京出发", context_id)
    assert world.tools.calls[0][1] == {"from_city": "北京", "to_city": "上海", "date": "2026-08-17"}


@pytest.mark.wire
@pytest.mark.asyncio(loop_scope="module")
async def test_a_request_of_the_master_is_remembered_too(world: World) -> None:
    context_id = uuid.uuid4().hex
    action = {"tool_name": "query weather", "parameter": {"city": "杭州", "date": "2026-08-17"}}
    await world.send({"data": {"action_code": [action]}}, metadata={"smartvoyage": {"user_id": "u1"}},
                     contextId=context_id)
    await say(world, "那苏州呢", context_id)
    assert world.tools.calls[1][1]["city"] == "苏州"


@pytest.mark.wire
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("same_context", "user"), [(False, "u1"), (True, "u2")])
async def test_nobody_reads_another_conversation(world: World, same_context: bool, user: str) -> None:
    context_id = uuid.uuid4().hex
    await say(world, "明天上海天气怎么样", context_id)
    answer = await say(world, "那后天呢", context_id if same_context else uuid.uuid4().hex, user)
    assert answer["status"] == "input_required"
    assert len(world.tools.calls) == 1


def test_a_turn_is_kept_with_its_rows_until_it_is_old() -> None:
    clock = ManualClock(NOON)
    kept = Conversations(clock, max_age_s=60)
    kept.remember(("u1", "c"), [WISH], ANSWER)
    past = kept.past(("u1", "c"))
    assert past.wishes == (PastWish("query weather", Slots(city="上海", date=NOON.date().replace(day=17))),)
    assert (past.asked, past.shown, past.shown_kind) == (False, (weather_row(),), "weather")
    clock.advance(61)
    assert kept.past(("u1", "c")) == NO_PAST


def test_the_oldest_conversation_goes_first_and_one_without_an_id_is_not_kept() -> None:
    kept = Conversations(ManualClock(NOON), most=2)
    for name in ("a", "b", "c", ""):
        kept.remember(("u1", name), [WISH], ANSWER)
    assert [kept.past(("u1", name)) == NO_PAST for name in ("a", "b", "c", "")] == [True, False, False, True]


def test_what_asks_for_nothing_or_is_no_slot_leaves_the_memory_as_it_is() -> None:
    kept = Conversations(ManualClock(NOON))
    kept.remember(("u1", "c"), [WISH], ANSWER)
    kept.remember(("u1", "c"), [], ANSWER)
    kept.remember(("u1", "c"), [("query visa", {"date": "whenever"})], ANSWER)
    assert [wish.intent for wish in kept.past(("u1", "c")).wishes] == ["query weather"]

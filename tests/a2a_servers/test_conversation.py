"""An agent remembers conversations by their context id: what leans on an earlier turn is understood, for its owner."""

import contextlib
import uuid
from pathlib import Path
from typing import Any

import pytest

from a2a_servers.conversation import ProcessMemory, past_of
from core.adapters.stores.agent_memory import SqlAgentMemory
from core.adapters.stores.agent_memory_opening import SpareMemory
from core.language.frames import PastWish
from core.language.slots import Slots
from core.memory.trace_masking import masked_json
from core.ports.agent_memory import AgentMemory
from core.shared.clock import ManualClock, SystemClock
from core.shared.json_types import JsonObject
from core.types.agent_memory import NO_PAST, Conversation, Past
from core.types.agent_protocol import AgentResponse, ResultData
from tests.a2a_servers.rows import weather_row
from tests.a2a_servers.tool_server import ToolServer
from tests.a2a_servers.world import NOON, World, agent_beside, agent_with_tools, answer_in
from tests.memory.databases import emptied
from tests.support.whole import free_port

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


@pytest.mark.wire
async def test_another_replica_over_the_same_database_knows_what_was_asked(tmp_path: Path) -> None:
    tools, context_id = ToolServer(free_port()), uuid.uuid4().hex
    async with emptied(f"sqlite:///{tmp_path / 'core.db'}") as database:
        kept = SqlAgentMemory(database, SystemClock(NOON), masked_json)
        async with (
            agent_with_tools(tools=tools, memory=spare(kept)) as one,
            agent_beside(tools, memory=spare(kept)) as two,
        ):
            await two.until_tools_are(True)
            await say(one, "明天上海天气怎么样", context_id)
            assert (await say(two, "那后天呢", context_id))["status"] == "completed"
    assert [call[1]["date"] for call in tools.calls] == ["2026-08-17", "2026-08-18"]


def spare(memory: AgentMemory) -> SpareMemory:
    return SpareMemory(lambda: contextlib.nullcontext(memory), SystemClock(NOON))


def test_a_turn_is_its_wishes_and_the_rows_that_were_shown() -> None:
    past = past_of([WISH], ANSWER)
    assert past == Past(
        (PastWish("query weather", Slots(city="上海", date=NOON.date().replace(day=17))),),
        asked=False, shown=(weather_row(),), shown_kind="weather",
    )  # fmt: skip
    asked = past_of([WISH], AgentResponse(status="input_required", observation="哪一天？"))
    assert asked is not None
    assert asked.asked


def test_what_asks_for_nothing_or_is_no_slot_leaves_the_memory_as_it_is() -> None:
    assert past_of([], ANSWER) is None
    assert past_of([("query visa", {"date": "whenever"})], ANSWER) is None


async def test_of_a_process_alone_the_oldest_conversation_goes_first() -> None:
    kept = ProcessMemory(ManualClock(NOON), most=2)
    talks = [Conversation("a", "u1", name) for name in ("a", "b", "c")]
    for talk in talks:
        await kept.remember(talk, Past(asked=True))
    assert [await kept.past(talk) == NO_PAST for talk in talks] == [True, False, False]

"""ConversationMemory: bounds, masks, and one message by itself."""

from datetime import datetime

import pytest

from core.language.slots import Slots
from core.memory.memory_manager import ConversationMemory
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.errors import InvalidRequest
from core.types.memory import Fact, Message, PastTask, Profile, TaskContext, TurnRecord
from tests.support.history import InMemoryHistoryStore

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
CONTEXT = TaskContext(tasks=(PastTask("query weather", Slots(city="上海")),), asked=True)


@pytest.fixture
def memory() -> ConversationMemory:
    return ConversationMemory(InMemoryHistoryStore(), ManualClock(NOW))


async def test_a_turn_reads_ten_messages_and_twenty_facts(memory: ConversationMemory) -> None:
    for n in range(25):
        said = (Message("user", f"第{n}句", NOW),)
        await memory.record(TurnRecord("u1", "s1", said, CONTEXT, facts=(Fact(f"事{n}", NOW),)))
    known = await memory.read("u1", "s1")
    assert [m.content for m in known.short_term] == [f"第{n}句" for n in range(15, 25)]
    assert [f.content for f in known.long_term] == [f"事{n}" for n in range(5, 25)]
    page = await memory.messages("u1", "s1", limit=100, before=None)
    assert page is not None
    assert len(page.messages) == 25


async def test_everything_is_masked_before_it_is_stored(memory: ConversationMemory) -> None:
    number = "13812345678"
    context = TaskContext(tasks=(PastTask("query concert tickets", Slots(artist=number)),))
    turn = TurnRecord("u1", "s1", (Message("user", number, NOW),), context, {number: number}, (Fact(number, NOW),))
    await memory.record(turn)
    await memory.merge_profile("u1", {"tel": number})
    await memory.add_feedback("u1", "t1", 1, number)
    assert number not in str(await memory.read("u1", "s1"))
    assert number not in str(await memory.export("u1"))
    assert (await memory.read("u1", "s1")).user_profile["tel"] == "138****5678"
    assert number not in str(await memory.replace_profile("u1", {"tel": number}))


async def test_one_message_leaves_the_rest_of_the_conversation_as_it_is(memory: ConversationMemory) -> None:
    await memory.record(TurnRecord("u1", "s1", (Message("user", "上海天气", NOW),), CONTEXT, {"a": 1}))
    await memory.add_message("u1", "s1", "assistant", "哪一天？")
    known = await memory.read("u1", "s1")
    assert [m.role for m in known.short_term] == ["user", "assistant"]
    assert (known.task_context, known.user_profile) == (CONTEXT, {"a": 1})


async def test_each_memory_can_be_had_by_itself_and_only_its_newest(memory: ConversationMemory) -> None:
    said = tuple(Message("user", text, NOW) for text in "甲乙丙")
    await memory.record(TurnRecord("u1", "s1", said, CONTEXT, {"a": 1}, (Fact("子", NOW), Fact("丑", NOW))))
    assert await memory.get_memory("u1", "s1", "short_term", 2) == said[1:]
    assert await memory.get_memory("u1", "s1", "long_term", 1) == (Fact("丑", NOW),)
    assert await memory.get_memory("u1", "s1", "user_profile") == {"a": 1}
    assert await memory.get_memory("u1", "s1", "task_context") == CONTEXT


async def test_a_profile_has_a_largest_size(memory: ConversationMemory) -> None:
    half: Profile = {"a": "长" * 4_000}
    await memory.merge_profile("u1", half)
    with pytest.raises(InvalidRequest):
        await memory.merge_profile("u1", {"b": "长" * 4_000})
    with pytest.raises(InvalidRequest):
        await memory.replace_profile("u1", {"a": "长" * 6_000})
    assert (await memory.read("u1", "s1")).user_profile == half

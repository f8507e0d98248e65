"""The contract of a store of memories, over the embedded form and both databases."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal

import pytest

from core.adapters.stores.history_store import SqlHistoryStore
from core.language.slots import Slots
from core.ports.memory import HistoryStore
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.errors import InvalidRequest
from core.types.memory import (
    KINDS,
    NO_CONTEXT,
    Fact,
    Feedback,
    MemoryContext,
    Message,
    PastTask,
    Profile,
    TaskContext,
    TurnRecord,
)
from tests.memory.databases import emptied
from tests.support.history import InMemoryHistoryStore

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0, 0, 123456))
CONTEXT = TaskContext(
    tasks=(PastTask("query train tickets", Slots(to_city="上海", date=date(2026, 8, 17))),),
    asked=True,
    shown=({"item_id": "i1", "title": "G1 二等座", "price": "553.00", "remaining": 3},),
    shown_kind="train",
)


def message(text: str, *, minutes: int = 0, role: Literal["user", "assistant"] = "user") -> Message:
    return Message(role, text, NOW + timedelta(minutes=minutes), f"trace-{minutes}")


def fact(text: str) -> Fact:
    return Fact(text, NOW)


def turn(
    *texts: str, user: str = "u1", session: str = "s1", minutes: int = 0, context: TaskContext = NO_CONTEXT,
    profile: Profile | None = None, facts: Sequence[str] = (),
) -> TurnRecord:
    messages = tuple(message(text, minutes=minutes) for text in texts)
    return TurnRecord(user, session, messages, context, profile or {}, tuple(fact(text) for text in facts))


@pytest.fixture(params=["memory", "sqlite", "mariadb"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[HistoryStore]:
    if request.param == "memory":
        yield InMemoryHistoryStore()
        return
    mysql = request.param == "mariadb"
    url = request.getfixturevalue("mariadb_url") if mysql else f"sqlite:///{tmp_path / 'core.db'}"
    async with emptied(url) as database:
        yield SqlHistoryStore(database, ManualClock(NOW))


async def known(store: HistoryStore, user: str = "u1", session: str = "s1") -> MemoryContext:
    return await store.read(user, session, messages=10, facts=20)


async def test_a_turn_comes_back_as_it_was_recorded(store: HistoryStore) -> None:
    profile: Profile = {"seat_class": "二等座", "age": 30, "budget": 1.5, "direct": True, "likes": ["靠窗", "连座"]}
    said = (message("去上海 🚄"), message("好的。", role="assistant", minutes=1))
    facts = (fact("对海鲜过敏"), fact("住在苏州"))
    await store.record(TurnRecord("u1", "s1", said, CONTEXT, profile, facts), facts=20)
    assert await known(store) == MemoryContext(said, profile, CONTEXT, facts)


async def test_who_never_said_anything_has_empty_memories(store: HistoryStore) -> None:
    assert await known(store) == MemoryContext()
    assert await store.sessions("u1") == ()
    assert await store.messages("u1", "s1", limit=10, before=None) is None
    assert not await store.delete_session("u1", "s1")


async def test_reading_gives_the_newest_messages_oldest_first(store: HistoryStore) -> None:
    for number in range(12):
        await store.record(turn(f"第{number}句"), facts=20)
    said = (await known(store)).short_term
    assert [m.content for m in said] == [f"第{number}句" for number in range(2, 12)]


async def test_the_newest_facts_stay_and_one_that_is_known_moves_to_the_end(store: HistoryStore) -> None:
    await store.record(turn(facts=["甲", "乙", "丙"]), facts=3)
    await store.record(turn(facts=["甲"]), facts=3)
    assert [f.content for f in (await known(store)).long_term] == ["乙", "丙", "甲"]
    await store.record(turn(facts=["丁", "戊"]), facts=3)
    assert [f.content for f in (await known(store)).long_term] == ["甲", "丁", "戊"]


async def test_facts_that_differ_by_case_are_two(store: HistoryStore) -> None:
    await store.record(turn(facts=["名字叫Tom", "名字叫TOM"]), facts=20)
    assert len((await known(store)).long_term) == 2


async def test_the_profile_merges_and_an_empty_text_takes_a_preference_back(store: HistoryStore) -> None:
    await store.record(turn(profile={"seat_class": "二等座", "seat_pref": "靠窗"}), facts=20)
    await store.record(turn(profile={"seat_class": "一等座", "seat_pref": ""}), facts=20)
    assert (await known(store)).user_profile == {"seat_class": "一等座"}


async def test_replacing_the_profile_leaves_nothing_of_the_old(store: HistoryStore) -> None:
    await store.merge_profile("u1", {"seat_class": "二等座", "name": "林小满"})
    await store.replace_profile("u1", {"cabin": "经济舱"})
    assert await store.merge_profile("u1", {"home_city": "苏州"}) == {"cabin": "经济舱", "home_city": "苏州"}


async def test_many_that_merge_at_once_lose_no_key(store: HistoryStore) -> None:
    changes: list[Profile] = [{f"key{n}": n, "shared": n} for n in range(12)]
    await asyncio.gather(*(store.merge_profile("u1", change) for change in changes))
    profile = (await known(store)).user_profile
    assert {key for key in profile if key != "shared"} == {f"key{n}" for n in range(12)}


async def test_session_memories_stay_in_their_session_and_the_users_are_everywhere(store: HistoryStore) -> None:
    await store.record(turn("去上海", context=CONTEXT, profile={"a": 1}, facts=["甲"]), facts=20)
    elsewhere = await known(store, session="s2")
    assert (elsewhere.short_term, elsewhere.task_context) == ((), NO_CONTEXT)
    assert (elsewhere.user_profile, [f.content for f in elsewhere.long_term]) == ({"a": 1}, ["甲"])


@pytest.mark.parametrize("other", ["u2", "U1", "u1.", "u"])
async def test_another_user_sees_nothing(store: HistoryStore, other: str) -> None:
    await store.record(turn("去上海", context=CONTEXT, profile={"a": 1}, facts=["甲"]), facts=20)
    await store.add_feedback("u1", Feedback("t1", 1, "好", NOW))
    assert await known(store, user=other) == MemoryContext()
    assert await store.sessions(other) == ()
    assert await store.messages(other, "s1", limit=10, before=None) is None
    assert not await store.delete_session(other, "s1")
    assert not any((await store.export(other)).values())
    await store.clear(other, "s1", KINDS)
    await store.erase(other)
    assert (await known(store)).task_context == CONTEXT


async def test_sessions_come_newest_first_under_the_beginning_of_what_was_said_first(store: HistoryStore) -> None:
    await store.record(TurnRecord("u1", "s0", (message("您好", role="assistant"),), NO_CONTEXT), facts=20)
    await store.record(turn("查一下\n明天" + "很" * 40, session="s1", minutes=1), facts=20)
    await store.record(turn("上海天气", session="s2", minutes=2), facts=20)
    await store.record(turn("还有别的吗", session="s1", minutes=3), facts=20)
    views = await store.sessions("u1")
    assert [(v.session_id, v.title) for v in views] == [
        ("s1", "查一下 明天" + "很" * 24), ("s2", "上海天气"), ("s0", ""),
    ]
    assert views[0].updated_at == NOW + timedelta(minutes=3)
    await store.record(turn("那就说吧", session="s0", minutes=4), facts=20)
    assert (await store.sessions("u1"))[0].title == "那就说吧"


async def test_the_full_history_comes_page_by_page_newest_first(store: HistoryStore) -> None:
    for number in range(5):
        await store.record(turn(f"第{number}句"), facts=20)
        await store.record(turn("别处", session="s2"), facts=20)
    seen: list[str] = []
    before: str | None = None
    while True:
        page = await store.messages("u1", "s1", limit=2, before=before)
        assert page is not None
        seen += [m.content for m in page.messages]
        if (before := page.next) is None:
            break
    assert seen == [f"第{number}句" for number in (4, 3, 2, 1, 0)]


async def test_a_cursor_that_cannot_be_is_refused(store: HistoryStore) -> None:
    await store.record(turn("去上海"), facts=20)
    for cursor in ("abc", "-1", "１", "1.5", ""):
        with pytest.raises(InvalidRequest):
            await store.messages("u1", "s1", limit=2, before=cursor)


async def test_each_kind_is_cleared_by_itself(store: HistoryStore) -> None:
    for kind in KINDS:
        await store.record(turn("去上海", context=CONTEXT, profile={"a": 1}, facts=["甲"]), facts=20)
        await store.clear("u1", "s1", (kind,))
        left = await known(store)
        empty = {
            "short_term": not left.short_term, "user_profile": not left.user_profile,
            "task_context": left.task_context == NO_CONTEXT, "long_term": not left.long_term,
        }
        assert {name for name, is_empty in empty.items() if is_empty} == {kind}
    await store.clear("u1", "s1", ("short_term",))
    assert await store.sessions("u1") == ()


async def test_clearing_one_session_leaves_the_others(store: HistoryStore) -> None:
    await store.record(turn("去上海", session="s1"), facts=20)
    await store.record(turn("去北京", session="s2", context=CONTEXT), facts=20)
    await store.clear("u1", "s1", KINDS)
    assert [v.session_id for v in await store.sessions("u1")] == ["s2"]
    assert (await known(store, session="s2")).task_context == CONTEXT


async def test_a_deleted_session_is_gone_and_the_user_stays(store: HistoryStore) -> None:
    await store.record(turn("去上海", context=CONTEXT, profile={"a": 1}), facts=20)
    assert await store.delete_session("u1", "s1")
    assert not await store.delete_session("u1", "s1")
    left = await known(store)
    assert (left.short_term, left.task_context, left.user_profile) == ((), NO_CONTEXT, {"a": 1})


async def test_everything_of_a_user_is_exported_and_erased(store: HistoryStore) -> None:
    await store.record(turn("去上海", profile={"a": 1}, facts=["甲"]), facts=20)
    await store.add_feedback("u1", Feedback("t1", -1, "太慢", NOW))
    await store.add_feedback("u1", Feedback("t1", 1, "其实不错", NOW))
    exported = await store.export("u1")
    rows = exported["conversation_memory"]
    assert isinstance(rows, list)
    assert {str(row["content"]) for row in rows} >= {"去上海", "甲", str({"key": "a", "value": 1})}
    assert isinstance(exported["feedback"], list)
    assert [f["comment"] for f in exported["feedback"]] == ["其实不错"]
    await store.erase("u1")
    assert not any((await store.export("u1")).values())
    assert await known(store) == MemoryContext()

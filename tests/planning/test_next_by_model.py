"""What the words leave open is decided by the model from what came back: one step at a time."""

from collections.abc import AsyncIterator

import pytest

from core.shared.json_types import JsonObject
from core.types.turn import Reply
from tests.model.test_outputs import GOOD_WORDS
from tests.model.world import TRAIN, WEATHER, World, planned, task, understood, world

OPEN = "查后天杭州天气，根据天气再决定要不要看后天上海到杭州的高铁"
FIRST: JsonObject = {"step": 1, "task": "t1", "intent": "query weather", "action": "查天气", "depends_on": 0}
UNDERSTOOD = understood(
    task("query weather", "后天杭州的天气", "t1", city="杭州", date="2026-08-18"),
    task("query train tickets", "后天上海到杭州的高铁", "t2", from_city="上海", to_city="杭州", date="2026-08-18"),
)
THEN: JsonObject = {"step": 2, "task": "t2", "intent": "query train tickets", "action": "查高铁", "depends_on": 1}


@pytest.fixture
async def whole() -> AsyncIterator[World]:
    async with world() as made:
        made.agent.rows = {"query weather": [WEATHER], "query train tickets": [TRAIN]}
        yield made


async def asked(whole: World, *decided: JsonObject) -> Reply:
    return await whole.ask(OPEN, UNDERSTOOD, planned(FIRST, THEN), planned(*decided), GOOD_WORDS)


async def test_a_step_that_the_model_wants_after_what_it_saw_runs_as_planned(whole: World) -> None:
    reply = await asked(whole, {**THEN, "depends_on": 1})
    assert whole.stages[:3] == ["intent", "plan", "plan"]
    assert [(r.step.intent, r.status, r.round) for r in reply.answer.results] == [
        ("query weather", "ok", 1), ("query train tickets", "ok", 1)
    ]


async def test_a_step_that_the_model_does_not_want_any_more_is_left_out_with_its_reason(whole: World) -> None:
    reply = await asked(whole)
    assert whole.asked("query train tickets") == []
    skipped = reply.answer.results[1]
    assert (skipped.status, skipped.text) == ("skipped", "看过天气的结果，火车票就没有再查。")


async def test_an_answer_that_cannot_be_read_leaves_the_plan_as_it_was(whole: World) -> None:
    broken = planned({"step": 2, "intent": "order train tickets", "depends_on": 1})
    reply = await whole.ask(OPEN, UNDERSTOOD, planned(FIRST, THEN), broken, broken, GOOD_WORDS)
    assert [result.status for result in reply.answer.results] == ["ok", "ok"]
    assert reply.model_calls <= 12

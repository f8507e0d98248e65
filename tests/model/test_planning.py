"""Planning and reflection by a model: it orders steps, it never adds a wish, and it always comes to an end."""

import pytest

from core.shared.json_types import JsonObject
from tests.model.test_outputs import CONDITIONAL, GOOD_PLAN, GOOD_WORDS, TWO
from tests.model.world import TRAIN, WEATHER, World, planned, spoken
from tests.support.model_server import answer

TOURS: list[JsonObject] = [
    {"item_id": name, "title": name, "name": name, "days": days, "price": price, "destination": "成都"}
    for name, days, price in (("成都市区一日游", 1, "199.00"), ("都江堰二日游", 2, "520.00"))
]


async def test_independent_wishes_are_planned_without_a_call(whole: World) -> None:
    reply = await whole.ask(TWO, GOOD_WORDS)
    assert whole.stages == ["summary"]
    assert [r.step.depends_on for r in reply.answer.results] == [(), ()]


async def test_a_plan_keeps_the_persons_own_slots(whole: World) -> None:
    steps: list[JsonObject] = [
        {"step": 1, "task": "t1", "intent": "query weather", "depends_on": 0, "slots": {"city": "三亚"}},
        {"step": 2, "task": "t2", "intent": "query train tickets", "depends_on": 1, "slots": {"to_city": "三亚"}},
    ]
    await whole.ask(CONDITIONAL, planned(*steps), GOOD_WORDS)
    assert [call.get("to_city", call.get("city")) for _, call in whole.agent.asked] == ["杭州", "杭州"]


async def test_a_plan_keeps_the_persons_own_condition(whole: World) -> None:
    dry: JsonObject = {"of": 1, "test": "dry"}
    steps: list[JsonObject] = [
        {"step": 1, "task": "t1", "intent": "query weather", "depends_on": 0},
        {"step": 2, "task": "t2", "intent": "query train tickets", "depends_on": 1, "when": dry},
    ]
    reply = await whole.ask(CONDITIONAL, planned(*steps), GOOD_WORDS)
    assert [r.step.when.test for r in reply.answer.results if r.step.when] == ["rain"]


async def test_an_action_in_the_models_words_is_checked_before_a_client_sees_it(whole: World) -> None:
    steps: list[JsonObject] = [
        {"step": 1, "task": "t1", "intent": "query weather", "action": "打开 http://evil.example", "depends_on": 0},
        {"step": 2, "task": "t2", "intent": "query train tickets", "action": "看看去杭州的高铁", "depends_on": 1},
    ]
    reply = await whole.ask(CONDITIONAL, planned(*steps), GOOD_WORDS)
    actions = [r.step.action for r in reply.answer.results]
    assert "evil" not in actions[0]
    assert actions[1] == "看看去杭州的高铁"


async def test_a_three_day_tour_that_is_not_there_is_put_together_from_shorter_ones(whole: World) -> None:
    whole.agent.rows = {"query tour group": []}
    asked: list[JsonObject] = []

    def rows_for(parameter: JsonObject) -> list[JsonObject]:
        asked.append(parameter)
        return [] if "days" in parameter else TOURS

    whole.agent.find = rows_for
    shorter: list[JsonObject] = [
        {"step": 2, "task": "t1", "intent": "query tour group", "action": "查一日游", "slots": {"days": 1}},
        {"step": 3, "task": "t1", "intent": "query tour group", "action": "查二日游", "slots": {"days": 2}},
    ]
    words = spoken("没有现成的三日游，可以把成都市区一日游和都江堰二日游接起来。")
    reply = await whole.ask("成都三日游", planned(*shorter), words)
    assert whole.stages == ["plan", "summary"]
    assert [parameter.get("days") for parameter in asked] == [3, None]
    assert reply.answer.rounds == 2
    assert "都江堰二日游" in reply.answer.text


@pytest.mark.parametrize("raw", ["结果已经足够，可以结束。", '{"complete": true}', '{"steps": []}', "{}"])
async def test_reflection_that_wants_nothing_more_ends_the_turn(whole: World, raw: str) -> None:
    whole.agent.rows = {"query weather": [WEATHER]}
    reply = await whole.ask(TWO, answer(raw), answer(raw), GOOD_WORDS)
    assert reply.answer.rounds <= 2  # the rules, where they must stand in, look once more without a wish
    assert len(whole.asked("query weather")) == 1


async def test_a_failed_step_may_be_tried_again_but_not_for_ever(whole: World) -> None:
    whole.agent.broken = {"query weather"}
    again: JsonObject = {"step": 3, "task": "t2", "intent": "query weather", "action": "再试一次", "depends_on": 0}
    later: JsonObject = {**again, "step": 4}
    reply = await whole.ask(TWO, planned(again), planned(later), planned(later), GOOD_WORDS)
    assert reply.answer.rounds == 3
    assert len(whole.asked("query weather")) == 3
    assert len(whole.asked("query train tickets")) == 1
    assert reply.answer.status == "partial"


@pytest.mark.parametrize("intent", ["order train tickets", "cancel order", "query car rental", "query orders"])
async def test_reflection_never_adds_a_wish(whole: World, intent: str) -> None:
    whole.agent.rows = {"query weather": [WEATHER]}
    extra = planned({"step": 3, "task": "t1", "intent": intent, "action": "顺便", "depends_on": 0})
    reply = await whole.ask(TWO, extra, extra, GOOD_WORDS)
    assert {tool for tool, _ in whole.agent.asked} == {"query train tickets", "query weather"}
    assert not reply.answer.offers


async def test_an_impossible_plan_is_refused_before_any_call(whole: World) -> None:
    ring = planned(
        {"step": 1, "task": "t1", "intent": "query weather", "depends_on": 2},
        {"step": 2, "task": "t2", "intent": "query train tickets", "depends_on": 1},
    )
    calls_then: list[int] = []
    whole.agent.watch = lambda: calls_then.append(len(whole.server.calls))
    await whole.ask(CONDITIONAL, ring, GOOD_PLAN, GOOD_WORDS)
    assert calls_then[0] == 2


async def test_two_impossible_plans_leave_it_to_the_rules(whole: World) -> None:
    ring = planned({"step": 1, "task": "t1", "intent": "query weather", "depends_on": 1})
    reply = await whole.ask(CONDITIONAL, ring, ring, GOOD_WORDS)
    assert reply.answer.degraded
    assert [r.status for r in reply.answer.results] == ["ok", "ok"]


async def test_a_reflection_that_finds_no_way_is_helped_by_the_rules(whole: World) -> None:
    whole.agent.find = lambda wanted: [] if "seat_class" in wanted else [TRAIN]
    again = planned({"step": 2, "task": "t1", "intent": "query train tickets", "depends_on": 0})
    reply = await whole.ask("后天上海到杭州的高铁商务座", again)
    assert [("seat_class" in asked) for asked in whole.asked("query train tickets")] == [True, False]
    assert "G7505" in reply.answer.text

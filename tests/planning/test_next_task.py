"""After a step that is not blindly trusted, what waits for it is planned anew from what it brought."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import pytest

from core.language.slots import Slots
from core.ports.agents import Unreachable
from core.ports.reasoning import PlanningInput
from core.reasoning.dag_opening import chains_over
from core.reasoning.dag_planner import DagPlanner
from core.reasoning.executor import RoundScope, StepExecutor
from core.reasoning.planner import RulePlanner
from core.reasoning.routing import Router
from core.reasoning.tool_costs import MeasuredCosts
from core.shared.call_context import CallContext, new_traceparent
from core.shared.clock import SHANGHAI, ManualClock
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.events import Event, Planned, StepStarted
from core.types.network import AgentView
from core.types.plan import Bind, Plan, Step, StepResult
from core.types.turn import Turn, UserMessage
from core.types.understanding import Task, When
from tests.planning.fixed import Fixed, Rows
from tests.planning.makers import HOUSE, agent, skill

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
CONCERTS, WEATHER, TRAINS = "query concert tickets", "query weather", "query train tickets"
MAYDAY = Slots(artist="五月天", date=date(2026, 8, 20))
SHANGHAI_SHOW = {"city": "上海", "date": "2026-08-29"}
CHENGDU_SHOW = {"city": "成都", "date": "2026-09-05"}


class Turned:
    """One plan carried out over such a network with the DAG planner behind it, by rules."""

    def __init__(self, text: str, agents: Sequence[AgentView] = HOUSE, **has: Any) -> None:
        self.network = Fixed(agents, {name.replace("_", " "): rows for name, rows in has.items()})
        chains = chains_over(self.network.agents, MeasuredCosts(), None)
        self.planner = DagPlanner(chains, RulePlanner())
        self.turn = Turn(UserMessage("u1", "s1", text, new_traceparent()), ManualClock(NOW), 0.0, 60.0)
        self.events: list[Event] = []

    async def run(self, tasks: Sequence[Task], steps: Sequence[Step], number: int = 1) -> tuple[StepResult, ...]:
        async def predicted(step: Step, came: tuple[StepResult, ...], free: int) -> Plan:
            return await self.planner.next(PlanningInput(self.turn, tuple(tasks), came, free), step)

        executor = StepExecutor(self.network, Router(self.network, ()), agent_call_ms=120_000)
        scope = RoundScope(self.turn, number, True, self.events.append, predicted)
        return await executor.run(scope, steps)

    @property
    def plans(self) -> list[Planned]:
        return [event for event in self.events if isinstance(event, Planned)]


def task(number: int, intent: str, slots: Slots = Slots()) -> Task:  # noqa: B008 - frozen
    return Task(f"t{number}", intent, "查", slots)


def step(number: int, intent: str, slots: Slots = Slots(), **more: Any) -> Step:  # noqa: B008 - frozen
    return replace(Step(number, f"t{number}", intent, "查", "查", slots), **more)


def bound(number: int, intent: str, *slots: str, **more: Any) -> Step:
    """A step that takes these from the first one's rows, `to_city` from their city."""
    binds = tuple(Bind(slot, 1, "city" if slot.endswith("city") else slot) for slot in slots)
    return step(number, intent, depends_on=(1,), bind=binds, **more)


SHOW_AND_WEATHER = (task(1, CONCERTS, MAYDAY), task(2, WEATHER))
SHOW = step(1, CONCERTS, MAYDAY, trust_mode=0)


def on_any_day(parameter: dict[str, Any]) -> Rows:
    """No concert on a day that is named."""
    return [] if "date" in parameter else [SHANGHAI_SHOW]


async def test_steps_that_others_wait_for_are_not_blindly_trusted() -> None:
    turned = Turned("五月天演唱会那天当地的天气")
    plan = await turned.planner.plan(PlanningInput(turned.turn, SHOW_AND_WEATHER))
    assert [(one.intent, one.trust_mode) for one in plan.steps] == [(CONCERTS, 0), (WEATHER, 1)]


async def test_the_mode_of_trust_is_sent_with_the_task() -> None:
    turned = Turned("", query_concert_tickets=[SHANGHAI_SHOW], query_weather=[{}])
    await turned.run(SHOW_AND_WEATHER, [SHOW, bound(2, WEATHER, "city", "date")])
    assert [(name, mode) for name, _, mode in turned.network.asked] == [(CONCERTS, 0), (WEATHER, 1)]


async def test_what_came_back_as_expected_changes_nothing() -> None:
    turned = Turned("", query_concert_tickets=[SHANGHAI_SHOW], query_weather=[{}])
    results = await turned.run(SHOW_AND_WEATHER, [SHOW, bound(2, WEATHER, "city", "date")])
    assert [(result.step.number, result.status, result.round) for result in results] == [(1, "ok", 1), (2, "ok", 1)]
    assert turned.plans == []
    assert turned.network.asked[1][1] == SHANGHAI_SHOW


async def test_where_nothing_came_back_a_wish_is_given_up_before_what_waits_for_it_runs() -> None:
    turned = Turned("", query_concert_tickets=on_any_day, query_weather=[{}])
    results = await turned.run(SHOW_AND_WEATHER, [SHOW, bound(2, WEATHER, "city", "date")])
    assert [(r.step.number, r.step.task, r.status, r.round) for r in results] == [
        (1, "t1", "ok", 1), (3, "t1", "ok", 2), (2, "t2", "ok", 2)
    ]
    assert [name for name, _, _ in turned.network.asked] == [CONCERTS, CONCERTS, WEATHER]
    assert turned.network.asked[2][1] == SHANGHAI_SHOW
    (again,) = turned.plans
    assert (again.round, [one.number for one in again.steps]) == (2, [3, 2])
    assert "放宽日期" in again.thought


async def test_a_step_trusted_blindly_is_passed_on_as_it_is() -> None:
    turned = Turned("", query_concert_tickets=on_any_day, query_weather=[{}])
    trusted = replace(SHOW, trust_mode=1)
    results = await turned.run(SHOW_AND_WEATHER, [trusted, bound(2, WEATHER, "city", "date")])
    assert [result.status for result in results] == ["ok", "skipped"]
    assert turned.plans == []


async def test_a_row_that_what_follows_cannot_be_done_with_is_passed_over() -> None:
    turned = Turned("", query_concert_tickets=[SHANGHAI_SHOW, CHENGDU_SHOW], query_train_tickets=[{}])
    tasks = (task(1, CONCERTS, MAYDAY), task(2, TRAINS))
    await turned.run(tasks, [SHOW, bound(2, TRAINS, "to_city", "date", slots=Slots(from_city="上海"))])
    assert turned.network.asked[1][1] == {"from_city": "上海", "to_city": "成都", "date": "2026-09-05"}
    assert [plan.round for plan in turned.plans] == [2]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (SHANGHAI_SHOW, "就在上海本地，火车票用不着了。"),
        ({"city": "成都", "date": "2026-08-01"}, "查到的日子2026-08-01已经过去，火车票就没有再办。"),
        ({"date": "2026-09-05"}, "查到的内容里没有火车票要用的目的地，就先没有办。"),
    ],
)
async def test_what_the_rows_show_to_be_impossible_is_not_tried(row: dict[str, str], said: str) -> None:
    turned = Turned("", query_concert_tickets=[row], query_train_tickets=[{}])
    tasks = (task(1, CONCERTS, MAYDAY), task(2, TRAINS))
    results = await turned.run(tasks, [SHOW, bound(2, TRAINS, "to_city", "date", slots=Slots(from_city="上海"))])
    assert (results[1].status, results[1].text) == ("skipped", said)
    assert [name for name, _, _ in turned.network.asked] == [CONCERTS]


VISA = agent("visas", skill("order visa", {"form_no": "form_no"}, {"offer": "offer"}))
FORMS = agent("forms", skill("fill form", {"destination": "city"}, {"form_no": "form_no"}))
DESK = agent("desk", skill("fetch form", {"destination": "city"}, {"form_no": "form_no"}, price=2))


async def visa(*agents: AgentView, **has: Any) -> tuple[Turned, tuple[StepResult, ...]]:
    turned = Turned("", [*HOUSE, VISA, *agents], order_visa=[{}], **has)
    wish = task(1, "order visa", Slots(destination="泰国"))
    plan = await turned.planner.plan(PlanningInput(turned.turn, (wish,)))
    return turned, await turned.run([wish], plan.steps)


@pytest.mark.parametrize("nothing", [None, []])
async def test_where_a_tool_brought_nothing_another_path_is_taken(nothing: Rows | None) -> None:
    turned, results = await visa(FORMS, DESK, fill_form=nothing, fetch_form=[{"form_no": "F7"}])
    assert [(result.step.intent, result.step.number, result.round) for result in results] == [
        ("fill form", 1, 1), ("fetch form", 3, 2), ("order visa", 2, 2)
    ]
    assert turned.network.asked[-1][1] == {"form_no": "F7", "destination": "泰国"}
    assert turned.plans[0].considered[0].paths[0].tools == ("desk/fetch_form", "visas/order_visa")


async def test_where_there_is_no_other_path_what_follows_is_left_out_with_its_reason() -> None:
    turned, results = await visa(FORMS, fill_form=None)
    assert [result.status for result in results] == ["failed", "skipped"]
    assert turned.plans == []


async def test_when_the_rounds_are_used_up_all_runs_as_it_was_planned() -> None:
    turned = Turned("", query_concert_tickets=on_any_day, query_weather=[{}])
    results = await turned.run(SHOW_AND_WEATHER, [SHOW, bound(2, WEATHER, "city", "date")], number=3)
    assert [result.status for result in results] == ["ok", "skipped"]


async def test_no_more_than_twelve_steps_are_run_for_a_new_plan() -> None:
    turned = Turned("", query_concert_tickets=on_any_day, query_weather=[{}])
    others = [step(number, WEATHER, Slots(city="上海")) for number in range(3, 13)]
    results = await turned.run(SHOW_AND_WEATHER, [SHOW, bound(2, WEATHER, "city", "date"), *others])
    assert len(results) == 12
    assert results[1].status == "skipped"


async def test_a_condition_that_is_not_met_is_not_thought_over() -> None:
    turned = Turned("", query_concert_tickets=[SHANGHAI_SHOW], query_weather=[{}])
    waits = bound(2, WEATHER, "city", when=When("1", "none_found"))
    results = await turned.run(SHOW_AND_WEATHER, [SHOW, waits])
    assert results[1].status == "skipped"
    assert turned.plans == []


async def test_what_does_not_wait_is_not_held_up_by_the_thinking() -> None:
    both = asyncio.Barrier(2)

    class Slow(Fixed):
        async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
            if request.action_code[0].tool_name == TRAINS or request.action_code[0].parameter.get("date") is None:
                await asyncio.wait_for(both.wait(), 5)  # both are on their way at once
            return await super().call(agent, request, context)

    turned = Turned("", query_concert_tickets=on_any_day, query_weather=[{}], query_train_tickets=[{}])
    turned.network = Slow(HOUSE, {CONCERTS: on_any_day, WEATHER: [{}], TRAINS: [{}]})
    results = await turned.run(
        SHOW_AND_WEATHER, [SHOW, bound(2, WEATHER, "city", "date"), step(4, TRAINS, Slots(date=date(2026, 8, 20)))]
    )
    assert [result.status for result in results] == ["ok", "ok", "ok", "ok"]
    assert sum(isinstance(event, StepStarted) for event in turned.events) == 4

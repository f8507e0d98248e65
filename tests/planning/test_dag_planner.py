"""Sentences become plans over the DAG: plain wishes as before, chains where one wish's rows feed another."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from core.adapters.agents.facts_wire import facts_of
from core.memory.recollection import RuleRecollection
from core.ports.reasoning import PlanningInput
from core.reasoning.dag_opening import chains_over
from core.reasoning.dag_planner import DagPlanner
from core.reasoning.dag_understanding import DagUnderstander
from core.reasoning.intent import RuleUnderstander
from core.reasoning.tool_costs import MeasuredCosts
from core.shared.call_context import new_traceparent
from core.shared.clock import SHANGHAI, ManualClock
from core.types.network import AgentView, Skill
from core.types.plan import Bind, Plan, Step
from core.types.tool_facts import ToolFacts, Typed
from core.types.turn import Turn, UserMessage
from core.types.understanding import Understanding
from tests.planning.makers import HOUSE, agent, skill

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))


class Rules:
    """A planner that takes over, and knows that it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def plan(self, given: PlanningInput) -> Plan:
        self.asked += 1
        return Plan()

    async def next(self, given: PlanningInput, step: Step) -> Plan:
        return Plan((step,))


async def planned(
    text: str, agents: Sequence[AgentView] = HOUSE, then: Rules | None = None
) -> tuple[Understanding, tuple[Step, ...]]:
    chains = chains_over(lambda: tuple(agents), MeasuredCosts(), None)
    turn = Turn(UserMessage("u1", "s1", text, new_traceparent()), ManualClock(NOW), started=0.0, deadline=60.0)
    skills = tuple(one for agent in agents for one in agent.skills)
    understood = await DagUnderstander(RuleUnderstander(RuleRecollection()), chains).understand(turn, skills)
    if understood.outcome != "tasks":
        return understood, ()
    plan = await DagPlanner(chains, then or Rules()).plan(PlanningInput(turn, understood.ready))
    return understood, plan.steps


async def test_a_plain_wish_is_one_step() -> None:
    _, steps = await planned("明天北京到上海的高铁")
    assert [(step.intent, step.depends_on, step.bind) for step in steps] == [("query train tickets", (), ())]


async def test_what_an_agent_does_inside_is_not_done_twice() -> None:
    _, steps = await planned("订明天北京到上海最便宜的高铁")
    assert [step.intent for step in steps] == ["order train tickets"]


async def test_a_condition_is_planned_first() -> None:
    then = Rules()
    _, steps = await planned("如果明天上海不下雨，就订明天北京到上海的高铁", then=then)
    assert [(step.intent, step.depends_on) for step in steps] == [("query weather", ()), ("order train tickets", (1,))]
    assert steps[1].when is not None
    assert steps[1].when.test == "dry"
    assert not then.asked


async def test_that_day_and_that_place_come_from_the_rows_of_the_concert() -> None:
    understood, steps = await planned("五月天演唱会那天当地的天气")
    assert understood.asking == ""
    assert [step.intent for step in steps] == ["query concert tickets", "query weather"]
    assert steps[1].bind == (Bind("city", 1, "city"), Bind("date", 1, "date"))
    assert steps[1].depends_on == (1,)
    assert steps[1].slots.to_json() == {}
    assert "2026" not in steps[1].query


async def test_without_such_words_the_city_is_asked_for() -> None:
    understood, steps = await planned("看看五月天的演唱会，还有明天的天气")
    assert "请问是哪个城市" in understood.asking
    assert [step.intent for step in steps] == ["query concert tickets"]


GLIDE = Skill(
    "order paragliding", "预订滑翔伞", ("滑翔伞",), ("订滑翔伞",), "glide",
    ToolFacts("glide", (Typed("form_no"),), (Typed("offer"),)),
)
FORM = skill("fill form", {"city": "city", "date": "date"}, {"form_no": "form_no"}, kind="form")
WITH_GLIDING = [*HOUSE, agent("gliders", GLIDE), agent("forms", FORM)]


async def test_a_third_partys_chain_is_planned_by_its_declarations() -> None:
    _, steps = await planned("订明天成都的滑翔伞", WITH_GLIDING)
    assert [(step.number, step.intent, step.task) for step in steps] == [
        (1, "fill form", "t1"), (2, "order paragliding", "t1")
    ]
    assert steps[1].bind == (Bind("form_no", 1, "form_no"),)


HOTELS = Skill("query hotels", "查询酒店", ("酒店", "住宿"), ("上海的酒店",), "query_hotels")


async def test_one_declared_need_joins_a_new_tool_to_what_others_bring() -> None:
    declared = replace(HOTELS, facts=facts_of({"needs": ["city"]}))
    _, steps = await planned("五月天演唱会那天当地的酒店", [*HOUSE, agent("hotels", declared)])
    assert [(step.intent, step.bind) for step in steps] == [
        ("query concert tickets", ()), ("query hotels", (Bind("city", 1, "city"),))
    ]
    _, alone = await planned("上海的酒店", [*HOUSE, agent("hotels", HOTELS)])
    assert [(step.intent, step.slots.city) for step in alone] == [("query hotels", "上海")]


async def test_what_a_third_party_needs_and_nobody_supplies_is_asked_before_any_call() -> None:
    understood, steps = await planned("订成都的滑翔伞", WITH_GLIDING)
    assert (understood.outcome, understood.message) == ("follow_up", "请问是哪一天？")
    assert steps == ()


async def test_a_tool_left_out_of_the_dag_is_planned_by_the_other_way() -> None:
    odd = Skill("order paragliding", "", ("滑翔伞",), ("订滑翔伞",), "g", ToolFacts(fault="needs gives 'x' no type"))
    then = Rules()
    await planned("订成都的滑翔伞", [*HOUSE, agent("gliders", odd)], then)
    assert then.asked == 1


async def test_wishes_that_hang_together_as_no_type_tells_are_planned_by_the_other_way() -> None:
    then = Rules()
    await planned("查明天上海天气，根据天气再决定要不要看明天北京到上海的高铁", then=then)
    assert then.asked == 1

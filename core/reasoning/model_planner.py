"""Planning and reflection by a model: it orders the steps, code holds it to what was understood."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.language.guard_words import harmless
from core.ports.language_model import ModelAsk
from core.ports.reasoning import Planner, PlanningInput
from core.reasoning.labels import label
from core.reasoning.model_inputs import history_part, message_part, observations_part, tasks_part, today_line
from core.reasoning.model_plan import WishedStep, renumbered, wished_steps
from core.reasoning.model_stage import ModelDesk, Unfit, schema_of
from core.reasoning.next_task import watched
from core.reasoning.plan_check import ImpossiblePlan, check_plan
from core.reasoning.reflection import further_steps, given_up, latest_by_task, may_give_up, without
from core.reasoning.routing import Router
from core.shared.json_types import JsonValue
from core.types.plan import Plan, Step, StepResult
from core.types.understanding import Task, When

_DECIDED_LATER = re.compile(r"根据|取决于|视.{0,8}而定|看情况|再决定|再说|要不要")
"""Words by which it is left to what comes whether a wish is one at all."""

PLAN, REFLECT = "plan", "reflect"

# Words that make one wish wait for another; without them and without a condition, wishes are independent.
_DEPENDS = re.compile(
    r"根据|取决于|视.{0,8}而定|看情况|再决定|再说|否则|不然|如果|要是|的话|先.{1,30}再|之后再|完了再|哪里.{0,20}就"
)


class ModelPlanner:
    """Implements the port Planner. Independent wishes are planned without a call: each is a step of its own."""

    def __init__(self, desk: ModelDesk, rules: Planner, router: Router) -> None:
        self._desk = desk
        self._rules = rules
        self._router = router

    async def plan(self, given: PlanningInput) -> Plan:
        if _is_settled(given):
            return await self._rules.plan(given)
        stage = REFLECT if given.results else PLAN
        checked = self._again if given.results else self._first

        def use(answer: JsonValue) -> tuple[Step, ...]:
            wished = wished_steps(answer, given, self._router.tools())
            return _possible(checked(given, wished), given.results)

        steps = await self._desk.answer(given.turn, self._question(stage, given), use)
        return await self._rules.plan(given) if steps is None else Plan(watched(steps))

    async def next(self, given: PlanningInput, step: Step) -> Plan:
        """By the rules, unless the words left it open whether the step is done at all: that the model decides."""
        plan = await self._rules.next(given, step)
        tasks = tuple(task for task in given.tasks if task.id == step.task)
        if plan.steps != (step,) or not tasks or not _is_left_open(given, step):
            return plan

        def use(answer: JsonValue) -> Plan:
            wished = wished_steps(answer, replace(given, tasks=tasks), self._router.tools())
            return self._decided(given, step, wished)

        decided = await self._desk.answer(given.turn, self._question(REFLECT, replace(given, tasks=tasks)), use)
        return plan if decided is None else decided

    def _decided(self, given: PlanningInput, step: Step, wished: Sequence[WishedStep]) -> Plan:
        """The step as it was planned, or with wishes given up that may be; or nothing, and why."""
        mine = next((one for one in wished if one.intent == step.intent), None)
        if mine is None:
            seen = "、".join(dict.fromkeys(label(result.step.intent) for result in given.results))
            return Plan((), f"看过{seen}的结果，{label(step.intent)}就没有再查。")
        said = step.slots.to_json()
        dropped = tuple(sorted(n for n in mine.dropped if n in may_give_up(step.intent) and n in said))
        if not dropped:
            return Plan((step,))
        fewer = replace(step, slots=without(step.slots, dropped), relaxed=(*step.relaxed, *dropped))
        return Plan((replace(fewer, action=f"放宽{given_up(fewer)}后再查：{step.query}"),))

    def _question(self, stage: str, given: PlanningInput) -> ModelAsk:
        turn = given.turn
        values = {
            "today": today_line(turn.clock.now()),
            "next_number": str(given.next_number),
            "history": history_part(turn.memory.short_term),
            "message": message_part(turn),
            "tasks": tasks_part(given.tasks),
            "observations": observations_part(given.results),
        }
        return self._desk.question(stage, self._desk.prompts.get("plan"), values, schema_of("plan"))

    def _first(self, given: PlanningInput, wished: Sequence[WishedStep]) -> tuple[Step, ...]:
        """The first plan: every task has its step, with the slots that were understood and its condition."""
        steps = renumbered(_collapsed(wished), given.next_number, ())
        served = {(step.task.id, step.intent) for step in steps}
        if missing := [task.id for task in given.tasks if (task.id, task.intent) not in served]:
            raise Unfit(f"任务 {'、'.join(missing)} 还没有步骤；第一次安排时每个任务至少要有一步。")
        numbers = {step.task.id: step.number for step in steps if step.intent == step.task.intent}
        return tuple(self._step(given, step, numbers) for step in steps)

    def _again(self, given: PlanningInput, wished: Sequence[WishedStep]) -> tuple[Step, ...]:
        """Further steps: one for each task that may be looked at again, with fewer wishes than before."""
        latest = {result.step.task: result for result in latest_by_task(given.results)}
        asked = [(step, latest.get(step.task.id)) for step in _one_for_each_task(wished)]
        fresh = [_without_more(step, before) for step, before in asked if _may_run(step, before)]
        if wished and not fresh:  # it would look again and found no way to: the rules know one, if there is any
            return further_steps(given)
        if fresh:  # what was skipped may follow now that something it waited for is tried again
            fresh += [step for step, before in asked if before is not None and before.status == "skipped"]
        done = [result.step.number for result in given.results]
        steps = renumbered(fresh, given.next_number, done)
        numbers = {task: result.step.number for task, result in latest.items()}
        numbers |= {step.task.id: step.number for step in steps}
        return tuple(self._step(given, step, numbers) for step in steps)

    def _step(self, given: PlanningInput, wished: WishedStep, numbers: dict[str, int]) -> Step:
        task = wished.task
        dropped = tuple(sorted(name for name in wished.dropped if name in may_give_up(wished.intent)))
        relaxed = dropped if given.results else ()
        dependent = _DEPENDS.search(given.turn.message.text)
        when = _condition(task, numbers) or (wished.when if dependent else None)
        depends_on = tuple(dict.fromkeys([*wished.depends_on, *([int(when.of)] if when else [])]))
        step = Step(
            number=wished.number, task=task.id, intent=wished.intent, action="", query=task.query,
            slots=without(task.slots, relaxed), depends_on=depends_on, when=when, bind=wished.bind, relaxed=relaxed,
        )
        plainly = f"放宽{given_up(step)}后再查：{task.query}" if relaxed else task.query
        said = harmless(wished.action, self._desk.prompts, allowed=f"{task.query}{given.turn.message.text}")
        return replace(step, action=said or plainly)


def _is_left_open(given: PlanningInput, step: Step) -> bool:
    """Whether only the result that came can tell if the step is wanted. An order is the person's to decide."""
    if step.when is not None or step.bind or step.intent.startswith(("order ", "cancel ")):
        return False
    return bool(_DECIDED_LATER.search(given.turn.message.text)) and any(result.has_rows for result in given.results)


def _is_settled(given: PlanningInput) -> bool:
    """Whether there is nothing for a model to decide."""
    if given.results:
        return not any(_may_go_on(result) for result in latest_by_task(given.results))
    return len(given.tasks) == 1 or not (
        any(task.when for task in given.tasks) or _DEPENDS.search(given.turn.message.text)
    )


def _may_go_on(result: StepResult) -> bool:
    """Whether any further step of its task could bring more: it failed, or found nothing with a wish to give up."""
    if result.step.intent.startswith(("order ", "cancel ")):
        return False
    if result.status == "failed":
        return True
    said = result.step.slots.to_json()
    return result.status == "ok" and not result.has_rows and any(n in said for n in may_give_up(result.step.intent))


def _may_run(step: WishedStep, before: StepResult | None) -> bool:
    """Whether a step may follow what its task has brought. A completed one never runs again, an order least of all."""
    if before is None:
        return True
    if step.intent.startswith(("order ", "cancel ")):
        return False
    if before.status == "failed":
        return True
    new = step.dropped & may_give_up(step.intent) - set(before.step.relaxed)
    return before.status == "ok" and not before.has_rows and bool(new)


def _without_more(step: WishedStep, before: StepResult | None) -> WishedStep:
    """What was given up once stays given up."""
    return replace(step, dropped=step.dropped | set(before.step.relaxed)) if before else step


def _collapsed(steps: Sequence[WishedStep]) -> tuple[WishedStep, ...]:
    """Steps that do the same are one; what waited for its double waits for it."""
    first: dict[tuple[object, ...], int] = {}
    same: dict[int, int] = {}
    kept = []
    for step in steps:
        key = (step.task.id, step.intent, step.when, step.bind)
        same[step.number] = first.setdefault(key, step.number)
        if same[step.number] == step.number:
            kept.append(step)
    return tuple(replace(s, depends_on=tuple(same.get(number, number) for number in s.depends_on)) for s in kept)


def _one_for_each_task(steps: Sequence[WishedStep]) -> list[WishedStep]:
    """Steps of one task differ in wishes that may be given up: one step without all of these brings every row."""
    merged: dict[str, WishedStep] = {}
    for step in steps:
        before = merged.get(step.task.id)
        merged[step.task.id] = replace(before, dropped=before.dropped | step.dropped) if before else step
    numbers = {step.number: merged[step.task.id].number for step in steps}
    return [
        replace(step, depends_on=tuple(numbers.get(n, n) for n in step.depends_on)) for step in merged.values()
    ]


def _condition(task: Task, numbers: dict[str, int]) -> When | None:
    """The condition that the person set, on the step of the task it looks at."""
    if task.when is None or task.when.of not in numbers:
        return None
    return When(of=str(numbers[task.when.of]), test=task.when.test)


def _possible(steps: tuple[Step, ...], results: Sequence[StepResult]) -> tuple[Step, ...]:
    try:
        check_plan(steps, [result.step.number for result in results])
    except ImpossiblePlan as error:
        raise Unfit(f"这个计划走不通：{error}") from error
    return steps

"""The next task, predicted anew by rules from what a step brought: what waited for it need not be as it was planned.

A step that others wait for has trust_mode 0: its observation is reasoned over before they run. With trust_mode 1 it is
passed on as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from core.ports.reasoning import PlanningInput
from core.reasoning.labels import label
from core.reasoning.plan_check import needs
from core.reasoning.reflection import given_up, relaxed
from core.shared.json_types import Row
from core.types.plan import Bind, Plan, Step, StepResult


def watched(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps, those that another waits for with trust_mode 0."""
    awaited = {number for step in steps for number in needs(step)}
    return tuple(replace(step, trust_mode=0) if step.number in awaited else step for step in steps)


def follow(given: PlanningInput, step: Step) -> Plan:
    """What is to run in the place of `step` now that `given.results` have come, the step itself last.

    Where rows are missing the step that should have brought them is tried with a wish less; of several rows one is
    taken that the step can be done with. Without steps: the thought says why it cannot be done.
    """
    results = {result.step.number: result for result in given.results}
    for bind in step.bind:
        source = results.get(bind.step)
        if source is not None and source.status == "ok" and not source.has_rows:
            return _tried_again(step, source, given.next_number)
    return _with_fitting_rows(step, results, given.turn.clock.now().date())


def _tried_again(step: Step, source: StepResult, number: int) -> Plan:
    again = relaxed(source.step, number)
    if again is None:
        return Plan((step,))
    thought = f"没有查到，放宽{given_up(again)}再查，接着做后面的一步"
    return Plan((replace(again, trust_mode=0), moved(step, {source.step.number: number})), thought)


def moved(step: Step, to: Mapping[int, int]) -> Step:
    """The step, taking from other steps what it was to take from these."""
    return replace(
        step,
        depends_on=tuple(dict.fromkeys(to.get(number, number) for number in step.depends_on)),
        bind=tuple(replace(bind, step=to.get(bind.step, bind.step)) for bind in step.bind),
    )


def _with_fitting_rows(step: Step, results: Mapping[int, StepResult], today: date) -> Plan:
    for number in dict.fromkeys(bind.step for bind in step.bind):
        source = results.get(number)
        if source is None or source.data is None or not source.has_rows:
            continue
        taken = [bind for bind in step.bind if bind.step == number]
        fitting = [place for place, row in enumerate(source.data.rows) if not _unfit(step, taken, row, today)]
        if not fitting:
            return Plan((), _unfit(step, taken, source.data.rows[0], today))
        if fitting[0]:
            step = replace(step, bind=tuple(_at(bind, number, fitting[0]) for bind in step.bind))
    return Plan((step,), "前面查到的第一条用不上，换一条接着做" if any(bind.row for bind in step.bind) else "")


def _at(bind: Bind, number: int, row: int) -> Bind:
    return replace(bind, row=row) if bind.step == number else bind


def _unfit(step: Step, taken: Sequence[Bind], row: Row, today: date) -> str:
    """Why the step cannot be done with this row; empty where it can."""
    about = label(step.intent)
    values = {bind.slot: row.get(bind.field) for bind in taken}
    if missing := [slot for slot, value in values.items() if value is None]:
        return f"查到的内容里没有{about}要用的{_SLOTS.get(missing[0], missing[0])}，就先没有办。"
    day = str(values.get("date") or "")
    if day and day < today.isoformat():
        return f"查到的日子{day}已经过去，{about}就没有再办。"
    journey = {**step.slots.to_json(), **values}
    if journey.get("from_city") and journey.get("from_city") == journey.get("to_city"):
        return f"就在{journey['to_city']}本地，{about}用不着了。"
    return ""


_SLOTS: Mapping[str, str] = {
    "city": "城市", "from_city": "出发地", "to_city": "目的地", "destination": "目的地", "date": "日期",
}

"""Reflection by rules: when a task came back empty, look again with one wish less, and say so."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from core.language.slots import Slots
from core.ports.reasoning import PlanningInput
from core.types.plan import Step, StepResult

# Wishes that may be given up, least dear first. Cities and dates of a journey never are: another day is another
# journey. A concert or a tour on another day is better than none.
_MAY_GIVE_UP: dict[str, tuple[tuple[str, ...], ...]] = {
    "query train tickets": (("seat_class",), ("time_after", "time_before", "arrive_after", "arrive_before"),
                            ("train_type", "train_no")),
    "query flight tickets": (("cabin",), ("time_after", "time_before", "arrive_after", "arrive_before"),
                             ("airline", "direct", "flight_no")),
    "query concert tickets": (("date", "date_end"),),
    "query tour group": (("from_city",), ("days",), ("date", "date_end")),
}

_WISH = {
    "seat_class": "席别",
    "cabin": "舱位",
    "time_after": "时段",
    "time_before": "时段",
    "arrive_after": "到达时间",
    "arrive_before": "到达时间",
    "train_type": "车型",
    "train_no": "车次",
    "airline": "航空公司",
    "direct": "直飞",
    "flight_no": "航班号",
    "from_city": "出发地",
    "days": "天数",
    "date": "日期",
    "date_end": "日期",
}


def all_clear(results: Iterable[StepResult]) -> bool:
    """Whether reflection may be skipped: every step independent, each with a valid, non-empty result."""
    return all(r.status == "ok" and r.has_rows and not r.step.depends_on for r in results)


def further_steps(given: PlanningInput) -> tuple[Step, ...]:
    """One more step for each task whose latest result is empty and that has a wish to give up. May be none."""
    number = given.next_number
    steps: list[Step] = []
    for result in latest_by_task(given.results):
        if result.status != "ok" or result.has_rows:
            continue
        if (again := relaxed(result.step, number)) is not None:
            steps.append(again)
            number += 1
    return tuple(steps)


def latest_by_task(results: Iterable[StepResult]) -> tuple[StepResult, ...]:
    """For each task the result that counts: the last one."""
    return tuple({result.step.task: result for result in results}.values())


def given_up(step: Step) -> str:
    """The wishes a step gave up, as a traveller calls them; empty for none."""
    return "、".join(dict.fromkeys(_WISH.get(name, name) for name in step.relaxed))


def relaxed(step: Step, number: int) -> Step | None:
    """The step under a new number with a wish less; None where it has none that may be given up."""
    for names in _MAY_GIVE_UP.get(step.intent, ()):
        said = tuple(name for name in names if _may_go(name, step.slots))
        if said:
            again = replace(
                step, number=number, slots=_without(step.slots, said), relaxed=step.relaxed + said, depends_on=(),
                when=None, bind=(),
            )
            return replace(again, action=f"放宽{given_up(again)}后再查：{step.query}")
    return None


def _may_go(name: str, slots: Slots) -> bool:
    """Whether it was said and can be missed: a number that stands for the cities cannot."""
    stands_for_cities = name in ("train_no", "flight_no") and not (slots.from_city and slots.to_city)
    return getattr(slots, name) is not None and not stands_for_cities


def _without(slots: Slots, names: tuple[str, ...]) -> Slots:
    emptied: dict[str, Any] = dict.fromkeys(names)
    return replace(slots, **emptied)


def may_give_up(intent: str) -> frozenset[str]:
    """The slots of an intent that reflection may drop."""
    return frozenset(name for names in _MAY_GIVE_UP.get(intent, ()) for name in names)


def without(slots: Slots, names: Iterable[str]) -> Slots:
    """The slots with these left open."""
    return _without(slots, tuple(names))

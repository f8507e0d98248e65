"""Impossible plans are refused before the first call."""

import pytest

from core.language.slots import Slots
from core.reasoning.plan_check import ImpossiblePlan, check_plan
from core.types.plan import Bind, Step
from core.types.understanding import When


def step(number: int, *depends_on: int, when: When | None = None, bind: tuple[Bind, ...] = ()) -> Step:
    return Step(
        number=number, task=f"t{number}", intent="query weather", action="", query="", slots=Slots(),
        depends_on=depends_on, when=when, bind=bind,
    )


def test_independent_and_dependent_steps_are_fine() -> None:
    steps = [step(1), step(2, 1), step(3, 1, 2)]
    check_plan(steps)
    assert [s.number for s in steps] == [1, 2, 3]


def test_a_step_may_depend_on_an_earlier_rounds_step() -> None:
    later = [step(3, 1)]
    check_plan(later, done={1, 2})
    assert later[0].depends_on == (1,)


@pytest.mark.parametrize(
    ("steps", "done", "why"),
    [
        ([step(1, 1)], (), "depends on itself"),
        ([step(1, 2), step(2, 1)], (), "wait for one another"),
        ([step(1, 2), step(2, 3), step(3, 1)], (), "wait for one another"),
        ([step(1, 7)], (), "unknown step 7"),
        ([step(1, when=When(of="9", test="rain"))], (), "unknown step 9"),
        ([step(1, bind=(Bind("city", 5, "city"),))], (), "unknown step 5"),
        ([step(1), step(1)], (), "repeated"),
        ([step(2), step(1)], (), "does not rise"),
        ([step(2)], (1, 2), "repeated"),
        ([step(n) for n in range(1, 14)], (), "at most 12"),
    ],
)
def test_what_cannot_be_executed_is_refused(steps: list[Step], done: tuple[int, ...], why: str) -> None:
    with pytest.raises(ImpossiblePlan, match=why):
        check_plan(steps, done)

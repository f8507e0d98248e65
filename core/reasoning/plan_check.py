"""Refuses an impossible plan before its first call."""

from collections.abc import Collection, Sequence

from core.types.plan import MAX_STEPS, Step


class ImpossiblePlan(Exception):
    """A plan that cannot be executed; the message says which step is wrong and why."""


def check_plan(steps: Sequence[Step], done: Collection[int] = ()) -> None:
    """Raise ImpossiblePlan unless numbers are new and rising, dependencies exist, and nothing waits for itself.

    `done` holds the numbers of earlier rounds' steps, which may be depended on but not repeated.
    """
    if len(steps) + len(done) > MAX_STEPS:
        raise ImpossiblePlan(f"{len(steps) + len(done)} steps, at most {MAX_STEPS} are allowed in a turn")
    _check_numbers(steps, done)
    known = {step.number for step in steps} | set(done)
    for step in steps:
        if step.number in step.depends_on:
            raise ImpossiblePlan(f"step {step.number} depends on itself")
        if unknown := sorted(set(needs(step)) - known):
            raise ImpossiblePlan(f"step {step.number} depends on unknown step {unknown[0]}")
    _check_cycles(steps, done)


def needs(step: Step) -> tuple[int, ...]:
    """Every step that must be done before: named, or implied by a binding or a condition."""
    implied = [bind.step for bind in step.bind] + ([int(step.when.of)] if step.when else [])
    return tuple(dict.fromkeys([*step.depends_on, *implied]))


def _check_numbers(steps: Sequence[Step], done: Collection[int]) -> None:
    last = max(done, default=0)
    for step in steps:
        if step.number <= last:
            raise ImpossiblePlan(f"step number {step.number} is repeated or does not rise")
        last = step.number


def _check_cycles(steps: Sequence[Step], done: Collection[int]) -> None:
    waiting = {step.number: set(needs(step)) - set(done) for step in steps}
    while waiting:
        free = {number for number, before in waiting.items() if not before}
        if not free:
            raise ImpossiblePlan(f"steps {sorted(waiting)} wait for one another")
        waiting = {number: before - free for number, before in waiting.items() if number not in free}

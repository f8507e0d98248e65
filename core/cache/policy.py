"""What may be kept, and for how long: a closed list. Whatever is not on it is answered anew every time."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.shared.clock import Clock, seconds_to_midnight
from core.types.plan import StepResult
from core.types.turn import Answer
from core.types.understanding import Task


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of data. `lives_s`: how long an answer made from it may be given again."""

    name: str
    lives_s: float
    dated: bool = True
    """Whether 今天 is meant where no day is said: such an answer ends with its day."""


MINUTE, DAY = 60.0, 86_400.0

READ_ONLY: dict[str, Kind] = {
    "query weather": Kind("weather", 30 * MINUTE),
    "query train tickets": Kind("train", MINUTE),
    "query flight tickets": Kind("flight", MINUTE),
    "query concert tickets": Kind("concert", MINUTE),
    "query car rental": Kind("car_rental", MINUTE),
    "query tour group": Kind("tour_group", MINUTE),
    "query insurance": Kind("insurance", MINUTE),
    "attraction": Kind("attraction", DAY, dated=False),
}

SELLABLE = tuple(kind.name for kind in READ_ONLY.values() if kind.name not in ("weather", "attraction"))
ALL_KINDS = tuple(kind.name for kind in READ_ONLY.values())


def kinds_of(intents: Sequence[str]) -> tuple[str, ...]:
    """The kinds of data behind these intents, each once; empty when one of them may not be kept at all."""
    known = [READ_ONLY.get(intent) for intent in intents]
    names = dict.fromkeys(kind.name for kind in known if kind is not None)
    return tuple(sorted(names)) if None not in known else ()


def is_shareable(answer: Answer) -> bool:
    """Whether the answer is nobody's own: it only looked, at nothing but what was asked."""
    understanding = answer.understanding
    looked = bool(kinds_of([task.intent for task in understanding.tasks]))
    return looked and not (understanding.leaned or answer.offers or answer.orders)


def may_write(answer: Answer) -> bool:
    """Complete answers to read-only intents whose understanding used no history."""
    understanding = answer.understanding
    complete = answer.status == "answered" and understanding.outcome == "tasks" and not answer.degraded
    asks = understanding.asking or understanding.waiting
    return complete and not asks and is_shareable(answer) and _all_brought(answer, understanding.tasks)


def _all_brought(answer: Answer, tasks: Sequence[Task]) -> bool:
    """Every step went well, and every task had one."""
    done = {result.step.task for result in answer.results}
    return all(map(_is_whole, answer.results)) and done == {task.id for task in tasks}


def _is_whole(result: StepResult) -> bool:
    return result.status == "ok" and not result.incomplete and not result.quotes and result.error is None


def lives_s(answer: Answer, clock: Clock) -> float:
    """How long an answer may be given: the shortest of its kinds, and never past the day it was made on where a day is
    in it. What was not found may be there in a minute."""
    tasks = answer.understanding.tasks
    kinds = [READ_ONLY[task.intent] for task in tasks]
    lengths = [kind.lives_s for kind in kinds]
    if not all(result.has_rows for result in answer.results):
        lengths.append(MINUTE)
    if any(kind.dated for kind in kinds) or any(task.slots.date for task in tasks):
        lengths.append(seconds_to_midnight(clock.now()))
    return min(lengths)

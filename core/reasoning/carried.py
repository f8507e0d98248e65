"""What an answer leaves of the wishes it leans on: their conditions hold on, and a mere no wishes none of them anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from core.language.consent import read_consent
from core.language.frames import Frame, Reading, Topic
from core.reasoning.conditions import TESTS
from core.types.memory import TaskContext

_POLITE = ("greeting", "thanks", "farewell", "assistant")
_BARE: Mapping[str, Topic] = {"no": "refusal", "yes": "assent", "later": "assent", "unclear": "assent"}
"""What is said to an offer, where there is none."""

_OF_WISHES = ("found", "none_found")


def when_of(index: int, frames: Sequence[Frame]) -> tuple[int, str] | None:
    """Which frame a condition looks at, and its test. One said in an earlier turn stands in the slots only."""
    frame = frames[index]
    if frame.when is not None:
        return frame.when.frame, frame.when.test
    test = frame.slots.condition
    if test not in TESTS:
        return None
    looked_at = [n for n in range(index) if test in _OF_WISHES or frames[n].intent == "query weather"]
    return (looked_at[-1], test) if looked_at else None


def answers_nothing(reading: Reading, context: TaskContext, bare: Callable[[], Reading]) -> Reading:
    """The reading without wishes that a message only repeats because we had asked: 算了 wishes nothing, nor does 再见.

    `bare` reads the message by itself.
    """
    known = [(task.intent, task.slots) for task in context.tasks]
    if not all((frame.intent, frame.slots) in known for frame in reading.frames):
        return reading
    if (topic := _BARE.get(read_consent(reading.text).kind)) is not None:
        return replace(reading, frames=(), topic=topic, leaned=False)
    if not reading.frames or (alone := bare()).frames or alone.topic not in _POLITE:
        return reading
    return alone

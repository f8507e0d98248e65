"""One turn of a conversation: the message that comes in and the reply that goes out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from core.types.plan import StepResult
from core.types.understanding import Understanding

ReplyStatus = Literal[
    "answered", "partial", "follow_up", "not_understood", "out_of_scope", "confirmation_required", "failed"
]


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a person said, and where."""

    user_id: str
    session_id: str
    text: str
    traceparent: str


@dataclass(frozen=True, slots=True)
class Deadline:
    """The moment, on the clock's monotonic scale, when the turn must have ended."""

    at: float
    read: Callable[[], float]

    def remaining_ms(self) -> int:
        return max(0, int((self.at - self.read()) * 1000))


@dataclass(frozen=True, slots=True)
class Answer:
    """What the core made of a message."""

    text: str
    status: ReplyStatus
    understanding: Understanding
    results: tuple[StepResult, ...] = ()
    rounds: int = 0
    degraded: bool = False

"""One turn of a conversation: the message that comes in and the reply that goes out."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from core.shared.call_context import CallContext, child_traceparent, trace_id_of
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.budget import Budget
from core.types.memory import NOTHING_KNOWN, MemoryContext
from core.types.orders import Offer
from core.types.plan import StepResult
from core.types.understanding import Understanding

ReplyStatus = Literal[
    "answered", "partial", "follow_up", "not_understood", "out_of_scope", "confirmation_required", "failed"
]


CacheLevel = Literal["redis", "milvus"]


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a person said, and where."""

    user_id: str
    session_id: str
    text: str
    traceparent: str

    @property
    def trace_id(self) -> str:
        return trace_id_of(self.traceparent)


@dataclass(frozen=True, slots=True)
class Turn:
    """A message being answered: when that began and by when it must end (seconds of the clock's monotonic scale).

    `memory` is what was known of the person and the conversation when it began.
    """

    message: UserMessage
    clock: Clock
    started: float
    deadline: float
    memory: MemoryContext = NOTHING_KNOWN
    budget: Budget = field(default_factory=lambda: Budget(lambda: 0.0, calls=0))

    def elapsed_ms(self) -> int:
        return int((self.clock.monotonic() - self.started) * 1000)

    def remaining_ms(self) -> int:
        return max(0, int((self.deadline - self.clock.monotonic()) * 1000))

    def call_context(self, *, remaining_ms: int, wording: bool, model_calls: int) -> CallContext:
        """The metadata of one call made for this turn. `model_calls`: what the budget has lent it."""
        return CallContext(
            user_id=self.message.user_id,
            session_id=self.message.session_id,
            remaining_ms=remaining_ms,
            traceparent=child_traceparent(self.message.traceparent),
            model_calls_left=model_calls,
            wording=wording,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What the core made of a message."""

    text: str
    status: ReplyStatus
    understanding: Understanding
    results: tuple[StepResult, ...] = ()
    rounds: int = 0
    degraded: bool = False
    offers: tuple[Offer, ...] = ()
    orders: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with what the caller needs to place it. Milliseconds."""

    message: UserMessage
    answer: Answer
    elapsed_ms: int
    model_calls: int = 0
    model_tokens: int = 0
    cache_level: CacheLevel | None = None
    as_of: datetime | None = None
    """When an answer from the cache was made; None for one that was just made."""

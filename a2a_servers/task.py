"""One request as an agent gets it, whatever dialect it came in."""

from dataclasses import dataclass

from core.adapters.llm.allowance import Allowance
from core.shared.call_context import CallContext
from core.shared.clock import Clock
from core.types.agent_protocol import AgentRequest

# Kept back from the caller's time so that the answer is on its way before the caller gives up.
_LARGEST_RESERVE_MS = 500
_RESERVE_SHARE = 20


@dataclass(frozen=True, slots=True)
class AgentTask:
    """What is to be done: a request in our own format, or else a text in somebody's own words."""

    context: CallContext
    request: AgentRequest | None = None
    text: str = ""
    context_id: str = ""
    """The conversation it belongs to."""
    continues: bool = False
    """Whether it goes on with a task whose earlier messages are part of it."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The time a task has, counted from the moment it arrived."""

    clock: Clock
    deadline: float

    def remaining_ms(self) -> int:
        return max(0, int((self.deadline - self.clock.monotonic()) * 1000))


def budget_of(context: CallContext, clock: Clock) -> Budget:
    """The caller's time without the small reserve for the way back."""
    reserve = min(_LARGEST_RESERVE_MS, context.remaining_ms // _RESERVE_SHARE)
    return Budget(clock, clock.monotonic() + (context.remaining_ms - reserve) / 1000)


def allowance_of(context: CallContext, budget: Budget) -> Allowance:
    """What the caller lets this task spend on the language model."""
    return Allowance(budget.clock, calls=context.model_calls_left, seconds=budget.remaining_ms() / 1000)

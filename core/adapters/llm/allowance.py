"""What one agent call may spend on the language model, and what came of it."""

from core.adapters.llm.budget import StageBudget, TurnBudget
from core.ports.language_model import CallBudget, ModelFailure
from core.shared.clock import Clock
from core.types.agent_protocol import Usage
from core.types.budget import MOST_CALLS

STAGE_CALLS = 3
"""Of one stage, retries and the second ask included."""

SHARE = 0.4
"""Of the time that is left, what one stage may take: a model that hangs must leave the rules time to answer."""

_FOR_GOOD = frozenset({"unavailable", "rejected", "budget"})


class Allowance:
    """Calls and time that the caller has granted. One object for an agent call, used by its stages in turn."""

    def __init__(self, clock: Clock, *, calls: int, seconds: float) -> None:
        self._granted = max(0, min(calls, MOST_CALLS))
        self._budget = TurnBudget(clock, calls=self._granted, seconds=seconds)
        self._closed = False
        self._degraded = False

    @property
    def open(self) -> bool:
        """Whether the model may be asked at all."""
        return not self._closed and self._budget.calls_left > 0 and self._budget.remaining_s() > 0

    @property
    def calls_left(self) -> int:
        """How many calls may still be made; none once it is closed."""
        return self._budget.calls_left if self.open else 0

    def lent(self, most: int) -> int:
        """How many of the calls left another agent may make, at most; one stays here."""
        return max(0, min(most, self.calls_left - 1))

    def settle(self, lent: int, usage: Usage) -> None:
        """What another agent has spent out of what it was lent."""
        self._budget.calls_left -= max(0, min(usage.model_calls, lent))
        self._budget.spent(max(0, usage.model_tokens))
        self._degraded = self._degraded or usage.degraded

    def stage(self) -> CallBudget:
        """The share of a stage that begins now."""
        kept = self._budget.remaining_s() * (1 - SHARE)
        return StageBudget(self._budget, calls=STAGE_CALLS, keep_back_s=kept)

    def degrade(self, failure: ModelFailure | None = None) -> None:
        """The rules take a stage over; where no further call would fare better, all of them."""
        self._degraded = True
        self._closed = self._closed or (failure is not None and failure.kind in _FOR_GOOD)

    def close(self) -> None:
        """Nothing more may be asked, and nobody is to blame."""
        self._closed = True

    def usage(self) -> Usage:
        """What was spent so far."""
        made = self._granted - self._budget.calls_left
        return Usage(model_calls=made, model_tokens=self._budget.tokens, degraded=self._degraded)

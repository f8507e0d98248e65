"""A stage's share of what its turn may still spend on the model. Implements the port CallBudget."""

from core.ports.language_model import ModelFailure
from core.types.budget import Budget
from core.types.turn import Turn

MOST_CALLS = 3
"""Of one stage in one turn, retries and the second ask included."""

SHARE = 0.4
"""Of the time that is left, what one stage may take: a model that hangs must leave the rules time to answer."""


class StageBudget:
    """At most `calls` calls, in SHARE of the time that is left now."""

    def __init__(self, turn: Turn, calls: int = MOST_CALLS) -> None:
        self._budget: Budget = turn.budget
        self._spare_s = self._budget.remaining_s() * (1 - SHARE)
        self._left = calls

    def take(self) -> None:
        """Count one call. Raises ModelFailure("budget")."""
        if self._left <= 0 or self.remaining_s() <= 0 or not self._budget.try_take():
            raise ModelFailure("budget", "no further model call is allowed here")
        self._left -= 1

    def spent(self, tokens: int) -> None:
        """Count the tokens of a call that has ended."""
        self._budget.spent(tokens)

    def remaining_s(self) -> float:
        """Seconds until the stage must end."""
        return max(0.0, self._budget.remaining_s() - self._spare_s)

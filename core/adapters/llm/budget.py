"""What a turn may still spend on the language model."""

from core.ports.language_model import CallBudget, ModelFailure
from core.shared.clock import Clock


class TurnBudget:
    """Calls, tokens and time of one turn. Implements the port CallBudget; one object, shared by parallel steps."""

    def __init__(self, clock: Clock, *, calls: int, seconds: float) -> None:
        self._clock = clock
        self._ends_at = clock.monotonic() + seconds
        self.calls_left = calls
        self.tokens = 0

    def take(self) -> None:
        if self.remaining_s() <= 0:
            raise ModelFailure("budget", "the turn has no time left")
        if self.calls_left <= 0:
            raise ModelFailure("budget", "the turn has made all its model calls")
        self.calls_left -= 1

    def spent(self, tokens: int) -> None:
        self.tokens += tokens

    def remaining_s(self) -> float:
        return self._ends_at - self._clock.monotonic()


class StageBudget:
    """A part of a turn's budget for one stage, so that asking again and retrying together stay within `calls`."""

    def __init__(self, turn: CallBudget, *, calls: int = 3, keep_back_s: float = 0) -> None:
        self._turn = turn
        self._keep_back_s = keep_back_s
        self.calls_left = calls

    def take(self) -> None:
        if self.calls_left <= 0:
            raise ModelFailure("budget", "the stage has made all its model calls")
        self._turn.take()
        self.calls_left -= 1

    def spent(self, tokens: int) -> None:
        self._turn.spent(tokens)

    def remaining_s(self) -> float:
        """Seconds of the turn, less those kept back for what follows (the rules, the answer's way to the person)."""
        return self._turn.remaining_s() - self._keep_back_s

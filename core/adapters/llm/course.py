"""The course of one ask over its tries: whether there is another one, and how long it waits."""

import random

from core.adapters.llm.failures import TryFailed
from core.ports.language_model import CallBudget, ModelFailure
from core.shared.clock import Clock

BACKOFF_S = 0.5
# A call with less time than this is not worth making.
LEAST_CALL_S = 1.0

_random = random.SystemRandom()


class Course:
    """State of one ask. `after` returns when the next try is due, or raises the failure that ends the ask."""

    def __init__(self, clock: Clock, budget: CallBudget, most_tries: int) -> None:
        self._clock = clock
        self._budget = budget
        self._left = most_tries
        self._tries = 0
        self._first: ModelFailure | None = None
        self.without_json_mode = False

    async def after(self, failure: ModelFailure, *, given_out: bool = False) -> None:
        """`given_out`: the reader has seen words of this try, so it cannot be made again."""
        self._tries += 1
        self._left -= 1
        if not isinstance(failure, TryFailed):
            # A budget that is used up hides no better reason: the rules take over from a failed model.
            raise self._first if failure.kind == "budget" and self._first else failure
        if given_out or not failure.again or self._left <= 0:
            raise failure
        wait = self._wait(failure)
        if wait + LEAST_CALL_S > self._budget.remaining_s():
            raise failure
        self._first = failure
        self.without_json_mode = self.without_json_mode or failure.empty
        if wait:
            await self._clock.sleep(wait)

    def _wait(self, failure: TryFailed) -> float:
        if failure.at_once:
            return 0.0
        if failure.retry_after_s:
            return failure.retry_after_s
        return BACKOFF_S * float(2 ** (self._tries - 1)) * _random.uniform(0.5, 1.5)

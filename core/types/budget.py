"""What a turn may spend on language models, shared by all that happens in it, and whether they let it down."""

from collections.abc import Callable

MOST_CALLS = 12
"""Model calls a turn may make, failing or not, here and in the agents it asks."""


class Budget:
    """Counts the calls and tokens of one turn. Steps of a turn share one object, on one event loop."""

    def __init__(self, remaining_s: Callable[[], float], calls: int = MOST_CALLS) -> None:
        self._remaining_s = remaining_s
        self._left = calls
        self._closed = False
        self.calls = 0
        self.tokens = 0
        self.degraded = False
        """The rules had to do what a model should have done."""

    @property
    def left(self) -> int:
        """Calls that may still be made."""
        return self._left

    def degrade(self, *, ask_no_more: bool = False) -> None:
        """The rules take a stage over. `ask_no_more`: no further call of this turn would fare better."""
        self.degraded = True
        if ask_no_more:
            self._left = 0
            self._closed = True

    def try_take(self) -> bool:
        """Take one call; False when none is left."""
        if self._left <= 0:
            return False
        self._left -= 1
        self.calls += 1
        return True

    def lend(self, most: int, *, keep: int = 0) -> int:
        """Calls set aside for one agent, at most `most`, so that agents asked at once never share one call.

        `keep` are those that must stay here. What was lent is given back by `settle`.
        """
        lent = max(0, min(most, self._left - keep))
        self._left -= lent
        return lent

    def settle(self, lent: int, calls: int, tokens: int) -> None:
        """What an agent has spent out of what it was lent; the rest may be used again.

        An agent that claims to have spent more than it had has spent it all.
        """
        spent = max(0, min(calls, lent))
        self.calls += spent
        self.tokens += max(0, tokens)
        if not self._closed:
            self._left += lent - spent

    def spent(self, tokens: int) -> None:
        """Count the tokens of a call of our own."""
        self.tokens += tokens

    def remaining_s(self) -> float:
        """Seconds until the turn must end."""
        return self._remaining_s()

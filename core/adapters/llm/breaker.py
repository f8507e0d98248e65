"""Circuit breaker: after five straight failures nobody waits for the model for 30 s; then one call tries it."""

from dataclasses import dataclass

from core.adapters.llm.failures import TryFailed
from core.shared.clock import Clock

STRAIGHT_FAILURES = 5
OPEN_S = 30.0


@dataclass(frozen=True, slots=True)
class Permit:
    """The right to make one call. The probe is the one that decides about an open breaker."""

    probe: bool


class Breaker:
    """Shared by all calls of a process to one address. Every `enter` is followed by one of the three ends."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._opens_until: float | None = None
        self._probing = False

    @property
    def failures(self) -> int:
        """How many calls have failed since the last success."""
        return self._failures

    @property
    def is_open(self) -> bool:
        return self._opens_until is not None

    def enter(self) -> Permit:
        """Raises TryFailed at once while the address is given a rest."""
        if self._opens_until is None:
            return Permit(probe=False)
        left = self._opens_until - self._clock.monotonic()
        if left > 0 or self._probing:
            raise TryFailed("unavailable", f"{self._failures} calls failed in a row; resting", after_s=max(left, 1.0))
        self._probing = True
        return Permit(probe=True)

    def succeeded(self, permit: Permit) -> None:
        """The address answered, whatever the answer was worth."""
        self._failures = 0
        self._opens_until = None
        self._probing = self._probing and not permit.probe

    def failed(self, permit: Permit) -> None:
        self._failures += 1
        self._probing = self._probing and not permit.probe
        if permit.probe or (self._opens_until is None and self._failures >= STRAIGHT_FAILURES):
            self._opens_until = self._clock.monotonic() + OPEN_S

    def abandoned(self, permit: Permit) -> None:
        """The call was given up by its caller: nothing was learnt, the next one may probe."""
        self._probing = self._probing and not permit.probe

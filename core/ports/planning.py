"""What planning is told from outside: how calls went, and how near a wish is to what tools say of themselves."""

from collections.abc import Sequence
from typing import Protocol


class CallMeasures(Protocol):
    """Told of every call of a skill; planning learns from it what each costs."""

    def note(self, agent: str, intent: str, elapsed_ms: float, *, well: bool) -> None: ...


class Likeness(Protocol):
    """How near texts are to a wish."""

    async def scores(self, wish: str, texts: Sequence[str]) -> tuple[float, ...]:
        """One number for each text, greater for the nearer. Never raises for want of a model."""
        ...

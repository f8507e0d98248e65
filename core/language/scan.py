"""Walk along the tokens and let the readers, one after another, turn them into values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from core.language.tokens import Token
from core.language.values import Days, Found, Value


@dataclass(frozen=True, slots=True)
class Scene:
    """What a reader sees: the tokens, the moment, and what was read before it."""

    tokens: Sequence[Token]
    now: datetime
    done: list[Found] = field(default_factory=list)

    @property
    def today(self) -> date:
        return self.now.date()

    def get(self, place: int, kind: str) -> str | None:
        """The token's value as a `kind`; None beyond the ends."""
        return self.tokens[place].get(kind) if 0 <= place < len(self.tokens) else None

    def has(self, place: int, *kinds: str) -> bool:
        """Whether the token at `place` is one of the kinds."""
        return 0 <= place < len(self.tokens) and self.tokens[place].is_any(*kinds)

    def text(self, place: int) -> str:
        """The token's text; empty beyond the ends."""
        return self.tokens[place].text if 0 <= place < len(self.tokens) else ""

    def said(self, first: int, end: int) -> str:
        """The words of a stretch."""
        return "".join(token.text for token in self.tokens[first:end])

    def number(self, place: int) -> int | None:
        """The token's value as a whole number."""
        found = self.get(place, "number")
        return int(found[:12]) if found is not None else None

    def skip(self, place: int, *kinds: str) -> int:
        """The first place from here on that is none of the kinds."""
        while self.has(place, *kinds):
            place += 1
        return place

    def skip_text(self, place: int, *texts: str) -> int:
        """One place further where one of these texts stands."""
        return place + 1 if self.text(place) in texts else place

    def last_days(self) -> Days | None:
        """The day that was named last."""
        return next((f.value for f in reversed(self.done) if isinstance(f.value, Days)), None)

    def found(self, value: Value, first: int, end: int, certainty: float = 1.0) -> Found:
        """A value with the least certainty of its tokens."""
        return Found(value, first, end, min([certainty, *(t.certainty for t in self.tokens[first:end])]))


Reader = Callable[[Scene, int], list[Found]]
"""Reads values that begin at a token; an empty list when none does. The last of them says where reading goes on."""


def first_of(readers: Sequence[Reader]) -> Reader:
    """The reader that tries these in order and takes the first success."""

    def read(scene: Scene, place: int) -> list[Found]:
        return next((found for reader in readers if (found := reader(scene, place))), [])

    return read


def scan(scene: Scene, reader: Reader) -> list[Found]:
    """Everything the reader finds, left to right."""
    place = 0
    while place < len(scene.tokens):
        found = reader(scene, place)
        scene.done.extend(found)
        place = max([place + 1, *(f.end for f in found)])
    return scene.done

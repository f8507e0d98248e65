"""Walk along the tokens and let the readers, one after another, turn them into values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache

from core.language.lexicon import Meanings
from core.language.tokens import Token
from core.language.values import Days, Found, Value

_LOOK_BACK = 40  # values: as far as 那天 can reach
_MOST_SKIPPED = 12
"""Words without weight side by side; looking past any number of them would cost the square of a text's length."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a reader sees: the tokens, the moment, and what was read before it."""

    tokens: Sequence[Token]
    now: datetime
    home: str | None = None
    """Where the person usually sets out from."""
    done: list[Found] = field(default_factory=list)
    without_day: set[int] = field(default_factory=set)
    """Where no day begins: 除了 and 不是 look for one before the readers of days come there themselves."""
    today: date = field(init=False)
    # By place: readers look around themselves several times for every word, and often beyond the ends.
    _meanings: dict[int, Meanings] = field(init=False)
    _texts: dict[int, str] = field(init=False)
    _numbers: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        meanings = {place: token.meanings for place, token in enumerate(self.tokens) if token.meanings}
        numbers = {place: int(kinds["number"][:12]) for place, kinds in meanings.items() if "number" in kinds}
        for name, value in (
            ("today", self.now.date()), ("_meanings", meanings), ("_numbers", numbers),
            ("_texts", {place: token.text for place, token in enumerate(self.tokens)}),
        ):
            object.__setattr__(self, name, value)

    def get(self, place: int, kind: str) -> str | None:
        """The token's value as a `kind`; None beyond the ends."""
        meanings = self._meanings.get(place)
        return None if meanings is None else meanings.get(kind)

    def has(self, place: int, *kinds: str) -> bool:
        """Whether the token at `place` is one of the kinds."""
        meanings = self._meanings.get(place)
        return meanings is not None and not meanings.keys().isdisjoint(kinds)

    def text(self, place: int) -> str:
        """The token's text; empty beyond the ends."""
        return self._texts.get(place, "")

    def said(self, first: int, end: int) -> str:
        """The words of a stretch."""
        return "".join(token.text for token in self.tokens[first:end])

    def number(self, place: int) -> int | None:
        """The token's value as a whole number."""
        return self._numbers.get(place)

    def skip(self, place: int, *kinds: str) -> int:
        """The first place from here on that is none of the kinds."""
        most = place + _MOST_SKIPPED
        while place < most and self.has(place, *kinds):
            place += 1
        return place

    def skip_text(self, place: int, *texts: str) -> int:
        """One place further where one of these texts stands."""
        return place + 1 if self.text(place) in texts else place

    def last_days(self) -> Days | None:
        """The day that was named last."""
        return next((f.value for f in self.done[: -_LOOK_BACK : -1] if isinstance(f.value, Days)), None)

    def found(self, value: Value, first: int, end: int, certainty: float = 1.0) -> Found:
        """A value with the least certainty of its tokens."""
        least = certainty
        for place in range(first, end):
            least = min(least, self.tokens[place].certainty)
        return Found(value, first, end, least)


Reader = Callable[[Scene, int], list[Found]]
"""Reads values that begin at a token; an empty list when none does. The last of them says where reading goes on."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A reader and the kinds of words at which it is worth trying."""

    kinds: frozenset[str]
    reader: Reader


def at(kinds: str, reader: Reader) -> Entry:
    """A row of a table of readers; the kinds are separated by spaces."""
    return Entry(frozenset(kinds.split()), reader)


def first_of(entries: Sequence[Entry]) -> Reader:
    """The reader that tries those entries whose kinds fit the word, and takes the first success."""

    @cache
    def fitting(kinds: tuple[str, ...]) -> tuple[Reader, ...]:
        return tuple(entry.reader for entry in entries if not entry.kinds.isdisjoint(kinds))

    def read(scene: Scene, place: int) -> list[Found]:
        if place >= len(scene.tokens):
            return []
        kinds = tuple(scene.tokens[place].meanings)
        for reader in fitting(kinds) if kinds else ():
            if found := reader(scene, place):
                return found
        return []

    return read


def scan(scene: Scene, reader: Reader) -> list[Found]:
    """Everything the reader finds, left to right."""
    place = 0
    while place < len(scene.tokens):
        found = reader(scene, place)
        scene.done.extend(found)
        place = max(place + 1, found[-1].end) if found else place + 1
    return scene.done

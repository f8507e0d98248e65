"""Bring a sentence into one spelling, and remember where every character came from."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from core.language.frames import Span
from core.language.tables import lines

_RIGHT_TO_LEFT, _POP = "\u202e", "\u202c"
# Format characters, variation selectors and joiners carry no meaning for the grammar.
_DROPPED = {"Cf", "Cc", "Cs", "Co", "Cn", "Mn", "Me"}
_SPACES = re.compile(" +")
_LONGEST_FORM = 4
"""㋋ is 12月 and ⑽ is (10); signs that stand for whole phrases (ﷺ: 18 letters) would make a text many times longer."""


@dataclass(frozen=True, slots=True)
class Normalised:
    """Simplified, half-width, lower-case text. `origin[i]` is the place of character i in the text as typed."""

    text: str
    origin: Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """The span in the typed text that characters start..end (exclusive) came from."""
        first, last = self.origin[start], self.origin[end - 1]
        return (first, last + 1) if first <= last else (last, first + 1)


def normalise(text: str) -> Normalised:
    """NFKC, simplified, lower case; control and invisible characters dropped, spaces kept only between words."""
    simple = list(map(_simple, text))
    joined = "".join(simple)
    if _RIGHT_TO_LEFT in text:
        order = _reading_order(text)
        return _without_idle_spaces("".join(simple[n] for n in order), [n for n in order for _ in simple[n]])
    if len(joined) == len(text) and "" not in simple:
        return _without_idle_spaces(joined, range(len(text)))
    return _without_idle_spaces(joined, [n for n, form in enumerate(simple) for _ in form])


def _reading_order(text: str) -> list[int]:
    """Character places in the order a person reads them: a right-to-left override turns its stretch around."""
    if _RIGHT_TO_LEFT not in text:
        return list(range(len(text)))
    order: list[int] = []
    place = 0
    while place < len(text):
        if text[place] != _RIGHT_TO_LEFT:
            order.append(place)
            place += 1
            continue
        end = text.find(_POP, place)
        end = len(text) if end < 0 else end
        order.extend(range(end - 1, place, -1))
        place = end
    return order


@cache
def _simplified() -> dict[str, str]:
    traditional, simplified = lines("traditional.txt")
    return dict(zip(traditional, simplified, strict=True))


@lru_cache(maxsize=32_768)
def _simple(character: str) -> str:
    if "\u4e00" <= character <= "\u9fff":
        return _simplified().get(character, character)
    if character == "\n":
        return ","
    if character.isspace():
        return " "
    if character.isascii() and character.isprintable():
        return character.lower()
    form = unicodedata.normalize("NFKC", character)
    return "".join(map(_kept, form if len(form) <= _LONGEST_FORM else character))


def _kept(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) in _DROPPED:
        return ""
    return _simplified().get(character, character.lower()[:1])


def _without_idle_spaces(text: str, origin: Sequence[int]) -> Normalised:
    """A space matters only between two Latin words or numbers."""
    if " " not in text:
        return Normalised(text, origin)
    pieces: list[str] = []
    places: list[int] = []
    begin = 0
    for run in _SPACES.finditer(text):
        start, end = run.span()
        pieces.append(text[begin:start])
        places.extend(origin[begin:start])
        begin = end - 1 if _is_latin(text[start - 1 : start]) and _is_latin(text[end : end + 1]) else end
    return Normalised("".join([*pieces, text[begin:]]), [*places, *origin[begin:]])


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()

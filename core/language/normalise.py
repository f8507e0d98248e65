"""Bring a sentence into one spelling, and remember where every character came from."""

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from core.language.frames import Span
from core.language.tables import lines

_RIGHT_TO_LEFT, _POP = "\u202e", "\u202c"
# Format characters, variation selectors and joiners carry no meaning for the grammar.
_DROPPED = {"Cf", "Cc", "Cs", "Co", "Cn", "Mn", "Me"}


@dataclass(frozen=True, slots=True)
class Normalised:
    """Simplified, half-width, lower-case text. `origin[i]` is the place of character i in the text as typed."""

    text: str
    origin: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """The span in the typed text that characters start..end (exclusive) came from."""
        first, last = self.origin[start], self.origin[end - 1]
        return (first, last + 1) if first <= last else (last, first + 1)


def normalise(text: str) -> Normalised:
    """NFKC, simplified, lower case; control and invisible characters dropped, spaces kept only between words."""
    simple = [_simple(character) for character in text]
    if _RIGHT_TO_LEFT not in text and " " not in simple and all(len(character) == 1 for character in simple):
        return Normalised("".join(simple), tuple(range(len(text))))
    characters = [(character, place) for place in _reading_order(text) for character in simple[place]]
    kept = _without_idle_spaces(characters)
    return Normalised("".join(c for c, _ in kept), tuple(place for _, place in kept))


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


@lru_cache(maxsize=4096)
def _simple(character: str) -> str:
    if "\u4e00" <= character <= "\u9fff":
        return _simplified().get(character, character)
    if character == "\n":
        return ","
    if character.isspace():
        return " "
    if character.isascii() and character.isprintable():
        return character.lower()
    return "".join(_kept(c) for c in unicodedata.normalize("NFKC", character))


def _kept(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) in _DROPPED:
        return ""
    return _simplified().get(character, character.lower()[:1])


def _without_idle_spaces(characters: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """A space matters only between two Latin words or numbers."""
    kept: list[tuple[str, int]] = []
    for number, (character, place) in enumerate(characters):
        if character == " ":
            after = characters[number + 1][0] if number + 1 < len(characters) else ""
            if not (kept and _is_latin(kept[-1][0]) and _is_latin(after)):
                continue
        kept.append((character, place))
    return kept


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()

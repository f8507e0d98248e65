"""What a person says to an offer: a clear yes, a no, not yet, another quantity, or nothing of the kind.

Strict on purpose: money hangs on it. A sentence is a yes only when words of consent and fillers cover all of it, so
可以是可以，不过… or a question is none.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.language.normalise import normalise
from core.language.numerals import NUMERALS, value_of
from core.language.tables import rows

MOST_CHARACTERS = 24
"""Longer sentences say more than yes or no; they are read as wishes."""

_PUNCTUATION = re.compile(r"[\s,，.。!！~～、;；…]+")
_ASKS = re.compile(r"[?？吗么]")


@dataclass(frozen=True, slots=True)
class Consent:
    """`quantity` belongs to `change` only."""

    kind: Literal["yes", "no", "later", "change", "none"]
    quantity: int | None = None


NONE = Consent("none")


def read_consent(text: str) -> Consent:
    """Never raises; `none` for everything that is not wholly an answer to an offer."""
    said = normalise(text).text
    if len(said) > MOST_CHARACTERS or _ASKS.search(said):
        return NONE
    said = _PUNCTUATION.sub("", said)
    if (quantity := _quantity(said)) is not None:
        return Consent("change", quantity) if quantity > 0 else NONE
    for kind in ("no", "later", "yes"):
        if _covered(kind).fullmatch(said):
            return Consent(kind)
    return NONE


def _quantity(said: str) -> int | None:
    found = _change().fullmatch(said)
    if found is None:
        return None
    number = found["number"]
    return int(number) if number.isascii() and number.isdigit() else value_of(number)


@cache
def _words(kind: str) -> str:
    """A pattern of one word of a kind, longest first."""
    words = [word for row in rows("consent.tsv") if row[0] == kind for word in row[1].split()]
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _covered(kind: str) -> re.Pattern[str]:
    filler, word = _words("filler"), _words(kind)
    return re.compile(f"(?:{filler})*(?:{word})(?:{word}|{filler})*")


@cache
def _change() -> re.Pattern[str]:
    numeral = "|".join(sorted(NUMERALS))
    return re.compile(
        f"(?:{_words('filler')})*(?:{_words('change')})*(?P<number>[0-9]{{1,3}}|(?:{numeral})+)"
        f"(?:{_words('measure')})(?:{_words('filler')})*"
    )

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

Action = Literal["place", "cancel"]

_PUNCTUATION = re.compile(r"[\s,，.。!！~～、;；…]+")
_ASKS = re.compile(r"[?？吗么]")


@dataclass(frozen=True, slots=True)
class Consent:
    """`quantity` belongs to `change` only. `to`: the words fit one kind of offer (订吧, 取消吧); None: any."""

    kind: Literal["yes", "no", "later", "change", "none"]
    quantity: int | None = None
    to: Action | None = None

    def on(self, action: Action) -> "Consent":
        """What it says to an offer of this action: 取消吧 agrees to a cancellation, and refuses a purchase."""
        if self.to is None:
            return self
        if self.to == action:
            return Consent("yes", to=self.to)
        return Consent("no") if self.to == "cancel" else NONE


NONE = Consent("none")


def read_consent(text: str) -> Consent:
    """Never raises; `none` for everything that is not wholly an answer to an offer.

    For an offer whose action is known, ask the result's `on(action)`.
    """
    said = normalise(text).text
    if len(said) > MOST_CHARACTERS or _ASKS.search(said):
        return NONE
    said = _PUNCTUATION.sub("", said)
    if (quantity := _quantity(said)) is not None:
        return Consent("change", quantity) if quantity > 0 else NONE
    if _covered("no", "reason").fullmatch(said) or _denial().match(said):
        return Consent("no")
    if _covered("later").fullmatch(said):
        return Consent("later")
    return _agreement(said)


def _agreement(said: str) -> Consent:
    if re.fullmatch(_words("never"), said):  # 对了 begins another subject
        return NONE
    if _covered("yes").fullmatch(said):
        return Consent("yes")
    if _covered("place", "yes").fullmatch(said):
        return Consent("yes", to="place")
    if _covered("sure_cancel", "yes").fullmatch(said):
        return Consent("yes", to="cancel")
    # By itself 取消吧 may be said to a purchase as well: only the offer tells what it means.
    return Consent("none", to="cancel") if _covered("cancel", "yes").fullmatch(said) else NONE


def _quantity(said: str) -> int | None:
    found = _change().fullmatch(said)
    if found is None:
        return None
    number = found["number"]
    return int(number) if number.isascii() and number.isdigit() else value_of(number)


@cache
def _words(*kinds: str) -> str:
    """A pattern of one word of these kinds, longest first."""
    words = [word for row in rows("consent.tsv") if row[0] in kinds for word in row[1].split()]
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _covered(kind: str, beside: str = "filler") -> re.Pattern[str]:
    """Words of a kind with those `beside` and fillers around them; at least one word of the kind."""
    around = _words("filler", beside)
    return re.compile(f"(?:{around})*(?:{_words(kind)})(?:{_words(kind)}|{around})*")


@cache
def _denial() -> re.Pattern[str]:
    """我没说要取消…: whatever follows, what was offered is not wanted."""
    return re.compile(f"(?:我)?(?:{_words('denial')})")


@cache
def _change() -> re.Pattern[str]:
    numeral = "|".join(sorted(NUMERALS))
    return re.compile(
        f"(?:{_words('filler', 'change', 'yes')})*(?P<number>[0-9]{{1,3}}|(?:{numeral})+)"
        f"(?:{_words('measure')})(?:{_words('filler')})*"
    )

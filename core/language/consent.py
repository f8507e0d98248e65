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
    """`quantity` belongs to `change` only; with `more` it is how many are added (再加一张).

    `to`: the words fit one kind of offer (订吧, 取消吧); None: any. A `firm` yes says what is agreed to (确认, 订吧);
    one that is not (好的) answers only the question that was just put. `unclear`: a mumble that is asked about.
    """

    kind: Literal["yes", "no", "later", "change", "unclear", "none"]
    quantity: int | None = None
    to: Action | None = None
    firm: bool = True
    more: bool = False

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
    if re.fullmatch(_words("never"), said):  # 对了 begins another subject, 行不行 asks
        return NONE
    if re.fullmatch(_words("unclear", "asks"), said):  # 可以吧 wants to be told, it tells nothing
        return Consent("unclear")
    if (change := _quantity(said)) is not None:
        return change
    if _refusal().fullmatch(said) or _denial().match(said):
        return Consent("no")
    if _covered("later", "hum").fullmatch(said):
        return Consent("later")
    return _agreement(said)


def _agreement(said: str) -> Consent:
    if _covered("place", "yes", "firm").fullmatch(said):
        return Consent("yes", to="place")
    if _covered("sure_cancel", "yes", "firm").fullmatch(said):
        return Consent("yes", to="cancel")
    if _covered("firm", "yes", "hum").fullmatch(said):
        return Consent("yes")
    if _covered("yes").fullmatch(said):
        return Consent("yes", firm=False)
    # By itself 取消吧 may be said to a purchase as well: only the offer tells what it means.
    return Consent("none", to="cancel") if _covered("cancel", "yes", "firm").fullmatch(said) else NONE


def _quantity(said: str) -> Consent | None:
    found = _change().fullmatch(said)
    if found is None:
        return None
    number = found["number"]
    count = int(number) if number.isascii() and number.isdigit() else value_of(number)
    return Consent("change", count, more=found["more"] is not None) if count else NONE


@cache
def _words(*kinds: str) -> str:
    """A pattern of one word of these kinds, longest first."""
    words = [word for row in rows("consent.tsv") if row[0] in kinds for word in row[1].split()]
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _covered(kind: str, *beside: str) -> re.Pattern[str]:
    """Words of a kind with those `beside` and fillers around them; at least one word of the kind."""
    around = _words("filler", *beside)
    return re.compile(f"(?:{around})*(?:{_words(kind)})(?:{_words(kind)}|{around})*")


@cache
def _refusal() -> re.Pattern[str]:
    """A no, whatever polite or hesitating words lead to it: 好吧，算了 and 太贵了，不要了. Nothing agreeing follows."""
    before, after = _words("filler", "hum", "reason", "yes", "firm"), _words("filler", "reason", "no")
    return re.compile(f"(?:{before})*(?:{_words('no')})(?:{after})*")


@cache
def _denial() -> re.Pattern[str]:
    """我没说要取消…: whatever follows, what was offered is not wanted."""
    return re.compile(f"(?:我)?(?:{_words('denial')})")


@cache
def _change() -> re.Pattern[str]:
    numeral = "|".join(sorted(NUMERALS))
    return re.compile(
        f"(?:{_words('filler', 'change', 'yes', 'firm')})*(?P<more>再加|再来|多加|加)?只?要?"
        f"(?P<number>[0-9]{{1,3}}|(?:{numeral})+)(?:{_words('measure')})(?:{_words('filler')})*"
    )

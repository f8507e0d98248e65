"""Cut a normalised sentence into known words, numbers, codes and single characters: the cut with the fewest pieces."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.language.lexicon import Lexicon, Meanings
from core.language.numerals import NUMERALS, value_of

# An unknown character costs more than a word, so that 北京|西安 wins over 北京西|安.
_WORD, _UNKNOWN = 1, 3
_LONGEST_NUMERAL = 9
_NO_MEANINGS: Meanings = {}
_SILENT: Meanings = {"polite": ""}

_CODES = (
    ("train_no", re.compile(r"[gdcztkys]\d{1,4}")),
    ("flight_no", re.compile(r"(?:[a-z]{2}|\d[a-z]|[a-z]\d)\d{3,4}")),
    ("order_no", re.compile(r"(?:sv|ord|order|no|t|h)?[-_]?\d{10,24}|sv\d+|(?:ord|order)[-_]?[a-z]*\d+")),
)
_LATIN_RUN = re.compile(r"[a-z0-9]{1,32}")
_PIECE = re.compile(r"[a-z]{1,32}|[0-9]{1,32}")
_LINK = re.compile(r"(?:https?://|www\.)[!-~]+(?:(?<==)[^\s),，。]*)?")


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its meanings by kind; an unknown character has none. Places count normalised characters."""

    text: str
    start: int
    end: int
    meanings: Meanings
    certainty: float = 1.0

    def get(self, kind: str) -> str | None:
        """The value of this word as a `kind`; None when it is not one."""
        return self.meanings.get(kind)

    def is_any(self, *kinds: str) -> bool:
        """Whether the word is one of these kinds."""
        return not self.meanings.keys().isdisjoint(kinds)


Step = tuple[int, int, Meanings]
"""Cost of the piece, where it ends, its meanings."""


def tokenise(text: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """The cheapest cut, found from the end backwards; among equals the one whose first word is longest."""
    cheapest = [0] * (len(text) + 1)
    chosen: list[Step] = [(0, 0, {})] * len(text)
    for place in range(len(text) - 1, -1, -1):
        best: Step = (_UNKNOWN, place + 1, _NO_MEANINGS)
        best_total = _UNKNOWN + cheapest[place + 1] + 0.5  # at the same cost a word comes before an unknown character
        for step in _steps(text, place, lexicon):
            total = step[0] + cheapest[step[1]]
            if total < best_total:
                best, best_total = step, total
        chosen[place] = best
        cheapest[place] = best[0] + cheapest[best[1]]
    return tuple(_follow(text, chosen))


def _follow(text: str, chosen: list[Step]) -> Iterator[Token]:
    place = 0
    while place < len(text):
        _cost, end, meanings = chosen[place]
        yield Token(text[place:end], place, end, meanings)
        place = end


def _steps(text: str, place: int, lexicon: Lexicon) -> list[Step]:
    first = text[place]
    if first.isascii():
        return list(_latin_steps(text, place, lexicon))
    steps: list[Step] = [(_WORD, end, meanings) for end, meanings in lexicon.starting_at(text, place)]
    if first in NUMERALS:
        steps = [(cost, end, _with_number(text[place:end], meanings)) for cost, end, meanings in steps]
        steps.extend(_numeral_steps(text, place))
    return steps


def _with_number(word: str, meanings: Meanings) -> Meanings:
    number = value_of(word)
    return meanings if number is None else {**meanings, "number": str(number)}


def _numeral_steps(text: str, place: int) -> Iterator[Step]:
    end = place
    while end < len(text) and end - place < _LONGEST_NUMERAL and text[end] in NUMERALS:
        end += 1
    for stop in range(end, place, -1):
        number = value_of(text[place:stop])
        if number is not None:
            yield _WORD, stop, {"number": str(number)}


def _latin_steps(text: str, place: int, lexicon: Lexicon) -> Iterator[Step]:
    if text[place] == " ":
        yield _WORD, place + 1, _SILENT
        return
    if (text[place] in "hw") and (link := _LINK.match(text, place)):
        yield 0, link.end(), {"link": ""}
    for end, meanings in lexicon.starting_at(text, place):
        if _ends_a_word(text, end):
            yield _WORD, end, meanings
    run = _LATIN_RUN.match(text, place)
    if run is None:
        yield _UNKNOWN, place + 1, {}
        return
    yield from _run_steps(text, place, run.end())


def _ends_a_word(text: str, end: int) -> bool:
    last, after = text[end - 1], text[end : end + 1]
    return not (last.isascii() and last.isalpha() and after.isascii() and after.isalpha())


def _run_steps(text: str, place: int, end: int) -> Iterator[Step]:
    at_start = place == 0 or not _LATIN_RUN.fullmatch(text[place - 1])
    if at_start:
        code = _code(text[place:end])
        if code:
            yield _WORD, end, code
    piece = _PIECE.match(text, place)
    stop = piece.end() if piece else place + 1
    word = text[place:stop]
    yield (_WORD, stop, {"number": word.lstrip("0") or "0"}) if word.isdigit() else (_UNKNOWN, stop, {})


def _code(run: str) -> Meanings | None:
    found = {kind: run.upper() for kind, pattern in _CODES if pattern.fullmatch(run)}
    if found and run.isdigit():
        found["number"] = run.lstrip("0") or "0"
    return found or None

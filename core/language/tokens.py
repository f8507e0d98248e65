"""Cut a normalised sentence into known words, numbers, codes and single characters: the cut with the fewest pieces."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.language.gazetteer import RARE
from core.language.lexicon import Lexicon, Meanings
from core.language.numerals import NUMERALS, value_of

# An unknown character costs more than a word, so that 北京|西安 wins over 北京西|安.
# A county costs a little more still: its characters are mostly those of the words around (到宁|明天, no 宁明).
_WORD, _UNKNOWN, _SELDOM = 2, 6, 7
_LONGEST_NUMERAL = 9
_NUMERALS = "".join(sorted(NUMERALS))
_NO_MEANINGS: Meanings = {}
_SILENT: Meanings = {"polite": ""}

_CODES = (
    ("train_no", re.compile(r"[gdcztkys]\d{1,4}")),
    ("flight_no", re.compile(r"(?:[a-z]{2}|\d[a-z]|[a-z]\d)\d{3,4}")),
    ("order_no", re.compile(r"(?:sv|ord|order|no|t|h)?[-_]?\d{10,24}|sv\d+|(?:ord|order)[-_]?[a-z]*\d+")),
)
_SHORTEST_CODE = 2
_LATIN_RUN = re.compile(r"[a-z0-9]{1,32}")
_PIECE = re.compile(r"[a-z]{1,32}|[0-9]{1,32}")
LINK = r"(?:https?://|www\.)[!-~]+(?:(?<==)[^\s),，。]*)?"
_LINK = re.compile(LINK)


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


def tokenise(text: str, lexicon: Lexicon, at: int = 0) -> tuple[Token, ...]:
    """The cheapest cut, found from the end backwards; among equals the one whose first word is longest.

    `at`: where the text begins in the one that it is part of.
    """
    cheapest = [0] * (len(text) + 1)
    chosen: list[Step] = [(0, 0, {})] * len(text)
    for place in range(len(text) - 1, -1, -1):
        step = _latin_step(text, place, lexicon, cheapest) if text[place] < "\x80" else None
        chosen[place] = step or _han_step(text, place, lexicon, cheapest)
        cheapest[place] = chosen[place][0] + cheapest[chosen[place][1]]
    return tuple(_follow(text, chosen, at))


def _han_step(text: str, place: int, lexicon: Lexicon, cheapest: Sequence[int]) -> Step:
    """The cheapest word, numeral or unknown character here. Its meanings are looked up only where it is cheaper."""
    best: Step = (_UNKNOWN, place + 1, _NO_MEANINGS)
    least = _UNKNOWN + cheapest[place + 1] + 1  # at the same cost a word comes before an unknown character
    for length in (*lexicon.lengths.get(text[place : place + 2], ()), 1):
        end = place + length
        if end < len(cheapest) and _WORD + cheapest[end] < least:
            meanings = lexicon.words.get(text[place:end])
            cost = _SELDOM if meanings is not None and RARE in meanings else _WORD
            if meanings is not None and cost + cheapest[end] < least:
                best, least = (cost, end, meanings), cost + cheapest[end]
    if text[place] not in NUMERALS:
        return best
    if best[0] == _WORD:
        best = (_WORD, best[1], _with_number(text[place : best[1]], best[2]))
    return _numeral_step(text, place, cheapest, least) or best


def _numeral_step(text: str, place: int, cheapest: Sequence[int], least: float) -> Step | None:
    """The longest numeral that is cheaper than `least`."""
    run = text[place : place + _LONGEST_NUMERAL]
    end = place + len(run) - len(run.lstrip(_NUMERALS))
    best: Step | None = None
    for stop in range(end, place, -1):
        if _WORD + cheapest[stop] < least and (number := value_of(text[place:stop])) is not None:
            best, least = (_WORD, stop, {"number": str(number)}), _WORD + cheapest[stop]
    return best


def _latin_step(text: str, place: int, lexicon: Lexicon, cheapest: Sequence[int]) -> Step | None:
    best: Step | None = None
    least = _UNKNOWN + cheapest[place + 1] + 1
    for step in _latin_steps(text, place, lexicon):
        if step[0] + cheapest[step[1]] < least:
            best, least = step, step[0] + cheapest[step[1]]
    return best


def _follow(text: str, chosen: list[Step], at: int) -> Iterator[Token]:
    place = 0
    while place < len(text):
        _cost, end, meanings = chosen[place]
        yield Token(text[place:end], at + place, at + end, meanings)
        place = end


def _with_number(word: str, meanings: Meanings) -> Meanings:
    number = value_of(word)
    return meanings if number is None else {**meanings, "number": str(number)}


def _latin_steps(text: str, place: int, lexicon: Lexicon) -> Iterator[Step]:
    if text[place] == " ":
        yield _WORD, place + 1, _SILENT
        return
    if (text[place] in "hw") and (link := _LINK.match(text, place)):
        yield 0, link.end(), {"link": ""}
    run = _LATIN_RUN.match(text, place)
    for end, meanings in lexicon.starting_at(text, place):
        if _ends_a_word(text, end):
            code = _code(run[0]) if run and run.end() == end else None
            yield _WORD, end, {**code, **meanings} if code else meanings  # G5 is a train and an airline's code
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
    if len(run) < _SHORTEST_CODE:
        return None
    found = {kind: run.upper() for kind, pattern in _CODES if pattern.fullmatch(run)}
    if found and run.isdigit():
        found["number"] = run.lstrip("0") or "0"
    return found or None

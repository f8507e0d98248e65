"""Numbers as people write them: digits in any script, in one piece or in groups with spaces and dashes between."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_SPELLED = {c: str(n) for n, c in enumerate("零一二三四五六七八九")}
_SPELLED |= {c: str(n) for n, c in enumerate("〇壹贰叁肆伍陆柒捌玖")} | {"幺": "1", "○": "0"}

# A mark is the script of a character: d an ordinary digit, s one spelled in Chinese, x what may end an id number,
# g what may stand in a gap, w a letter, and . anything else.
_CHAIN = re.compile(r"(?:d+x?|s+)(?:g{0,2}(?:d+x?|s+))*")
_GROUP = re.compile(r"d+x?|s+")
_GAP = frozenset(" -.)·")


@dataclass(frozen=True, slots=True)
class Group:
    """Digits of one script without a gap; `digits` in ASCII, X at the end of an id number included."""

    start: int
    end: int
    digits: str
    spelled: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """Groups that follow one another with at most two separators between."""

    groups: tuple[Group, ...]


def plain(text: str) -> str:
    """Every character as its ASCII digit, letter or separator, where it is one; as long as the text."""
    return "".join(_plain(character) for character in text)


def chains(text: str) -> Iterator[Chain]:
    """Every chain of digits in the text."""
    simple = plain(text)
    marks = "".join(_mark(typed, simple, place) for place, typed in enumerate(text))
    for chain in _CHAIN.finditer(marks):
        groups = (
            Group(g.start(), g.end(), simple[g.start() : g.end()], marks[g.start()] == "s")
            for g in _GROUP.finditer(marks, chain.start(), chain.end())
        )
        yield Chain(tuple(groups))


@lru_cache(maxsize=4_096)
def _plain(character: str) -> str:
    if character in _SPELLED:
        return _SPELLED[character]
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    category = unicodedata.category(character)
    if category == "Pd" or character == "−":
        return "-"
    if category == "Cf":  # invisible; somebody may have put it between the digits
        return " "
    folded = unicodedata.normalize("NFKC", character)
    if folded.isspace():
        return " "
    return folded if len(folded) == 1 else character


def _mark(typed: str, simple: str, place: int) -> str:
    character = simple[place]
    if typed in _SPELLED:
        return "s"
    if character.isdecimal():
        return "d"
    if character in "Xx" and place and simple[place - 1].isdecimal() and not _word(simple[place + 1 : place + 2]):
        return "x"
    if character in _GAP:
        return "g"
    return "w" if _word(character) else "."


def _word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")

"""Numbers as people write them: digits in any script, in one piece or in groups with spaces and dashes between."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_SPELLED = {c: str(n) for n, c in enumerate("零一二三四五六七八九")}
_SPELLED |= {c: str(n) for n, c in enumerate("〇壹贰叁肆伍陆柒捌玖")} | {"幺": "1", "○": "0"}

# A mark is the script of a character: d an ordinary digit, s one spelled in Chinese, X the letter X and x one that may
# end an id number, g what may stand in a gap, w a letter, and . anything else.
_CHAIN = re.compile(r"(?:d+x?|s+)(?:g{0,2}(?:d+x?|s+))*")
_GROUP = re.compile(r"d+x?|s+")
_ENDS = re.compile(r"(?<=[ds])X(?![dswX])")
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
    return text.translate(_PLAIN)


def chains(text: str, fewest: int) -> Iterator[Chain]:
    """Every chain in the text that is at least `fewest` characters long: with fewer it has fewer digits."""
    simple = plain(text)
    marks = _ENDS.sub("x", text.translate(_MARKS))
    for chain in _CHAIN.finditer(marks):
        if chain.end() - chain.start() >= fewest:
            yield Chain(tuple(_groups(simple, marks, chain)))


def _groups(simple: str, marks: str, chain: re.Match[str]) -> Iterator[Group]:
    for found in _GROUP.finditer(marks, chain.start(), chain.end()):
        start, end = found.span()
        yield Group(start, end, simple[start:end], marks[start] == "s")


class _Table(dict[int, str]):
    """What str.translate puts for each character: worked out when it first comes, looked up ever after.

    Texts of many people have few different characters; MOST of them bounds what a text made to fill it can take.
    """

    MOST = 8_192

    def __init__(self, of: Callable[[str], str]) -> None:
        self._of = of

    def __missing__(self, code: int) -> str:
        found = self._of(chr(code))
        if len(self) < self.MOST:
            self[code] = found
        return found


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


def _mark(typed: str) -> str:
    if typed in _SPELLED:
        return "s"
    character = _plain(typed)
    if character.isdecimal():
        return "d"
    if character in "Xx":
        return "X"
    if character in _GAP:
        return "g"
    return "w" if _word(character) else "."


def _word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


_PLAIN, _MARKS = _Table(_plain), _Table(_mark)

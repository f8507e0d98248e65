"""The words of a question that no expression covers: what is left of them says something that nobody has read."""

import re
import unicodedata
from collections.abc import Iterator, Set

from core.cache.saying import kinds_in
from core.cache.words import fillers, fillers_of
from core.language.frames import Expression, Reading
from core.language.normalise import normalise
from core.language.values import Amount

_A_NOT_A = re.compile(r"(?<=(.))[不没](?=\1)")
_WILL_YOU = re.compile(r"(?<!\w)(?:好|好[吗嗎]|好不好|行[吗嗎]|行不行|可以[吗嗎])(?!\w)")
"""A word to the assistant; 这趟高铁好吗 asks about the train."""

_A_FEW = re.compile(r"(?<=[荐薦绍紹找搜查出说說])(?:[几幾][个個]|一些)(?=\w)")
"""推荐几个景点 asks for sights; 有几个景点 asks how many there are."""

_OR_NOT = re.compile(r"(?<=[有票雨座雪伞])[没不](?!\w)")
_MEASURE = re.compile(r"(?<![几幾多少半一二两兩三四五六七八九十百千\d])[个個张張]")
_TRAIN = re.compile(r"(?<=\d)次(?!\d)")
_IDLE = (_A_NOT_A, _WILL_YOU, _A_FEW, _OR_NOT, _MEASURE, _TRAIN)
"""Words that say nothing where they stand: 要不要, 好吗, 推荐几个, 还有票没, 来张票, G2次."""

_SIGNS = ("Sm", "So", "Sc")
_FIRST_FACE, _LAST_FACE = "😀", "😷"


def said_between(reading: Reading) -> Iterator[str]:
    """The words between the expressions, without those that say nothing."""
    kept = list(reading.text)
    spans = [_whole(expression, reading) for expression in reading.expressions]
    spans += [found.span() for idle in _IDLE for found in idle.finditer(reading.text)]
    for start, end in spans:
        kept[start:end] = "，" * (end - start)
    idle = fillers() | {word for kind in kinds_in(reading) for word in fillers_of(kind)}
    for run in _runs(normalise("".join(kept)).text):
        if rest := _without(run, idle):
            yield f"said {rest}"


def _whole(expression: Expression, reading: Reading) -> tuple[int, int]:
    """Where it stands, with the 日 of 四日自由行."""
    start, end = expression.span
    counts_days = isinstance(expression.value, Amount) and expression.value.slot == "days"
    return start, end + (counts_days and reading.text.startswith("日", end))


def _runs(text: str) -> list[str]:
    return "".join(c if _may_say(c) else " " for c in text).split()


def _may_say(character: str) -> bool:
    """Letters and numbers, and signs such as ← and 🚫; no punctuation and no faces."""
    is_sign = unicodedata.category(character) in _SIGNS and not _FIRST_FACE <= character <= _LAST_FACE
    return character.isalnum() or is_sign


def _without(run: str, idle: Set[str]) -> str:
    """The run without idle words, the longest first at every place."""
    rest, place, longest = "", 0, max(map(len, idle))
    while place < len(run):
        for length in range(min(longest, len(run) - place), 0, -1):
            if run[place : place + length] in idle:
                place += length
                break
        else:
            rest += run[place]
            place += 1
    return rest

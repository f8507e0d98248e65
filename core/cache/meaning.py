"""The guard: what a question means, as one text that two wordings share only when they ask the same.

No distance of sentences separates 北京到上海 from 上海到北京. So beside the grammar's own signature stand the values of
every expression that was read, and whatever words are left between them.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from core.language.frames import Reading
from core.language.normalise import normalise
from core.language.signature import signature
from core.language.values import (
    Amount,
    Compare,
    Days,
    Line,
    Mention,
    Note,
    Pick,
    Price,
    Shift,
    Test,
    Where,
    Window,
    Word,
)

_AS_THEY_ARE = (Window, Amount, Price, Word, Test, Note, Pick, Shift, Compare)


def meaning_of(reading: Reading) -> str:
    """The guard's text of a reading."""
    values = sorted({said for expression in reading.expressions for said in _value(expression.value)})
    return "\n".join([signature(reading), *values, *_between(reading)])


def accounts_for_all(reading: Reading) -> bool:
    """Whether the grammar has read every content word: only then does the meaning stand for the whole question."""
    return bool(reading.frames) and reading.certain and not reading.leftover


def _value(value: object) -> Iterator[str]:
    """What an expression adds; nothing for words that only give others their role."""
    if isinstance(value, Days):
        yield f"days {value.start} {value.end} {value.denied}"
        for window in value.windows:
            yield from _value(window)
    elif isinstance(value, Where):
        yield f"where {value.place.kind} {value.place.name} {value.denied}"
    elif isinstance(value, Line):
        yield f"line {value.start.name} {value.end.name}"
    elif isinstance(value, Mention):
        if value.denied or value.slot:
            yield f"mention {value.domain} {value.denied} {value.slot}"
    elif isinstance(value, _AS_THEY_ARE):
        yield repr(value)


def _between(reading: Reading) -> Iterator[str]:
    """The words that no expression covers, without those that say nothing."""
    kept = list(reading.text)
    for start, end in [expression.span for expression in reading.expressions]:
        kept[start:end] = "，" * (end - start)
    for run in _runs(normalise("".join(kept)).text):
        if rest := _without_fillers(run):
            yield f"said {rest}"


def _runs(text: str) -> Sequence[str]:
    return "".join(c if c.isalnum() else " " for c in text).split()


def _without_fillers(run: str) -> str:
    """The run without its fillers, the longest first at every place."""
    rest, place = "", 0
    words, longest = _fillers()
    while place < len(run):
        for length in range(min(longest, len(run) - place), 0, -1):
            if run[place : place + length] in words:
                place += length
                break
        else:
            rest += run[place]
            place += 1
    return rest


@cache
def _fillers() -> tuple[frozenset[str], int]:
    text = files("core.cache").joinpath("data", "fillers.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    words = frozenset(normalise(word).text for line in lines for word in line.split())
    return words, max(map(len, words))

"""The guard: what a question means, as one text that two wordings share only when they ask the same.

No distance of sentences separates 北京到上海 from 上海到北京. So beside the grammar's own signature stand the values of
every expression that was read, and whatever words are left between them.
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import cache
from importlib.resources import files

from core.language.domains import built_in
from core.language.frames import Expression, Reading
from core.language.normalise import normalise
from core.language.signature import signature
from core.language.values import (
    Act,
    Amount,
    Compare,
    Days,
    Line,
    Mark,
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

_AS_THEY_ARE = (Window, Amount, Price, Word, Note, Pick, Shift, Compare)
_PLAIN_ROLES = ("from", "to", "fly", "go", "dash", "place_is", "there", "then", "also", "stop", "chain", "beside",
                "connective",                 "joiner", "outward")  # fmt: skip
_HOURS = ("time_after", "time_before", "arrive_after", "arrive_before")
_ENDS = ("depart", "arrive")
_ARRIVING = ("到达", "抵达", "到站", "落地", "降落")

PLAIN = "-"
HOW_MUCH = "act 多少"
_BETWEEN_PARTS = " ‖ "
_A_NOT_A = re.compile(r"(.)[不没]\1")


def meaning_of(reading: Reading) -> str:
    """The guard's text of a reading."""
    parts = dict.fromkeys(signature(reading).split(_BETWEEN_PARTS))  # 气温多少度 names the warmth twice
    values = {said for expression in reading.expressions for said in _value(expression, reading)}
    values -= _in_slots(reading)
    if HOW_MUCH in values and ("act price" in values or any(part.startswith("about ") for part in parts)):
        values.remove(HOW_MUCH)  # 价格是多少, 气温是多少
    return "\n".join([*parts, *sorted(values), *_between(reading)])


def accounts_for_all(reading: Reading) -> bool:
    """Whether the grammar has read every content word: only then does the meaning stand for the whole question."""
    return bool(reading.frames) and reading.certain and not reading.leftover


def _in_slots(reading: Reading) -> set[str]:
    """Values that the signature has already, with the part they play: 西安 of 西安兵马俑 need not be said."""
    known: set[str] = set()
    for slots in (frame.slots for frame in reading.frames):
        for name in (slots.city, slots.from_city, slots.to_city, slots.destination):
            known.add(f"where city {name} False")
        for end in (None, slots.date_end):
            known.add(f"days {slots.date} {end} False")
    return known


def _value(expression: Expression, reading: Reading) -> Iterator[str]:
    """What an expression adds; nothing for words that only give others their role."""
    value = expression.value
    if isinstance(value, Mention):
        yield from _named(value.domain, expression, reading)
        if value.denied or value.slot:
            yield f"mention {value.domain} {value.denied} {value.slot}"
    elif isinstance(value, Act):
        yield from _named("act", expression, reading)
        if value.denied or value.name != "query":
            yield f"act {value.name} {value.denied}"
    elif isinstance(value, Mark):
        yield from _role(value, expression, reading)
    elif isinstance(value, Test):
        if not any(isinstance(other.value, Mention) and _overlap(other, expression) for other in reading.expressions):
            yield f"test {value.names}"
    else:
        yield from _thing(value)


def _overlap(one: Expression, other: Expression) -> bool:
    """Whether both were read from the same words: 会下雨 is a word for the weather and what a condition looks at."""
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _thing(value: object) -> Iterator[str]:
    if isinstance(value, Days):
        yield f"days {value.start} {value.end} {value.denied}"
        yield from map(repr, value.windows)
    elif isinstance(value, Where):
        yield f"where {value.place.kind} {value.place.name} {value.denied}"
    elif isinstance(value, Line):
        yield f"where city {value.start.name} False"
        yield f"where city {value.end.name} False"
    elif isinstance(value, _AS_THEY_ARE):
        yield repr(value)


def _role(mark: Mark, expression: Expression, reading: Reading) -> Iterator[str]:
    """A role that is more than from where to where: there and back, or, not that one. Beside hours: whose they are."""
    if mark.role not in (*_PLAIN_ROLES, *_ENDS):
        yield f"role {mark.role}"
    elif any(getattr(frame.slots, slot) for frame in reading.frames for slot in _HOURS):
        word = normalise(reading.text[slice(*expression.span)]).text
        if mark.role in _ENDS or word in _ARRIVING:
            yield f"role {'arrive' if word in _ARRIVING else mark.role}"


def _named(kind: str, expression: Expression, reading: Reading) -> Iterator[str]:
    """What the very word asks for, where that is more than the plain wish: 博物馆, 多少钱."""
    word = normalise(reading.text[slice(*expression.span)]).text
    said = [_classes().get((name, word), word) for name in (kind, *_kinds(reading))]
    if PLAIN not in said:
        yield f"{kind} {said[0]}"


def _between(reading: Reading) -> Iterator[str]:
    """The words that no expression covers, without those that say nothing."""
    kept = list(reading.text)
    spans = [expression.span for expression in reading.expressions]
    spans += [(found.start() + 1, found.start() + 2) for found in _A_NOT_A.finditer(reading.text)]
    for start, end in spans:
        kept[start:end] = "，" * (end - start)
    idle = _fillers() | {word for kind in _kinds(reading) for word in _fillers_of(kind)}
    for run in _runs(normalise("".join(kept)).text):
        if rest := _without(run, idle):
            yield f"said {rest}"


def _kinds(reading: Reading) -> list[str]:
    """The kinds of wishes in it, as the tables name them."""
    intents = {frame.intent for frame in reading.frames}
    return [name for name, domain in built_in().items() if domain.query in intents]


def _runs(text: str) -> Sequence[str]:
    return "".join(c if c.isalnum() else " " for c in text).split()


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


@cache
def _classes() -> dict[tuple[str, str], str]:
    text = files("core.cache").joinpath("data", "same_words.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {(kind, normalise(word).text): name for kind, name, words in rows for word in words.split()}


@cache
def _fillers() -> frozenset[str]:
    text = files("core.cache").joinpath("data", "fillers.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return frozenset(normalise(word).text for line in lines for word in line.split())


@cache
def _fillers_of(kind: str) -> frozenset[str]:
    """What says nothing more beside a wish of this kind: 取车 beside the day from which a car is rented."""
    return frozenset(word for of, word in _classes() if of == f"beside {kind}")

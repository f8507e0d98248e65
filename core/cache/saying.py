"""What an expression of a question says, so that two wordings can be held against one another."""

import re
from collections.abc import Iterator

from core.cache.words import PLAIN, class_of, classes_in, feasts, undenied
from core.language.domains import built_in
from core.language.frames import Expression, Reading
from core.language.normalise import normalise
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
    Talk,
    Test,
    Where,
    Window,
    Word,
)

_AS_THEY_ARE = (Window, Amount, Price, Word, Pick, Shift)
_PLACES = ("from", "to", "fly", "go", "dash", "place_is", "there", "outward")
_LINKS = ("then", "also", "stop", "chain", "beside", "connective", "joiner")
_PLAIN_ROLES = (*_PLACES, *_LINKS)
_HOURS = ("time_after", "time_before", "arrive_after", "arrive_before")
_ENDS = ("depart", "arrive")
_ARRIVING = ("到达", "抵达", "到站", "落地", "降落")
_NOT_A_TIME = re.compile("[了票]")
"""高铁开了吗 asks whether it has left, 什么时候开票 when tickets are sold."""

_EITHER = ("或", "或者", "还是")
_SMALL_TALK = ("greeting", "thanks", "farewell")
_TOGETHER = " & "
"""In the table: a word that says two things, 门票价格."""

_NUANCED = {Window: "in hours", Amount: "in amount"}
"""Expressions whose value says less than their words: 老人 is read as grown-up, 上午 as 早上."""

_CHOSEN = ("seat_class", "cabin", "direct", "seat_pref", "sort", "area")
"""Slots that take the nearest of a few values: 卧铺 is read as 硬卧, 打折 as the cheapest."""

_CLOCK = re.compile("[点时:]")
"""下午三点 is 15点: no part of the day beside it."""


def word_of(expression: Expression, reading: Reading) -> str:
    """Its very word, in one spelling."""
    return normalise(reading.text[slice(*expression.span)]).text


def kinds_in(reading: Reading) -> list[str]:
    """The kinds of wishes in it, as the tables name them."""
    intents = {frame.intent for frame in reading.frames}
    return [name for name, domain in built_in().items() if domain.query in intents]


def said_by(expression: Expression, reading: Reading) -> Iterator[str]:
    """What it adds to the question; nothing where it only gives others their role."""
    value = expression.value
    if isinstance(value, Mention):
        yield from _mentioned(value, expression, reading)
    elif isinstance(value, Act):
        yield from _named("act", expression, reading)
        if value.denied or value.name != "query":
            yield f"act {value.name} {value.denied}"
    elif isinstance(value, Mark):
        yield from _role(value, expression, reading)
    elif isinstance(value, Test | Talk | Note | Compare):
        yield from _remark(value, expression, reading)
    else:
        yield from _thing(value, reading)
        yield from _nuances(expression, reading)


def _mentioned(value: Mention, expression: Expression, reading: Reading) -> Iterator[str]:
    if not _says_its_value(value, expression, reading):
        yield from _named(value.domain, expression, reading)
    if value.denied or value.slot:
        yield f"mention {value.domain} {value.denied} {value.slot}"


def _says_its_value(value: Mention, expression: Expression, reading: Reading) -> bool:
    """Whether its word says no more than a value that stands for it: 七座车, 滑雪保险, 不坐高铁."""
    if any(isinstance(other.value, Word | Note) and other.span == expression.span for other in reading.expressions):
        return True
    plain = class_of(value.domain, undenied(word_of(expression, reading))) == PLAIN
    return value.denied and value.slot is not None and plain


def _named(kind: str, expression: Expression, reading: Reading) -> Iterator[str]:
    """What the very word asks for, where that is more than the plain wish: 博物馆, 多少钱."""
    word = word_of(expression, reading)
    said = [class_of(name, word) for name in (kind, *kinds_in(reading))]
    if PLAIN not in said:
        yield from f"{kind} {said[0]}".split(_TOGETHER)


def _role(mark: Mark, expression: Expression, reading: Reading) -> Iterator[str]:
    """A role that is more than from where to where: there and back, or, not that one. Beside hours: whose they are."""
    word = word_of(expression, reading)
    is_end = mark.role in _ENDS or word in _ARRIVING
    if not (mark.role in _PLAIN_ROLES or is_end):
        yield f"role {mark.role}"
    elif word in _EITHER:
        yield "role or"
    elif is_end and (after := _NOT_A_TIME.match(reading.text, expression.span[1])):
        yield f"role {word}{after[0]}"
    elif is_end and any(getattr(frame.slots, slot) for frame in reading.frames for slot in _HOURS):
        yield f"role {'arrive' if word in _ARRIVING else mark.role}"


def _remark(value: Test | Talk | Note | Compare, expression: Expression, reading: Reading) -> Iterator[str]:
    """What looks at an answer or speaks of something else: 没票, 用英文回答, 老人, 还有别的吗."""
    word = word_of(expression, reading)
    if isinstance(value, Note):
        yield f"note {class_of('note', word)}"
    elif isinstance(value, Talk) and value.topic not in _SMALL_TALK:
        yield f"talk {word}"
    elif isinstance(value, Compare) and class_of("compare", word) != PLAIN:
        yield f"compare {value.name}"
    elif isinstance(value, Test) and not _is_named_elsewhere(expression, reading):
        yield f"test {value.names}"


def _is_named_elsewhere(expression: Expression, reading: Reading) -> bool:
    """Whether its words name a wish, too: 会下雨 is a word for the weather and what a condition looks at."""
    start, end = expression.span
    others = [other.span for other in reading.expressions if isinstance(other.value, Mention | Act)]
    return any(first < end and start < last for first, last in others)


def _thing(value: object, reading: Reading) -> Iterator[str]:
    if isinstance(value, Days):
        yield f"days {value.start} {value.end} {value.denied}"
        yield from map(repr, value.windows)
    elif isinstance(value, Where):
        is_tour_stop = value.place.kind == "station" and kinds_in(reading) == ["concert"]  # 周杰伦上海站
        yield f"where {'city' if is_tour_stop else value.place.kind} {value.place.name} {value.denied}"
    elif isinstance(value, Line):
        yield f"where city {value.start.name} False"
        yield f"where city {value.end.name} False"
    elif isinstance(value, _AS_THEY_ARE):
        yield repr(value)


def _nuances(expression: Expression, reading: Reading) -> Iterator[str]:
    """What the words say beyond the value that was read from them."""
    value, word = expression.value, word_of(expression, reading)
    if isinstance(value, Days):
        word = word.removesuffix("的")
        if (said := "feast" if word in feasts() else class_of("in days", word)) != word:
            yield f"in days {said}"  # 国庆节 and 10月1号 are one day
    elif (kind := _NUANCED.get(type(value))) is not None and not _CLOCK.search(word):
        yield from (f"{kind} {name}" for name in classes_in(kind, word))
    elif isinstance(value, Word) and value.slot in _CHOSEN:
        said = class_of(value.slot, undenied(word))
        if said not in (PLAIN, normalise(value.value).text):
            yield f"{value.slot} {said}"

"""The guard: what a question means, as one text that two wordings share only when they ask the same.

No distance of sentences separates 北京到上海 from 上海到北京. So beside the grammar's own signature stand the values of
every expression that was read, and whatever words are left between them.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set

from core.cache.words import class_of, classes_in, feasts, fillers, fillers_of, undenied
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
    Talk,
    Test,
    Where,
    Window,
    Word,
)

_AS_THEY_ARE = (Window, Amount, Price, Word, Pick, Shift, Compare)
_PLAIN_ROLES = ("from", "to", "fly", "go", "dash", "place_is", "there", "then", "also", "stop", "chain", "beside",
                "connective",                 "joiner", "outward")  # fmt: skip
_HOURS = ("time_after", "time_before", "arrive_after", "arrive_before")
_ENDS = ("depart", "arrive")
_ARRIVING = ("到达", "抵达", "到站", "落地", "降落")

PLAIN = "-"
HOW_MUCH = "act 多少"
_BETWEEN_PARTS = " ‖ "
_TOGETHER = " & "
"""In the table: a word that says two things, 门票价格."""
_OUR_OWN = "about ", "note "
"""What is asked of the weather, and notes: the very words say it as well, and by our own table of what is the same."""

_EXTREMES = {"weather high", "weather low"}
_NUANCED = {Window: "in hours", Amount: "in amount"}
"""Expressions whose value says less than their words: 老人 is read as grown-up, 待会儿 as today."""

_CHOSEN = ("seat_class", "cabin", "direct", "seat_pref", "sort", "area")
"""Slots that take the nearest of a few values: 卧铺 is read as 硬卧, 打折 as the cheapest."""

_SIGNS = ("Sm", "So", "Sc")
_FACES = "😀", "😷"
_SMALL_TALK = ("greeting", "thanks", "farewell")
_EITHER = ("或", "或者", "还是")
_A_NOT_A = re.compile(r"(.)[不没]\1")
_WILL_YOU = re.compile(r"(?<![\w])(?:好|好吗|好嗎|好不好|行吗|行嗎|行不行|可以吗|可以嗎)(?![\w])")
"""A word to the assistant; 这趟高铁好吗 asks about the train."""

_OR_NOT = re.compile(r"(?<=[有票雨座雪])[没不](?!\w)|(?<=\d)次(?!\d)")
"""还有票没; G2次."""

_CLOCK = re.compile("[点时:]")
_MEASURED = re.compile(r"(?:门票|[价温湿]格?度?|pm2.5|aqi)[是为]?多少(?![^,。?!\s度呢呀啊吗嘛])")
"""价格是多少 and 气温是多少 ask for no number beside the price and the warmth; 还有多少张 does."""

_A_FEW = re.compile(r"(?<=[荐薦绍紹找搜查出说說])[几幾一][个個些](?=\w)")
"""推荐几个景点 asks for sights; 有几个景点 asks how many there are."""


def meaning_of(reading: Reading) -> str:
    """The guard's text of a reading."""
    parts = [part for part in signature(reading).split(_BETWEEN_PARTS) if not part.startswith(_OUR_OWN)]
    values = {said for expression in reading.expressions for said in _value(expression, reading)}
    return "\n".join([*dict.fromkeys(parts), *sorted(_plainer(values, reading)), *_between(reading)])


def _plainer(values: set[str], reading: Reading) -> set[str]:
    """Without what other values say as well: 气温 of 最高气温多少度, 哪趟 of 哪趟最快, 日游 of 三日游的团."""
    values -= _in_slots(reading)
    if HOW_MUCH in values and (found := _MEASURED.search(normalise(reading.text).text)):
        values.remove(HOW_MUCH)
        values |= {"act price"} if found[0].startswith("门票") else set()
    if values & _EXTREMES:
        values.discard("weather warmth")
    if any(value.startswith("sort ") for value in values):
        values.discard("act which")
    if any(_is_plain_tour(expression, reading) for expression in reading.expressions):
        values.discard("tour outing")
    return values


def _is_plain_tour(expression: Expression, reading: Reading) -> bool:
    value = expression.value
    return (
        isinstance(value, Mention) and value.domain == "tour" and class_of("tour", _word(expression, reading)) == PLAIN
    )


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
        yield from _mentioned(value, expression, reading)
    elif isinstance(value, Act):
        yield from _named("act", expression, reading)
        if value.denied or value.name != "query":
            yield f"act {value.name} {value.denied}"
    elif isinstance(value, Mark):
        yield from _role(value, expression, reading)
    elif isinstance(value, Test):
        if not any(isinstance(e.value, Mention | Act) and _overlap(e, expression) for e in reading.expressions):
            yield f"test {value.names}"
    elif isinstance(value, Talk):
        if value.topic not in _SMALL_TALK:
            yield f"talk {_word(expression, reading)}"
    elif isinstance(value, Note):
        yield f"note {class_of('note', _word(expression, reading))}"
    elif isinstance(value, Compare):
        if class_of("compare", _word(expression, reading)) != PLAIN:
            yield repr(value)
    else:
        yield from _thing(value, reading)
        yield from _nuances(expression, reading)


def _mentioned(value: Mention, expression: Expression, reading: Reading) -> Iterator[str]:
    denies_a_value = value.denied and value.slot
    says_its_value = any(
        isinstance(other.value, Word | Note) and other.span == expression.span for other in reading.expressions
    )
    if not (says_its_value or denies_a_value and class_of(value.domain, undenied(_word(expression, reading))) == PLAIN):
        yield from _named(value.domain, expression, reading)
    if value.denied or value.slot:
        yield f"mention {value.domain} {value.denied} {value.slot}"


def _nuances(expression: Expression, reading: Reading) -> Iterator[str]:
    """What the words say beyond the value that was read from them."""
    value, word = expression.value, _word(expression, reading)
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


def _word(expression: Expression, reading: Reading) -> str:
    return normalise(reading.text[slice(*expression.span)]).text


def _overlap(one: Expression, other: Expression) -> bool:
    """Whether both were read from the same words: 会下雨 is a word for the weather and what a condition looks at."""
    return one.span[0] < other.span[1] and other.span[0] < one.span[1]


def _thing(value: object, reading: Reading) -> Iterator[str]:
    if isinstance(value, Days):
        yield f"days {value.start} {value.end} {value.denied}"
        yield from map(repr, value.windows)
    elif isinstance(value, Where):
        kind = value.place.kind
        if kind == "station" and _kinds(reading) == ["concert"]:
            kind = "city"  # 上海站 of a tour
        yield f"where {kind} {value.place.name} {value.denied}"
    elif isinstance(value, Line):
        yield f"where city {value.start.name} False"
        yield f"where city {value.end.name} False"
    elif isinstance(value, _AS_THEY_ARE):
        yield repr(value)


def _role(mark: Mark, expression: Expression, reading: Reading) -> Iterator[str]:
    """A role that is more than from where to where: there and back, or, not that one. Beside hours: whose they are."""
    word = _word(expression, reading)
    if mark.role not in (*_PLAIN_ROLES, *_ENDS):
        yield f"role {mark.role}"
    elif word in _EITHER:
        yield "role or"
    elif reading.text.startswith("了", expression.span[1]):
        yield f"role {word} 了"  # 高铁开了吗
    elif any(getattr(frame.slots, slot) for frame in reading.frames for slot in _HOURS):
        if mark.role in _ENDS or word in _ARRIVING:
            yield f"role {'arrive' if word in _ARRIVING else mark.role}"


def _named(kind: str, expression: Expression, reading: Reading) -> Iterator[str]:
    """What the very word asks for, where that is more than the plain wish: 博物馆, 多少钱."""
    word = _word(expression, reading)
    said = [class_of(name, word) for name in (kind, *_kinds(reading))]
    if PLAIN not in said:
        yield from f"{kind} {said[0]}".split(_TOGETHER)


def _between(reading: Reading) -> Iterator[str]:
    """The words that no expression covers, without those that say nothing."""
    kept = list(reading.text)
    spans = [_whole(expression, reading) for expression in reading.expressions]
    spans += [(found.start() + 1, found.start() + 2) for found in _A_NOT_A.finditer(reading.text)]
    spans += [found.span() for idle in (_A_FEW, _WILL_YOU, _OR_NOT) for found in idle.finditer(reading.text)]
    for start, end in spans:
        kept[start:end] = "，" * (end - start)
    idle = fillers() | {word for kind in _kinds(reading) for word in fillers_of(kind)}
    for run in _runs(normalise("".join(kept)).text):
        if rest := _without(run, idle):
            yield f"said {rest}"


def _whole(expression: Expression, reading: Reading) -> tuple[int, int]:
    """Where it stands, with the 日 of 四日自由行."""
    start, end = expression.span
    counts_days = isinstance(expression.value, Amount) and expression.value.slot == "days"
    return start, end + (counts_days and reading.text.startswith("日", end))


def _kinds(reading: Reading) -> list[str]:
    """The kinds of wishes in it, as the tables name them."""
    intents = {frame.intent for frame in reading.frames}
    return [name for name, domain in built_in().items() if domain.query in intents]


def _runs(text: str) -> Sequence[str]:
    return "".join(c if _may_say(c) else " " for c in text).split()


def _may_say(character: str) -> bool:
    """Letters and numbers, and signs such as ← and 🚫; no punctuation and no faces."""
    is_sign = unicodedata.category(character) in _SIGNS and not _FACES[0] <= character <= _FACES[1]
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

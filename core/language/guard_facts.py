"""What results really say: every price, number, time, day and name that a sentence about them may hold."""

import contextlib
import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from core.language.guard_words import plain
from core.language.numerals import value_of
from core.shared.json_types import JsonObject, JsonValue

_PRICE_FIELDS = frozenset({"price", "unit_price", "total_price", "original_price"})
_CODE_FIELDS = ("train_no", "flight_no")
_CLASS_FIELDS = ("seat_class", "cabin", "area")
_SAID_PRICE = re.compile(r"¥\s*(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s*元")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(?:(\d{4})年)?(\d{1,2})月(\d{1,2})")
_MOMENT = re.compile(r"T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:\d{2}|Z)?")
_WITH_LETTERS = re.compile(r"[A-Za-z]+-?\d[\dA-Za-z]*|\d+[A-Za-z]+\d[\dA-Za-z]*")
SKY = ("雨", "雪", "雷", "台风", "冰雹", "雾", "霾", "沙尘")
NOT = re.compile(r"(?:无|没有?|不会?|未|免|如|若|万一|是否|防)[^，,。；;]{0,4}$")
_HOUR_MIN = 60
_LATELY_DAYS = 60
_NOT_FOR_PEOPLE = frozenset({"item_id", "updated_at", "created_at"})
"""Fields whose digits mean nothing to a traveller: they must not make an invented number look true."""


def _before(unit: str) -> re.Pattern[str]:
    number = r"(\d+(?:\.\d+)?)"
    return re.compile(rf"(?:{number}\s*(?:°C|度)?\s*[~到至-]\s*)?-?{number}\s*(?:{unit})")


MEASURES: dict[str, tuple[tuple[str, ...], re.Pattern[str]]] = {
    "degrees": (("temp_max_c", "temp_min_c"), _before("°C|度")),
    "per cent": (("humidity_pct",), _before("%")),
    "millimetres": (("precip_mm",), _before("毫米")),
    "seats": (("seats",), _before("座")),
}
"""Units with the fields that hold their numbers."""


@dataclass(frozen=True, slots=True)
class Source:
    """One result, as far as a sentence about it may draw on it. `wish`: the slots that found it, as JSON."""

    rows: Sequence[JsonObject]
    wish: JsonObject
    words: str = ""
    """What the rules make of the result: its prices count."""
    asked: str = ""
    """The person's own words and whatever else may be repeated: no price in them counts."""
    more: int = 0
    services: int = 0
    """How many trains, flights, concerts the rows are."""


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """What may be said beside a class of seats or an area: 二等座, 经济舱, 看台."""

    prices: frozenset[Decimal] = frozenset()
    left: frozenset[Decimal] = frozenset()


@dataclass(frozen=True, slots=True)
class Service:
    """Rows of one train or flight: what may be said beside its number."""

    code: str
    prices: frozenset[Decimal]
    clocks: frozenset[str]
    left: frozenset[Decimal]
    classes: Mapping[str, "ClassFacts"]


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of some results, told on a day. `text` holds every word that stands in them."""

    text: str
    prices: frozenset[Decimal]
    bounds: frozenset[Decimal]
    """Prices that the person named as a limit: no offers, only what was asked for."""
    numbers: frozenset[Decimal]
    clocks: frozenset[str]
    days: frozenset[dt.date]
    minutes: frozenset[int]
    """Durations."""
    left: frozenset[Decimal]
    """How many are left or wished for: the only numbers that may stand beside 余 and 张."""
    fewest: Decimal | None
    """The least that is left of anything."""
    measured: Mapping[str, frozenset[Decimal]]
    """Numbers by the unit beside which they may stand: degrees, per cent, millimetres, seats."""
    forecast: frozenset[dt.date]
    """The days that a forecast is for."""
    skies: frozenset[str]
    """Of SKY what the results tell of; 如果下雨 and 没有雨 tell of none."""
    services: tuple[Service, ...]
    classes: Mapping[str, ClassFacts]
    """Over all rows, by the words for a class."""
    statuses: frozenset[str]
    today: dt.date


def facts_of(sources: Sequence[Source], today: dt.date) -> Facts:
    """Everything that these results, and the wishes behind them, say."""
    rows = [row for source in sources for row in source.rows]
    wishes = [source.wish for source in sources]
    texts = [plain(text) for source in sources for text in (source.words, source.asked)]
    values = [_shown(value) for origin in (*rows, *wishes) for value in _leaves(origin)]
    whole = "\n".join([*texts, *values])
    days = frozenset(_days(whole, today))
    prices = frozenset(_prices(rows, [plain(source.words) for source in sources], wishes))
    minutes = frozenset(_minutes(rows))
    return Facts(
        text=whole, prices=prices, bounds=frozenset(_amounts(wishes, ("price_max", "price_min"))),
        numbers=frozenset(_numbers(whole, sources, minutes, days)), clocks=frozenset(clocks_of(whole)), days=days,
        minutes=minutes, left=frozenset(_left(rows, wishes)), measured=_measured(rows, whole),
        forecast=frozenset(_forecast_days(rows)), skies=frozenset(_skies(rows, sources)),
        services=tuple(_services(rows, wishes)), today=today,
        fewest=min(_amounts(rows, ("remaining",)), default=None), classes=_classes(rows, wishes),
        statuses=frozenset(str(row.get("status")) for row in rows if "order_id" in row),
    )


def decimal_of(text: str) -> Decimal | None:
    """553.00 and 553 are one number; a separator for thousands is none."""
    try:
        return Decimal(text.replace(",", "")).normalize()
    except InvalidOperation:
        return None


def clocks_of(text: str) -> Iterator[str]:
    """Clock times in one spelling: 9:05 is 09:05."""
    for hour, minute in _CLOCK.findall(text):
        yield f"{int(hour):02}:{minute}"


def _leaves(value: JsonValue) -> Iterator[JsonValue]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item) if key not in _NOT_FOR_PEOPLE else ()
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield value


def _shown(value: JsonValue) -> str:
    """A value in plain spelling, a moment without its seconds and its offset, which nobody says."""
    return plain(_MOMENT.sub(r" \1", str(value)))


def _prices(rows: Sequence[JsonObject], texts: Sequence[str], wishes: Sequence[JsonObject]) -> Iterator[Decimal]:
    """Prices of rows and of the agents' words, and what the wished number of them costs."""
    single = set(_amounts(rows, _PRICE_FIELDS))
    for row in rows:
        if isinstance(item := row.get("item"), dict):
            single |= set(_amounts([item], _PRICE_FIELDS))
    for text in texts:
        single |= {amount for a, b in _SAID_PRICE.findall(text) if (amount := decimal_of(a or b)) is not None}
    yield from single
    for count in _party(wishes):
        yield from ((price * count).normalize() for price in single)


def _left(rows: Iterable[JsonObject], wishes: Iterable[JsonObject]) -> Iterator[Decimal]:
    yield from _amounts(rows, ("remaining", "quantity"))
    yield from map(Decimal, _party(wishes))


def _party(wishes: Iterable[JsonObject]) -> Iterator[int]:
    """How many of a thing are wished for."""
    for wish in wishes:
        counts = [count for name in ("adults", "children") if isinstance(count := wish.get(name), int)]
        if isinstance(quantity := wish.get("quantity"), int):
            yield quantity
        if counts:
            yield sum(counts)


def _amounts(sources: Iterable[JsonObject], names: Iterable[str]) -> Iterator[Decimal]:
    for source in sources:
        for name in names:
            if (amount := decimal_of(str(source.get(name, "")))) is not None:
                yield amount


def _numbers(
    whole: str, sources: Sequence[Source], minutes: Iterable[int], days: Iterable[dt.date]
) -> Iterator[Decimal]:
    """Numbers that stand in the results, and counts that code can make of them."""
    bare = _WITH_LETTERS.sub(" ", whole)
    yield from (number for text in _NUMBER.findall(bare) if (number := decimal_of(text)) is not None)
    yield Decimal(len(sources))
    for source in sources:
        shown = len(source.rows)
        yield from map(Decimal, (shown, shown + source.more, source.more, source.services))
    for length in minutes:
        yield from map(Decimal, (length, length // _HOUR_MIN, length % _HOUR_MIN))
    for day in days:
        yield from map(Decimal, (day.year, day.month, day.day))


def _days(whole: str, today: dt.date) -> Iterator[dt.date]:
    for year, month, day in days_in(whole):
        with contextlib.suppress(ValueError):
            found = dt.date(int(year or today.year), int(month), int(day))
            # A day without its year that lies well behind us is next year's.
            past = not year and found < today - dt.timedelta(days=_LATELY_DAYS)
            yield dt.date(found.year + 1, found.month, found.day) if past else found


def days_in(text: str) -> Iterator[tuple[str, str, str]]:
    """Year (may be empty), month and day of every date in a plain text."""
    for iso_year, iso_month, iso_day, year, month, day in _DAY.findall(text):
        yield iso_year or year, iso_month or month, iso_day or day


def _minutes(rows: Iterable[JsonObject]) -> Iterator[int]:
    yield from (length for row in rows if isinstance(length := row.get("duration_min"), int))


def _measured(rows: Sequence[JsonObject], whole: str) -> dict[str, frozenset[Decimal]]:
    found = {}
    for unit, (fields, _) in MEASURES.items():
        own = {abs(amount) for amount in _amounts(rows, fields)}
        found[unit] = frozenset(own | {abs(amount) for amount in measures_in(whole, unit)})
    return found


def measures_in(text: str, unit: str) -> Iterator[Decimal]:
    """The numbers that stand before a unit, both ends of a range."""
    for pair in MEASURES[unit][1].findall(text):
        yield from (amount for said in pair if said and (amount := decimal_of(said)) is not None)


def _forecast_days(rows: Iterable[JsonObject]) -> Iterator[dt.date]:
    for row in rows:
        if "temp_max_c" in row or "condition_day" in row:
            with contextlib.suppress(ValueError):
                yield dt.date.fromisoformat(str(row.get("date"))[:10])


def _skies(rows: Sequence[JsonObject], sources: Sequence[Source]) -> Iterator[str]:
    told = [_shown(value) for row in rows for value in _leaves(row)] + [plain(source.words) for source in sources]
    for text in told:
        yield from (sky for sky in SKY for found in re.finditer(sky, text) if not NOT.search(text[: found.start()]))


def _services(rows: Iterable[JsonObject], wishes: Sequence[JsonObject]) -> Iterator[Service]:
    """One for each train or flight number, over all its rows: classes, days."""
    named: dict[str, list[JsonObject]] = {}
    for row in rows:
        item = row.get("item")
        for source in (row, item if isinstance(item, dict) else {}):
            for name in _CODE_FIELDS:
                if code := source.get(name):
                    named.setdefault(str(code).upper(), []).extend([source, row])
    for code, own in named.items():
        texts = [_shown(value) for row in own for value in _leaves(row)]
        prices, left = frozenset(_prices(own, [], wishes)), frozenset(_left(own, wishes))
        yield Service(code, prices, frozenset(clocks_of("\n".join(texts))), left, _classes(own, wishes))


def _classes(rows: Iterable[JsonObject], wishes: Sequence[JsonObject]) -> dict[str, ClassFacts]:
    named: dict[str, list[JsonObject]] = {}
    for row in rows:
        item = row.get("item")
        inner = item if isinstance(item, dict) else {}
        for name in _CLASS_FIELDS:
            if word := row.get(name) or inner.get(name):
                named.setdefault(plain(str(word)), []).append(row)
    return {
        word: ClassFacts(frozenset(_prices(own, [], wishes)), frozenset(_left(own, wishes)))
        for word, own in named.items()
    }


def chinese_number(text: str) -> Decimal | None:
    """五百五十三 as a number."""
    number = value_of(text)
    return None if number is None else Decimal(number)

"""Trains and flights: departures with their classes on one line, the best few first."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from a2a_servers.wording.bits import (
    amount_of,
    arrival,
    arrives_within,
    clock,
    dates,
    day,
    duration,
    for_sale,
    grouped,
    joined,
    left,
    listed,
    money,
    number,
    priced,
    route,
    text,
)
from a2a_servers.wording.items import departure
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_SHOWN = 4
_BRIEF_SHOWN = 2

Departure = Sequence[Row]
"""The rows of one train or flight on one day: one per class."""


@dataclass(frozen=True, slots=True)
class JourneyTemplate:
    """Words rows of kind `train` or `flight`; the fields say which of the rows' names to use."""

    goods: str
    """火车票, 机票"""
    unit: str
    """趟, 班"""
    choices: str
    """What differs from row to row."""
    number: str
    class_name: str
    origin: str
    target: str
    advice: str
    """What can be done next."""

    def full(self, found: Found) -> str:
        departures = self._departures(found.rows)
        dated = _days_of(found.rows) > 1 or _spans_days(found.query)
        lines = listed(self._line(rows, dated) for rows in departures[:MAX_SHOWN])
        return "\n".join([self._head(found, len(departures)), *lines, *self._tail(found, departures, len(lines))])

    def brief(self, found: Found) -> str:
        departures = self._departures(found.rows)
        dated = _days_of(found.rows) > 1 or _spans_days(found.query)
        shown = "；".join(self._short(rows, dated) for rows in departures[:_BRIEF_SHOWN])
        note = f"（{found.demo}）" if found.demo else ""
        row = departures[0][0]
        where = f"{text(row, 'from_city', self.origin)}到{text(row, 'to_city', self.target)}"
        when = dates(found.query) if dated else day(row.get("date"), weekday=False)
        count = self._count(found, len(departures))
        return joined([f"{when}{where}", arrives_within(found.query), f"{count}{note}：{shown}。"])

    def nothing(self, query: JsonObject) -> str:
        about = [text(query, self.number), route(query), arrives_within(query), priced(query)]
        of = "的" if any(about) else ""
        about = [dates(query), *about, f"{of}{self.goods}"]
        return f"抱歉，没有查到{joined(about, '')}。可以换个日期，或放宽时间、席别、价格等条件，我再帮您查。"

    def _departures(self, rows: Sequence[Row]) -> list[list[Row]]:
        found = grouped(rows, lambda row: (text(row, self.number), text(row, "date"), text(row, "depart_at")))
        # Sold-out departures go last; beyond that the tool's order stands, because the person may have asked for it.
        return sorted(found, key=lambda departure: not any(for_sale(row) for row in departure))

    def _head(self, found: Found, count: int) -> str:
        row = found.rows[0]
        where = f"{text(row, 'from_city', self.origin)}到{text(row, 'to_city', self.target)}"
        when = dates(found.query) or day(row.get("date"))
        note = f"（{found.demo}）" if found.demo else ""
        head = [f"{when}{where}的{self.goods}", arrives_within(found.query), f"{self._count(found, count)}{note}："]
        return joined(head)

    def _count(self, found: Found, count: int) -> str:
        if found.more:
            return f"不同{self.choices}共{found.total}个选择"
        return f"共{count}{self.unit}"

    def _line(self, rows: Departure, dated: bool) -> str:
        when = day(rows[0].get("date")) if dated else ""
        return joined([f"{when}{departure(rows[0])}", " / ".join(map(self._offer, rows))])

    def _offer(self, row: Row) -> str:
        return f"{text(row, self.class_name)}{money(row.get('price'))} {left(row, '张')}".strip()

    def _short(self, rows: Departure, dated: bool) -> str:
        first = rows[0]
        when = day(first.get("date"), weekday=False) if dated else ""
        times = f"{clock(first.get('depart_at'))}—{arrival(first)}"
        return f"{when}{text(first, self.number)} {times} {self._offer(_cheapest(rows))}"

    def _tail(self, found: Found, departures: Sequence[Departure], shown: int) -> list[str]:
        hints = [] if found.more else _highlights(departures, shown, self.number)
        return [*hints, *_totals(departures[:shown], found.query, self.number), self.advice]


def _days_of(rows: Sequence[Row]) -> int:
    return len({text(row, "date") for row in rows})


def _cheapest(rows: Departure) -> Row:
    on_sale = [row for row in rows if for_sale(row)] or list(rows)
    return min(on_sale, key=_price)


def _price(row: Row) -> Decimal:
    amount = amount_of(row.get("price"))
    return Decimal("Infinity") if amount is None else amount


def _spans_days(query: JsonObject) -> bool:
    return query.get("date_end") not in (None, query.get("date"))


def _totals(departures: Sequence[Departure], query: JsonObject, number_name: str) -> list[str]:
    """What all the travellers pay together, by the cheapest class of each departure shown."""
    count = int(number(query, "quantity") or 1)
    told = [(rows[0], amount * count) for rows in departures if (amount := _amount(rows)) is not None]
    if count < 2 or not told:
        return []
    each = "、".join(f"{text(row, number_name)} {money(str(total))}" for row, total in told)
    return [f"{count}张的总价（按最便宜的一种）：{each}。"]


def _amount(rows: Departure) -> Decimal | None:
    return amount_of(_cheapest(rows).get("price"))


def _highlights(departures: Sequence[Departure], shown: int, number_name: str) -> list[str]:
    """Which is fastest and which cheapest, where there is a choice beyond the lines shown."""
    if len(departures) <= shown:
        return []
    rows = [row for departure in departures for row in departure if for_sale(row)]
    if not rows:
        return []
    fastest = min(rows, key=lambda row: number(row, "duration_min") or float("inf"))
    cheapest = min(rows, key=_price)
    several = _days_of(rows) > 1
    quick = f"用时最短的是{_called(fastest, number_name, several)}（{duration(fastest)}）" if duration(fastest) else ""
    cheap = f"最低价是{_called(cheapest, number_name, several)}的{money(cheapest.get('price'))}"
    return [joined([quick, cheap]) + "。"]


def _called(row: Row, number_name: str, dated: bool) -> str:
    when = f"{day(row.get('date'), weekday=False)}的" if dated else ""
    return f"{when}{text(row, number_name)}"


TRAIN = JourneyTemplate(
    goods="火车票", unit="趟", choices="车次和席别", number="train_no", class_name="seat_class",
    origin="from_station", target="to_station",
    advice="想订哪一趟，告诉我车次和席别就行；也可以说想坐的时段或车型，我再帮您筛选。",
)
FLIGHT = JourneyTemplate(
    goods="机票", unit="班", choices="航班和舱位", number="flight_no", class_name="cabin",
    origin="from_airport", target="to_airport",
    advice="想订哪一班，告诉我航班号和舱位就行；也可以说想飞的时段或航空公司，我再帮您筛选。",
)

"""The small pieces every template is made of: dates, clock times, durations, money, what is left."""

import datetime as dt
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from core.shared.json_types import JsonObject, JsonValue, Row

_WEEKDAYS = "一二三四五六日"

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

ROOM = 290
"""Characters that the lines of a list may take: a reply is read on a small screen."""

PRACTICALLY_ENDLESS = 100_000
"""More of it than anybody could buy: the number tells a traveller nothing."""


def text(row: Row, *names: str) -> str:
    """The first of these fields that says something, as text; empty when none does."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return f"{value:g}"
    return ""


def number(row: Row, name: str) -> float | None:
    """A field as a number, or None where it is missing or none."""
    value = row.get(name)
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(str(value))
    except ValueError:
        return None


def day(value: JsonValue, *, weekday: bool = True) -> str:
    """2026-08-17 as 8月17日（周一）; what is no date comes back as it is."""
    try:
        date = dt.date.fromisoformat(str(value)[:10])
    except ValueError:
        return str(value or "")
    named = f"（周{_WEEKDAYS[date.weekday()]}）" if weekday else ""
    return f"{date.month}月{date.day}日{named}"


def clock(value: JsonValue) -> str:
    """07:05 out of a bare time or an RFC 3339 moment."""
    said = str(value or "")
    return said.split("T", 1)[1][:5] if "T" in said else said[:5]


def arrival(row: Row) -> str:
    """The clock time of arrival, marked when it falls on a later day."""
    leaves, arrives = str(row.get("depart_at") or ""), str(row.get("arrive_at") or "")
    later = _days_between(leaves, arrives)
    return clock(arrives) + (f"（+{later}天）" if later > 0 else "")


def _days_between(leaves: str, arrives: str) -> int:
    try:
        return (dt.date.fromisoformat(arrives[:10]) - dt.date.fromisoformat(leaves[:10])).days
    except ValueError:
        return 0


def duration(row: Row) -> str:
    """269 minutes as 4小时29分."""
    minutes = number(row, "duration_min")
    if minutes is None:
        return ""
    hours, rest = divmod(int(minutes), 60)
    if not hours:
        return f"{rest}分钟"
    return f"{hours}小时{rest}分" if rest else f"{hours}小时"


def money(value: JsonValue) -> str:
    """553.00 as ¥553; 553.50 as ¥553.5; empty when there is no amount."""
    amount = amount_of(value)
    if amount is None:
        return ""
    return f"¥{amount.normalize():f}"


def amount_of(value: JsonValue) -> Decimal | None:
    """A price of a row as a number that compares."""
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None


def left(row: Row, unit: str) -> str:
    """余12张 or 已售完; empty where the row does not say, or where there is no end to it (an insurance)."""
    remaining = number(row, "remaining")
    if remaining is None:
        return ""
    if remaining >= PRACTICALLY_ENDLESS:
        return ""
    return f"余{int(remaining)}{unit}" if remaining > 0 else "已售完"


def for_sale(row: Row) -> bool:
    """Whether something is left; a row that does not say counts as for sale."""
    remaining = number(row, "remaining")
    return remaining is None or remaining > 0


def grouped(rows: Iterable[T], key: Callable[[T], K]) -> list[list[T]]:
    """Rows that belong together, in the order of each group's first."""
    groups: dict[K, list[T]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.values())


def joined(parts: Sequence[str], mark: str = "，") -> str:
    """The parts that say something, joined."""
    return mark.join(part for part in parts if part)


def listed(lines: Iterable[str], room: int = ROOM, least: int = 2) -> list[str]:
    """The lines numbered through, as many as there is room for."""
    kept: list[str] = []
    for place, line in enumerate(lines, 1):
        room -= len(line)
        if room < 0 and place > least:
            break
        kept.append(f"{place}. {line}")
    return kept


def route(source: Row | JsonObject) -> str:
    """北京到上海, or the half of it that is known."""
    start, end = text(source, "from_station", "from_city"), text(source, "to_station", "to_city")
    if start and end:
        return f"{start}到{end}"
    return f"{start}出发" if start else (f"到{end}" if end else "")


def priced(query: JsonObject) -> str:
    """¥197以内, where the price was bounded from above; else empty."""
    most = money(query.get("price_max"))
    return f"{most}以内" if most else ""


def arrives_within(query: JsonObject) -> str:
    """20:00前到达, where the hour of arrival was bounded; else empty."""
    after, before = clock(query.get("arrive_after")), clock(query.get("arrive_before"))
    if after and before:
        return f"{after}至{before}到达"
    return f"{after}后到达" if after else (f"{before}前到达" if before else "")


def dates(query: JsonObject) -> str:
    """8月17日, or 8月17日至19日's full form where the query spans days."""
    first, last = query.get("date"), query.get("date_end")
    if first and last and first != last:
        return f"{day(first, weekday=False)}至{day(last, weekday=False)}"
    return day(first) if first else ""

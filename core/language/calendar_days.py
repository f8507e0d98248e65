"""Days of the calendar: weeks, months, festivals, lunar days. Pure arithmetic over tables."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from core.language.tables import rows

ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Festival:
    """How a festival's day is found (see festivals.tsv) and how many days of holiday go with it."""

    rule: str
    value: str
    days: int


def weekday_in(today: dt.date, shift: int, weekday: int) -> dt.date:
    """The weekday (Monday 1 … Sunday 7) of the calendar week `shift` weeks from today's; weeks begin on Monday."""
    monday = today - dt.timedelta(days=today.weekday())
    return monday + dt.timedelta(days=7 * shift + weekday - 1)


def coming_weekday(today: dt.date, weekday: int) -> dt.date:
    """The next such weekday, today included."""
    return today + dt.timedelta(days=(weekday - 1 - today.weekday()) % 7)


def month_shifted(day: dt.date, months: int) -> dt.date:
    """The same day some months on; the month's last day where there is none."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return dt.date(year, month + 1, min(day.day, days_in_month(year, month + 1)))


def days_in_month(year: int, month: int) -> int:
    following = dt.date(year + month // 12, month % 12 + 1, 1)
    return (following - ONE_DAY).day


def date_or_none(year: int, month: int, day: int) -> dt.date | None:
    """The date, or None where the calendar has no such day."""
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def coming_day_of_month(today: dt.date, day: int) -> dt.date | None:
    """The next such day of a month, today included; None where three months have none (the 32nd)."""
    for ahead in range(3):
        first = month_shifted(today.replace(day=1), ahead)
        found = date_or_none(first.year, first.month, day)
        if found and found >= today:
            return found
    return None


@cache
def festivals() -> dict[str, Festival]:
    """Festivals by their first name in the table."""
    return {names.split()[0]: Festival(rule, value, int(days)) for rule, value, days, names in rows("festivals.tsv")}


@cache
def _lunar_months() -> dict[tuple[int, int], dt.date]:
    found = ((int(y), int(m), leap, dt.date.fromisoformat(first)) for y, m, leap, first in rows("lunar_months.tsv"))
    return {(year, month): first for year, month, leap, first in found if leap == "0"}


def lunar_day(year: int, month: int, day: int) -> dt.date | None:
    """The Gregorian date of a lunar day; None outside the table's years."""
    first = _lunar_months().get((year, month))
    return first + dt.timedelta(days=day - 1) if first else None


@lru_cache(maxsize=512)
def festival_day(name: str, today: dt.date, year: int | None = None) -> dt.date | None:
    """The festival's day in `year`, or the next one from today; None outside the tables' years."""
    festival = festivals()[name]
    if year is not None:
        return next((day for day in _days_of(festival, (year - 1, year)) if day.year == year), None)
    return next((day for day in _days_of(festival, (today.year - 1, today.year, today.year + 1)) if day >= today), None)


def next_lunar_day(today: dt.date, month: int, day: int) -> dt.date | None:
    """The next Gregorian date of a lunar month and day, today included."""
    days = (lunar_day(year, month, day) for year in (today.year - 1, today.year, today.year + 1))
    return next((found for found in days if found and found >= today), None)


def _days_of(festival: Festival, years: tuple[int, ...]) -> Iterator[dt.date]:
    if festival.rule == "listed":
        yield from (dt.date.fromisoformat(day) for day in festival.value.split())
        return
    for year in years:
        day = _day_in(festival, year)
        if day is not None:
            yield day


def _day_in(festival: Festival, year: int) -> dt.date | None:
    if festival.rule == "weekday":
        month, nth, weekday = (int(part) for part in festival.value.split())
        first = coming_weekday(dt.date(year, month, 1), weekday)
        return first + dt.timedelta(days=7 * (nth - 1))
    month, day = (int(part) for part in festival.value.split("-"))
    if festival.rule == "solar":
        return date_or_none(year, month, day)
    found = lunar_day(year, month, day)
    return found - ONE_DAY if found and festival.rule == "eve" else found


def next_after(first: dt.date, last: dt.date, *, by_month: bool) -> dt.date:
    """周五到周一: the Monday after that Friday; 10月1号到7号: the 7th that follows."""
    if by_month and (found := coming_day_of_month(first, last.day)) is not None:
        return found
    return last + dt.timedelta(days=7 * (-(-(first - last).days // 7)))

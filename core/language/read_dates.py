"""Readers of days of the calendar: 8月21号, 2026-08-21, 8/21, 0820, 21号, 月底, 下个月5号, 九月."""

import datetime as dt
from collections.abc import Callable

from core.language.calendar_days import coming_day_of_month, date_or_none, days_in_month, month_shifted
from core.language.scan import Entry, Scene, at
from core.language.values import Found

MakeDays = Callable[..., list[Found]]
"""Makes the Found for (scene, start, first token, end token, last day)."""

_SEPARATORS = ("/", "-", ".")
_NO_DATE_BEFORE = ("measure", "yuan", "oclock", "days", "within_price", "above_price", "minute")
_YEARS = range(2000, 2100)


def date_entries(make: MakeDays) -> tuple[Entry, ...]:
    """The rows of this file for the table of readers; they hand their days to `make`."""

    def row(kinds: str, reader: Callable[[Scene, int, MakeDays], list[Found]]) -> Entry:
        return at(kinds, lambda scene, place: reader(scene, place, make))

    return (
        row("year_word number", year_month_day),
        row("month_word week_shift month_part number", month_part),
        row("number", month_day),
        row("month_word", month_word_day),
        row("number", separated),
        row("number", compact),
        row("number", span_of_month),
        row("number", day_of_month),
        row("month_word number", whole_month),
        row("year_end", year_end),
    )


def year_month_day(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """2026年8月21日, 明年3月5号: a year that was said is not rolled on."""
    year, at = _year(scene, place)
    if year is None:
        return []
    month, day, end = _month_and_day(scene, at)
    if month is None or day is None:
        return []
    return make(scene, date_or_none(year, month, day), place, end)


def _year(scene: Scene, place: int) -> tuple[int | None, int]:
    word = scene.get(place, "year_word")
    if word is not None:
        return scene.today.year + int(word), scene.skip_text(place + 1, "的")
    number = scene.number(place)
    if number is not None and scene.has(place + 1, "year"):
        number = number + 2000 if number < 100 else number
        return (number, place + 2) if number in _YEARS else (None, place)
    return None, place


def _month_and_day(scene: Scene, at: int) -> tuple[int | None, int | None, int]:
    month, day = scene.number(at), scene.number(at + 2)
    if month is None or not scene.has(at + 1, "month") or day is None:
        return None, None, at
    if scene.has(at + 3, "measure", "days") and not scene.has(at + 3, "day_unit"):
        return None, None, at
    return month, day, at + 3 + scene.has(at + 3, "day_unit")


def month_day(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """8月21号: this year's, or next year's when it is past."""
    month, day, end = _month_and_day(scene, place)
    if month is None or day is None:
        return []
    return make(scene, coming_date(scene.today, month, day), place, end)


def coming_date(today: dt.date, month: int, day: int) -> dt.date | None:
    """The next such day; None where the calendar of the year it falls in has none (2月30号, 2月29号 before 2027)."""
    found = date_or_none(today.year, month, day)
    if (found and found >= today) or (found is None and (month, day) >= (today.month, today.day)):
        return found
    return date_or_none(today.year + 1, month, day)


def month_word_day(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """下个月5号, 这个月25号."""
    shift = scene.get(place, "month_word")
    at = scene.skip_text(place + 1, "的")
    day = scene.number(at)
    if shift is None or day is None or not scene.has(at + 1, "day_unit"):
        return []
    month = month_shifted(scene.today.replace(day=1), int(shift))
    return make(scene, date_or_none(month.year, month.month, day), place, at + 2)


def day_of_month(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """21号: the next 21st."""
    day = scene.number(place)
    if day is None or not scene.has(place + 1, "day_unit"):
        return []
    if scene.text(place + 1) == "日" and not scene.text(place).isdigit() and day < 10:
        return []  # 三日 is a length
    return make(scene, coming_day_of_month(scene.today, day) if day <= 31 else None, place, place + 2)


def span_of_month(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """20-22号, 20到22号."""
    first, last = scene.number(place), scene.number(place + 2)
    linked = scene.has(place + 1, "dash") or scene.text(place + 1) in ("到", "至")
    if first is None or last is None or not linked or not scene.has(place + 3, "day_unit") or not first < last <= 31:
        return []
    start = coming_day_of_month(scene.today, first)
    if start is None:
        return []
    return make(scene, start, place, place + 4, date_or_none(start.year, start.month, last))


def separated(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """2026-08-21, 8/21, 8.21, 8-21 (the last two only as a month and a day)."""
    numbers, end = _number_chain(scene, place)
    if len(numbers) == 3 and numbers[0] in _YEARS:
        return make(scene, date_or_none(*numbers), place, end)
    if len(numbers) != 2 or not (1 <= numbers[0] <= 12 and 1 <= numbers[1] <= 31):
        return []
    if scene.has(end, *_NO_DATE_BEFORE) and not scene.has(end, "day_unit"):
        return []
    return make(scene, coming_date(scene.today, *numbers), place, end + scene.has(end, "day_unit"))


def _number_chain(scene: Scene, place: int) -> tuple[list[int], int]:
    numbers: list[int] = []
    at = place
    mark = scene.text(place + 1)
    while (number := scene.number(at)) is not None and scene.text(at).isdigit() and len(numbers) < 3:
        numbers.append(number)
        at += 1
        if scene.text(at) != mark or mark not in _SEPARATORS or scene.number(at + 1) is None:
            return numbers, at
        at += 1
    return numbers, at


def compact(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """0820, 20260821."""
    digits = scene.text(place)
    if not digits.isdigit() or not digits.isascii() or scene.has(place + 1, "measure", "yuan", "within_price", "year"):
        return []
    if len(digits) == 8 and int(digits[:4]) in _YEARS:
        found = date_or_none(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        return make(scene, found, place, place + 1) if found else []
    if len(digits) != 4 or not 1 <= int(digits[:2]) <= 12 or scene.has(place - 1, "not_over", "word", "polite"):
        return []
    found = coming_date(scene.today, int(digits[:2]), int(digits[2:])) if 1 <= int(digits[2:]) <= 31 else None
    return make(scene, found, place, place + 1) if found else []


def month_part(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """月底, 8月底, 下个月初, 九月中旬."""
    month, at = _month_before(scene, place)
    bounds = scene.get(at, "month_part") or (scene.get(at, "month_tail") if at > place else None)
    if bounds is None or month is None:
        return []
    first, last = (int(part) for part in bounds.split("-"))
    last_day = min(last, days_in_month(month.year, month.month))
    return make(scene, month.replace(day=first), place, at + 1, month.replace(day=last_day))


def _month_before(scene: Scene, place: int) -> tuple[dt.date | None, int]:
    """The month that a part of it belongs to, and where the part begins."""
    this = scene.today.replace(day=1)
    shift = scene.get(place, "month_word")
    if shift is not None:
        return month_shifted(this, int(shift)), scene.skip_text(place + 1, "的")
    if scene.has(place, "week_shift") and scene.has(place + 1, "month_part"):
        return month_shifted(this, int(scene.get(place, "week_shift") or 0)), place + 1
    number = scene.number(place)
    if number is None:
        return this, place
    if not (1 <= number <= 12 and scene.has(place + 1, "month", "month_part")):
        return None, place
    at = place + 1 if scene.has(place + 1, "month_part") else place + 2
    return dt.date(scene.today.year + (number < scene.today.month), number, 1), at


def whole_month(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """九月, 下个月: the whole month, or what is left of it."""
    shift, number = scene.get(place, "month_word"), scene.number(place)
    if shift is not None:
        month, end = month_shifted(scene.today.replace(day=1), int(shift)), place + 1
    elif number is not None and 1 <= number <= 12 and _names_a_month(scene, place):
        month, end = dt.date(scene.today.year + (number < scene.today.month), number, 1), place + 2
    else:
        return []
    return make(scene, month, place, end, month.replace(day=days_in_month(month.year, month.month)))


def _names_a_month(scene: Scene, place: int) -> bool:
    """九月, not 一个月."""
    return scene.text(place + 1) in ("月", "月份") and not scene.text(place).endswith("个")


def year_end(scene: Scene, place: int, make: MakeDays) -> list[Found]:
    """年底: the last days of December."""
    if not scene.has(place, "year_end"):
        return []
    return make(scene, dt.date(scene.today.year, 12, 25), place, place + 1, dt.date(scene.today.year, 12, 31))

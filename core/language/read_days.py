"""Readers of days that are named or counted: 明天, 下周五, 三天后, 国庆第一天, 大年初三."""

from datetime import date, timedelta

from core.language.calendar_days import (
    ONE_DAY,
    coming_weekday,
    festival_day,
    festivals,
    month_shifted,
    next_after,
    next_lunar_day,
    weekday_in,
)
from core.language.read_dates import date_entries
from core.language.scan import Reader, Scene, at, first_of
from core.language.values import Days, Found, Shift, Window
from core.language.windows import part_window


def _one(scene: Scene, start: date | None, first: int, end: int, last: date | None = None) -> list[Found]:
    """A day or range; what is wholly over is in trouble, what has begun starts today."""
    said = scene.said(first, end)
    if start is None:
        return [scene.found(Days(None, None, "impossible_date", said=said), first, end)]
    if (last or start) < scene.today:
        return [scene.found(Days(start, last, "past_date", said=said), first, end)]
    begin = max(start, scene.today)
    return [scene.found(Days(begin, last if last and last > begin else None, said=said), first, end)]


def named_day(scene: Scene, place: int) -> list[Found]:
    """今天, 大后天, 前天."""
    shift = scene.get(place, "day")
    return [] if shift is None else _one(scene, scene.today + timedelta(days=int(shift)), place, place + 1)


def day_with_part(scene: Scene, place: int) -> list[Found]:
    """今晚, 明早: a day and a part of it."""
    value = scene.get(place, "day_part")
    if value is None:
        return []
    shift, part = value.split()
    window = Window(*part_window(part))
    return [*_one(scene, scene.today + timedelta(days=int(shift)), place, place + 1),
            scene.found(window, place, place + 1)]


def weekday(scene: Scene, place: int) -> list[Found]:
    """周五, 下周五, 下周的周五, 周5."""
    at = place + 1 if scene.has(place, "week_shift") else place
    shift = scene.get(place, "week_shift")
    if shift is not None and scene.has(at, "week"):
        inner = scene.skip_text(at + 1, "的")
        at = inner if scene.has(inner, "weekday") else at
    number, end = _weekday_number(scene, at)
    if number is None:
        return []
    day = coming_weekday(scene.today, number) if shift is None else weekday_in(scene.today, int(shift), number)
    return _one(scene, day, place, end)


def _weekday_number(scene: Scene, at: int) -> tuple[int | None, int]:
    named = scene.get(at, "weekday")
    if named is not None:
        return int(named), at + 1
    number = scene.number(at + 1)
    loose = scene.text(at) in ("周", "星期", "礼拜") and number is not None and 1 <= number <= 7
    if loose and not scene.has(at + 2, "measure", "oclock", "days", "after"):
        return number, at + 2
    return None, at


def weekend(scene: Scene, place: int) -> list[Found]:
    """周末, 这周末, 下周末: Saturday and Sunday."""
    shift = scene.get(place, "week_shift")
    at = place if shift is None else place + 1
    if not scene.has(at, "weekend"):
        return []
    weeks = int(shift or 0)
    if shift is None and scene.today.isoweekday() == 7:
        weeks = 1  # said on a Sunday without 这, the coming weekend is meant
    saturday = weekday_in(scene.today, weeks, 6)
    return _one(scene, saturday, place, at + 1, saturday + ONE_DAY)


def workdays(scene: Scene, place: int) -> list[Found]:
    """工作日: Monday to Friday, of the next week once this one's are over."""
    if not scene.has(place, "workday"):
        return []
    weeks = 1 if scene.today.isoweekday() > 5 else 0
    return _one(scene, weekday_in(scene.today, weeks, 1), place, place + 1, weekday_in(scene.today, weeks, 5))


def whole_week(scene: Scene, place: int) -> list[Found]:
    """这周, 下周, 下个星期: what is left of that week."""
    at = scene.skip(place, "whole")
    shift = scene.get(at, "week_shift")
    if shift is None or not scene.has(at + 1, "week"):
        return []
    return _one(scene, weekday_in(scene.today, int(shift), 1), place, at + 2, weekday_in(scene.today, int(shift), 7))


def offset(scene: Scene, place: int) -> list[Found]:
    """三天后, 过两天, 一个月以后, 半个月后."""
    at = scene.skip(place, "pass")
    length, unit, end = _length(scene, at)
    if length is None:
        return []
    if scene.has(end, "after") or scene.text(end) == "后的":
        end += 1
    elif at == place:
        return []
    return _one(scene, _later(scene.today, length, unit), place, end)


def _length(scene: Scene, at: int) -> tuple[int | None, str, int]:
    half = scene.get(at, "half_month")
    if half is not None:
        return int(half), "days", at + 1
    number = scene.number(at)
    if number is None or number > 1000:
        return None, "", at
    after = scene.skip_text(at + 1, "个")
    if not scene.has(after, "days", "week", "months", "month"):
        return None, "", at
    with_measure = after > at + 1 or scene.text(at).endswith("个")
    for unit in ("days", "week", "months"):
        if scene.has(after, unit) or (unit == "months" and with_measure and scene.has(after, "month")):
            return number, unit, after + 1
    return None, "", at


def _later(day: date, length: int, unit: str) -> date:
    if unit == "months":
        return month_shifted(day, min(length, 120))
    return day + timedelta(days=length * (7 if unit == "week" else 1))


def two_days(scene: Scene, place: int) -> list[Found]:
    """今明两天, 明后天."""
    first, last = (int(shift) for shift in (scene.get(place, "day_range") or "").split())
    return _one(scene, scene.today + timedelta(days=first), place, place + 1, scene.today + timedelta(days=last))


def coming_days(scene: Scene, place: int) -> list[Found]:
    """未来三天, 接下来一周, 三天内, 这几天: from today on."""
    near = scene.get(place, "near")
    if near is not None and not scene.has(place + 1, "number"):
        return _one(scene, scene.today, place, place + 1, scene.today + timedelta(days=int(near) - 1))
    ahead = scene.has(place, "future")
    length, unit, end = _length(scene, place + 1 if ahead else place)
    within = length is not None and (scene.has(end, "within") or scene.text(end - 1).endswith("内"))
    if length is None or not (ahead or within) or length < 1:
        return []
    end += scene.has(end, "within")
    return _one(scene, scene.today, place, end, _later(scene.today, length, unit) - ONE_DAY)


def festival(scene: Scene, place: int) -> list[Found]:
    """国庆, 明年春节, 国庆第一天, 国庆假期, 中秋前一天."""
    year = scene.get(place, "year_word")
    at = place if year is None else place + 1
    name = scene.get(at, "festival")
    if name is None or (scene.text(at) == "十一" and scene.has(at + 1, "measure", "month", "oclock", "days", "yuan")):
        return []
    day = festival_day(name, scene.today, scene.today.year + int(year) if year else None)
    if day is None:
        return []
    return _within_festival(scene, place, scene.skip_text(at + 1, "节"), day, festivals()[name].days)


def _within_festival(scene: Scene, place: int, at: int, day: date, length: int) -> list[Found]:
    last = day + timedelta(days=length - 1)
    whole = scene.has(at, "period")
    at = scene.skip_text(scene.skip(at, "period"), "的")
    if scene.has(at, "first_day"):
        return _one(scene, day, place, at + 1)
    if (beside := _beside_festival(scene, at, day, last)) is not None:
        return _one(scene, beside[0], place, beside[1])
    if scene.has(at, "last_day"):
        return _one(scene, last, place, at + 1)
    if scene.get(at, "same_day") == "-1":
        return _one(scene, day - ONE_DAY, place, at + 1)
    if scene.get(at, "same_day") in ("0", "1") and not whole:
        return _one(scene, day + timedelta(days=int(scene.get(at, "same_day") or 0)), place, at + 1)
    return _one(scene, day, place, at, last if whole else None)


def _beside_festival(scene: Scene, at: int, day: date, last: date) -> tuple[date, int] | None:
    """国庆3号, 国庆第三天, 除夕前两天, 国庆后第一天: the day, and the place after its words."""
    named, number = scene.get(at, "same_day"), scene.number(at + 1)
    of_month = scene.number(at)
    if of_month is not None and 1 <= of_month <= 28 and scene.text(at + 1) in ("号", "日"):
        return day.replace(day=of_month), at + 2
    if named in ("1", "2") and scene.text(at).startswith("第"):
        return day + timedelta(days=int(named)), at + 1
    if scene.text(at) == "后" and scene.has(at + 1, "first_day"):
        return last + ONE_DAY, at + 2
    if number is None or not 1 <= number <= 30 or not scene.has(at + 2, "days"):
        return None
    if scene.has(at, "ordinal"):
        return day + timedelta(days=number - 1), at + 3
    if scene.text(at) in ("前", "后"):
        return (day - timedelta(days=number) if scene.text(at) == "前" else last + timedelta(days=number)), at + 3
    return None


def lunar(scene: Scene, place: int) -> list[Found]:
    """农历八月十五, 正月初九, 腊月二十八."""
    at = scene.skip(place, "lunar")
    month = scene.get(at, "lunar_month")
    after = at + 1
    if month is None:
        if at == place or not (scene.has(at + 1, "month") or scene.text(at + 1) == "月初"):  # 月初 of 十一月初一
            return []
        month, after = str(scene.number(at)), at + 2
    after = scene.skip(after, "lunar_day")
    day = scene.number(after)
    if day is None or not month.isdigit() or not (1 <= int(month) <= 12 and 1 <= day <= 30):
        return []
    return _one(scene, next_lunar_day(scene.today, int(month), day), place, after + 1)


def same_day(scene: Scene, place: int) -> list[Found]:
    """那天, 第二天: counted from the day that was named before, in this sentence or in an earlier one."""
    shift = scene.get(place, "same_day")
    before = scene.last_days()
    if shift is None:
        return []
    if before is None or before.start is None:
        return [scene.found(Shift(int(shift)), place, place + 1)]
    return _one(scene, before.start + timedelta(days=int(shift)), place, place + 1)


_single_day: Reader = first_of((
    at("day", named_day),
    at("day_part", day_with_part),
    at("week_shift week weekday", weekday),
    at("week_shift weekend", weekend),
    at("workday", workdays),
    at("whole week_shift", whole_week),
    at("lunar lunar_month number", lunar),
    at("year_word festival", festival),
    *date_entries(_one),
    at("pass half_month number", offset),
    at("near future half_month number", coming_days),
    at("same_day", same_day),
    at("day_range", two_days),
))
DAY_KINDS = (
    "day day_part week_shift week weekday weekend workday whole lunar lunar_month number year_word festival month_word "
    "month_part year_end pass half_month near future same_day day_range"
)


def days(scene: Scene, place: int) -> list[Found]:
    """A day, or a range from one day to another (周五到周日, 8月21号-23号)."""
    begun = [] if place in scene.without_day else _single_day(scene, place)
    if not begun:
        scene.without_day.add(place)
    if not begun or not isinstance(begun[0].value, Days):
        return begun
    start, end = begun[0], begun[-1].end
    if len(begun) == 1 and (until_then := _until(scene, begun[0])) is not None:
        return [until_then]
    if len(begun) > 1 or not (scene.has(end, "dash") or scene.text(end) in ("到", "至")):
        return begun
    until = _single_day(scene, end + 1)
    if len(until) != 1 or not isinstance(until[0].value, Days):
        return begun
    return _joined(scene, start, until[0]) or begun


def _until(scene: Scene, found: Found) -> Found | None:
    """20号之前, 月底前, 国庆前: from today on, up to that day; before a festival that begins."""
    day, end = found.value, found.end
    counted = scene.number(end + 1) is not None or scene.has(end + 1, "first_day", "last_day", "day_unit")
    if scene.text(end) not in ("前", "之前", "以前") or counted or not isinstance(day, Days):
        return None
    last = day.end or day.start
    if scene.has(end - 1, "festival") and day.start is not None:
        last = day.start - ONE_DAY
    if day.trouble is not None or last is None or last <= scene.today:
        return None
    return scene.found(Days(scene.today, last, said=scene.said(found.first, end + 1)), found.first, end + 1)


def _joined(scene: Scene, start: Found, until: Found) -> list[Found]:
    first, last = start.value, until.value
    if not (isinstance(first, Days) and isinstance(last, Days) and first.start and last.start):
        return []
    said = scene.said(start.first, until.end)
    last_day = last.end or last.start
    if first.trouble == "past_date" and last.trouble is None and last_day >= scene.today:
        return [scene.found(Days(scene.today, last_day, said=said), start.first, until.end)]
    if last.start < first.start and last.trouble is None:
        last_day = next_after(first.start, last.start, by_month=scene.has(until.end - 1, "day_unit"))
    return [scene.found(Days(first.start, last_day, first.trouble or last.trouble, said=said), start.first, until.end)]

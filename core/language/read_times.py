"""Readers of the time of day: 下午, 三点以后, 晚上8点前, 14:30, 下午两点到五点, 中午前后."""

import datetime as dt
from dataclasses import dataclass, replace

from core.language.numerals import value_of
from core.language.scan import Scene
from core.language.values import Found, Window
from core.language.windows import around, hour_in, part_window

_ARRIVING = ("到达", "抵达", "落地", "降落", "到站", "赶到")
_TO = ("到", "到得", "赶")
"""Also from where to where: of the arrival only where an hour is the latest (八点前到), 三点后到上海的 leaves then."""
_TWO, _EARLY = 2, 6
_LATEST = ("前", "之前", "以前")


@dataclass(frozen=True, slots=True)
class _Clock:
    part: str | None
    time: dt.time
    end: int
    sure: bool


def window(scene: Scene, place: int) -> list[Found]:
    """A window of the day."""
    clock = _clock(scene, place, _part_just_named(scene, place))
    if clock is None:
        return _arriving(scene, _part(scene, place)) if scene.has(place, "part") else []
    if scene.has(clock.end, "dash") or scene.text(clock.end) in ("到", "至"):
        until = _clock(scene, clock.end + 1, clock.part)
        if until is not None:
            return [scene.found(Window(clock.time, until.time), place, until.end)]
    return _arriving(scene, _bounded(scene, place, clock))


def either_of_two_hours(scene: Scene, place: int) -> list[Found]:
    """下午两三点, 早上七八点: from the one hour to the end of the other."""
    part = scene.get(place, "part")
    at = scene.skip_text(place + 1, "的") if part else place
    pair = [value_of(digit) or 0 for digit in scene.text(at)]
    if len(pair) != _TWO or pair[1] != pair[0] + 1 or pair[0] < 1 or not scene.has(at + 1, "oclock"):
        return []
    part = part or _part_just_named(scene, place)
    sure = part is not None or pair[0] > _EARLY
    first, second = (hour_in(part if sure else "下午", hour) for hour in pair)
    if second < first:
        return []
    hours = Window(dt.time(first), around(dt.time(second))[1])
    return _arriving(scene, [scene.found(hours, place, at + 2, 1.0 if sure else 0.7)])


def time_of_arrival(scene: Scene, place: int) -> list[Found]:
    """到达时间在下午六点前."""
    named = window(scene, scene.skip(place + 1, "polite", "is"))
    return [replace(_of_arrival(found), first=place) for found in named[-1:]]


def limit(scene: Scene, place: int) -> list[Found]:
    """最晚下午五点到, 不晚于三点, 最早九点出发."""
    latest = scene.has(place, "latest")
    clock = _clock(scene, scene.skip(place + 1, "polite", "is"), _part_just_named(scene, place))
    if clock is None:
        return []
    end = clock.end + scene.has(clock.end, "before", "after")
    hours = Window(None, clock.time) if latest else Window(clock.time, None)
    found = scene.found(hours, place, end, 1.0 if clock.sure else 0.7)
    verb = scene.text(scene.skip(end, "polite", "is", "then"))
    return [_of_arrival(found) if verb in _ARRIVING or (latest and verb in _TO) else found]


def _arriving(scene: Scene, founds: list[Found]) -> list[Found]:
    """下午两点前到: the hour by which one arrives is none of the departure."""
    last = founds[-1] if founds else None
    if last is None:
        return founds
    latest = scene.has(last.end - 1, "before") or scene.text(last.end - 1) in _LATEST
    verb = scene.text(scene.skip(last.end, "polite", "is", "then"))
    arrives = verb in _ARRIVING or (latest and verb in _TO)
    return [*founds[:-1], _of_arrival(last)] if arrives else founds


def _of_arrival(found: Found) -> Found:
    hours = found.value
    return replace(found, value=replace(hours, arrives=True)) if isinstance(hours, Window) else found


def _bounded(scene: Scene, place: int, clock: _Clock) -> list[Found]:
    certainty = 1.0 if clock.sure else 0.7
    end = clock.end
    if scene.has(end, "after", "since"):
        return [scene.found(Window(clock.time, None), place, end + 1, certainty)]
    if scene.has(end, "before"):
        return [scene.found(Window(None, clock.time), place, end + 1, certainty)]
    end += scene.has(end, "around")
    after, before = around(clock.time)
    if clock.part == "凌晨" and clock.time.hour < 6:
        after = max(dt.time(0), after)
    return [scene.found(Window(after, before, _after_evening(scene, place, clock.part)), place, end, certainty)]


def _part(scene: Scene, place: int) -> list[Found]:
    part = scene.get(place, "part")
    if part is None or (part == "红眼" and scene.text(place) != "红眼"):
        return []
    after, before = part_window(part)
    end = place + 1
    if (until := _until(scene, end)) is not None:
        return [scene.found(Window(after, until[0]), place, until[1])]
    if scene.has(end, "after", "since") and scene.text(end) != "后":
        return [scene.found(Window(after, None), place, end + 1)]
    if scene.text(end) in ("之前", "以前", "前"):
        return [scene.found(Window(None, _last_hour(part, after, before)), place, end + 1)]
    end += scene.has(end, "around")
    return [scene.found(Window(after, before, _after_evening(scene, place, part)), place, end)]


def _last_hour(part: str, after: dt.time | None, before: dt.time | None) -> dt.time | None:
    """上午之前 ends with it, 下午之前 where it begins, 中午之前 at twelve."""
    return dt.time(12) if part == "中午" else before if part in ("早上", "上午") else after


def _until(scene: Scene, place: int) -> tuple[dt.time | None, int] | None:
    """中午到下午三点, 上午到下午: the hour at which it ends, and the place after it."""
    if not (scene.has(place, "dash") or scene.text(place) in ("到", "至")) or not scene.has(place + 1, "part"):
        return None
    clock = _clock(scene, place + 1, None)
    if clock is not None:
        return clock.time, clock.end
    return part_window(scene.get(place + 1, "part") or "")[1], place + 2


def _after_evening(scene: Scene, place: int, part: str | None) -> bool:
    """今晚凌晨1点 is after midnight: the next day of the calendar."""
    last = scene.done[-1] if scene.done else None
    evening = last is not None and isinstance(last.value, Window) and last.value.after == dt.time(18)
    return part == "凌晨" and evening and last is not None and last.end == place


def _part_just_named(scene: Scene, place: int) -> str | None:
    """今晚 | 8点: the part of the day that the word before it brought."""
    last = scene.done[-1] if scene.done else None
    if last is None or last.end != place or not isinstance(last.value, Window):
        return None
    return {dt.time(18): "晚上", dt.time(12): "下午", dt.time(6): "早上"}.get(last.value.after or dt.time(0))


def _clock(scene: Scene, place: int, part_before: str | None) -> _Clock | None:
    part = scene.get(place, "part")
    at = scene.skip_text(place + 1, "的") if part else place
    part = part or part_before
    hour = scene.number(at)
    if hour is None or hour > 24:
        return None
    if scene.text(at + 1) == ":" and (minutes := scene.number(at + 2)) is not None and minutes < 60:
        return _Clock(part, dt.time(hour_in(part, hour), minutes), at + 3, True)
    if not scene.has(at + 1, "oclock"):
        return None
    minutes, end = _minutes(scene, at + 2)
    sure = part is not None or not 1 <= hour <= 6
    return _Clock(part, dt.time(hour_in(part if sure else "下午", hour), minutes), end, sure)


def _minutes(scene: Scene, at: int) -> tuple[int, int]:
    named = scene.get(at, "half") or scene.get(at, "quarter")
    if named is not None:
        return int(named), at + 1
    number = scene.number(at)
    spoken = number is not None and 10 <= number < 60 and not scene.has(at + 1, "measure", "days", "companion", "yuan")
    if number is not None and number < 60 and (scene.has(at + 1, "minute") or scene.text(at).isdigit() or spoken):
        return number, at + 1 + scene.has(at + 1, "minute")
    return 0, at

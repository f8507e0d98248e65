"""Parts of the day as hours."""

import datetime as dt

from core.language.values import Window

# Hours; None is open. Travellers say 晚上 for everything up to midnight.
_PARTS: dict[str, tuple[int | None, int | None]] = {
    "凌晨": (0, 6), "清晨": (5, 9), "早上": (6, 12), "上午": (6, 12), "中午": (11, 14), "下午": (12, 18),
    "傍晚": (17, 20), "晚上": (18, None), "白天": (6, 18), "红眼": (22, None),
}
AFTERNOON_PARTS = ("下午", "傍晚", "晚上")


def part_window(part: str) -> tuple[dt.time | None, dt.time | None]:
    """From when to when a part of the day lasts."""
    after, before = _PARTS[part]
    return (None if after is None else dt.time(after)), (None if before is None else dt.time(before))


def outside(part: str) -> Window:
    """What 不要早上的 leaves of the day; a part in its middle leaves the day open."""
    after, before = part_window(part)
    if before is None:
        return Window(None, after)
    return Window(before, None) if before <= dt.time(12) else Window()


def hour_in(part: str | None, hour: int) -> int:
    """A spoken hour on the 24-hour clock: 下午3点 is 15, 中午1点 13, 晚上12点 0."""
    if part in AFTERNOON_PARTS and 1 <= hour < 12:
        return hour + 12
    if part == "中午" and 1 <= hour <= 3:
        return hour + 12
    if part == "晚上" and hour == 12:
        return 0
    return hour % 24


def around(moment: dt.time, minutes: int = 60) -> tuple[dt.time, dt.time]:
    """An hour before and after, kept inside the day."""
    at = moment.hour * 60 + moment.minute
    low, high = max(0, at - minutes), min(23 * 60 + 59, at + minutes)
    return dt.time(low // 60, low % 60), dt.time(high // 60, high % 60)

"""Which days of a forecast are dry."""

import datetime as dt
from collections.abc import Sequence

from a2a_servers.wording.bits import text
from core.shared.json_types import JsonObject, Row

_WET = ("雨", "雷", "雪")


def is_dry(row: Row) -> bool:
    """Neither rain nor snow by day or by night."""
    sky = text(row, "condition_day") + text(row, "condition_night")
    return bool(sky) and not any(mark in sky for mark in _WET)


def dry_days(rows: Sequence[JsonObject]) -> list[dt.date]:
    """The dry days of a forecast, in order."""
    days = (_day(row) for row in rows if is_dry(row))
    return sorted({day for day in days if day is not None})


def stretches(days: Sequence[dt.date], at_least: int = 1) -> list[tuple[dt.date, dt.date]]:
    """Days that follow one another, from the first to the last, where they are that many."""
    found: list[list[dt.date]] = []
    for day in days:
        if found and day == found[-1][-1] + dt.timedelta(days=1):
            found[-1].append(day)
        else:
            found.append([day])
    return [(run[0], run[-1]) for run in found if len(run) >= at_least]


def _day(row: Row) -> dt.date | None:
    try:
        return dt.date.fromisoformat(str(row.get("date"))[:10])
    except ValueError:
        return None

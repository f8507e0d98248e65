"""Tests of a step's `when` over the result it looks at, and what is said of one that is not met; a table row each."""

from collections.abc import Callable, Mapping

from core.shared.json_types import Row
from core.types.plan import StepResult

HOT_C = 30
COLD_C = 5


def _says(word: str) -> Callable[[Row], bool]:
    return lambda row: any(word in str(row.get(key, "")) for key in ("condition_day", "condition_night"))


def _number(row: Row, key: str) -> float | None:
    value = row.get(key)
    return float(value) if isinstance(value, (int, float)) else None


def _hot(row: Row) -> bool:
    high = _number(row, "temp_max_c")
    return high is not None and high >= HOT_C


def _cold(row: Row) -> bool:
    low = _number(row, "temp_min_c")
    return low is not None and low <= COLD_C


_ANY_ROW: dict[str, Callable[[Row], bool]] = {
    "rain": _says("雨"),
    "snow": _says("雪"),
    "hot": _hot,
    "cold": _cold,
}

_FOUND = frozenset({"found", "none_found"})


def passes(test: str, result: StepResult) -> bool:
    """Whether `result` passes; a test that nobody knows never does, so that nothing is done by accident."""
    rows = result.data.rows if result.data else []
    if test == "found":
        return bool(rows or result.quotes)
    if test == "none_found":
        return not (rows or result.quotes)
    if test == "dry":
        return bool(rows) and not any(_ANY_ROW["rain"](row) or _ANY_ROW["snow"](row) for row in rows)
    known = _ANY_ROW.get(test)
    return known is not None and any(known(row) for row in rows)


def can_tell(test: str, result: StepResult) -> bool:
    """Whether the result is enough to judge by: one that still waits for the person, only by what it has found."""
    found = result.has_rows or bool(result.quotes)
    return result.status == "ok" or (result.status == "input_required" and test in _FOUND and found)


_UNMET: Mapping[str, str] = {
    "rain": "预报没有雨",
    "snow": "预报没有雪",
    "hot": f"预报最高气温不到{HOT_C}℃",
    "cold": f"预报最低气温在{COLD_C}℃以上",
    "dry": "预报有雨雪",
    "found": "没有查到{of}",
    "none_found": "{of}已经查到",
}

TESTS = frozenset(_UNMET)
"""Every test that a condition may name."""


def unmet(test: str, result: StepResult, of: str) -> str:
    """Why a step is left out, as a traveller would say it. `of`: what the result looked at is about."""
    if test not in _FOUND and not result.has_rows:
        return f"没有查到{of}"
    return _UNMET.get(test, "您说的条件没有满足").format(of=of)

"""Tests of a step's `when` over the result it looks at; one table row each."""

from collections.abc import Callable

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


def passes(test: str, result: StepResult) -> bool:
    """Whether `result` passes; a test that nobody knows never does, so that nothing is done by accident."""
    rows = result.data.rows if result.data else []
    if test == "found":
        return bool(rows)
    if test == "none_found":
        return not rows
    if test == "dry":
        return bool(rows) and not any(_ANY_ROW["rain"](row) or _ANY_ROW["snow"](row) for row in rows)
    known = _ANY_ROW.get(test)
    return known is not None and any(known(row) for row in rows)


_WORDS = {
    "rain": "下雨",
    "snow": "下雪",
    "hot": "高温",
    "cold": "低温",
    "dry": "不下雨",
    "found": "有结果",
    "none_found": "没有结果",
}

TESTS = frozenset(_WORDS)
"""Every test that a condition may name."""


def in_words(test: str) -> str:
    """The condition as a traveller would say it."""
    return _WORDS.get(test, test)

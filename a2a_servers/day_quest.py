"""A question over several days: which of them, by what, and which tool is asked about them."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal, get_args

from a2a_servers.tools import Tool
from core.shared.json_types import JsonObject, JsonValue
from core.types.agent_protocol import MAX_ACTIONS

By = Literal["price", "duration", "dry", "rain", "found"]
"""The day that is first by price or duration; the days without rain, with rain, or with anything at all."""

MOST_DAYS = 15
"""Days that are looked at; as far as a forecast reaches."""

_COMPARED = ("price", "duration")
_SORTED_IS_ENOUGH = ("train", "flight")
"""Kinds of which a sorted look at several days asks for the best day, though nobody said 哪天."""

_ONE_BY_ONE = ("car_rental",)
"""Kinds whose rows are for a stretch from the first day on, so that each first day is a question of its own."""

_OF_THE_LOOP = frozenset({"date", "date_end", "sort", "limit", "before", "item_id"})


@dataclass(frozen=True, slots=True)
class DayQuest:
    """`known`: the tool's arguments besides days and order. `asked_until` is later than `last` where not all days that
    were asked for are looked at."""

    tool: Tool
    known: JsonObject
    first: dt.date
    last: dt.date
    by: By
    asked_until: dt.date

    @property
    def days(self) -> list[dt.date]:
        return days_between(self.first, self.last)

    @property
    def one_by_one(self) -> bool:
        """Whether each day takes an action of its own."""
        return self.tool.kind in _ONE_BY_ONE

    @property
    def compares(self) -> bool:
        return self.by in _COMPARED

    def arguments(self, first: dt.date, last: dt.date) -> JsonObject:
        """Those of one look at these days."""
        found: JsonObject = {**self.known, "date": first.isoformat()}
        if last > first:
            found["date_end"] = last.isoformat()
        if self.compares:
            return {**found, "sort": self.by}
        # A page in the order of days would hold the first day alone; by price it holds something of most days.
        mixed = self.by == "found" and last > first and "sort" in self.tool.parameters
        return {**found, "sort": "price"} if mixed else found


def quest_of(tool: Tool, slots: JsonObject) -> DayQuest | None:
    """The question over days that these slots ask; None where they name their day, or the tool knows no days."""
    by, first, until = _by(tool, slots), _day(slots.get("date")), _day(slots.get("date_end"))
    if by is None or first is None or until is None or until <= first or slots.get("item_id") is not None:
        return None
    if not {"date", "date_end"} <= tool.parameters or (by in _COMPARED and "sort" not in tool.parameters):
        return None
    most = MAX_ACTIONS if tool.kind in _ONE_BY_ONE else MOST_DAYS
    last = min(until, first + dt.timedelta(days=most - 1))
    known: JsonObject = {
        name: value for name, value in slots.items()
        if name in tool.parameters - _OF_THE_LOOP and value is not None
    }
    return DayQuest(tool, known, first, last, by, until)


def days_between(first: dt.date, last: dt.date) -> list[dt.date]:
    """All days from the first to the last."""
    return [first + dt.timedelta(days=ahead) for ahead in range((last - first).days + 1)]


def _by(tool: Tool, slots: JsonObject) -> By | None:
    said = slots.get("day_by")
    if said is None and tool.kind in _SORTED_IS_ENOUGH and slots.get("sort") in _COMPARED:
        said = slots["sort"]
    return next((by for by in get_args(By) if by == said), None)


def _day(value: JsonValue) -> dt.date | None:
    try:
        return dt.date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None

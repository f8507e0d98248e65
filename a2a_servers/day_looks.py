"""What was seen on the days looked at, and which days the rules would look at next."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from a2a_servers.day_quest import By, DayQuest, days_between
from a2a_servers.goods import price
from a2a_servers.wording.bits import for_sale, number
from core.shared.json_types import JsonObject

_ENDLESS = Decimal("Infinity")


@dataclass(frozen=True, slots=True)
class Probe:
    """Days to look at in one action."""

    first: dt.date
    last: dt.date

    @property
    def days(self) -> list[dt.date]:
        return days_between(self.first, self.last)


@dataclass(frozen=True, slots=True)
class Look:
    """One look. `more`: rows beyond those listed; `refused`: the tool's words, where it would not say."""

    probe: Probe
    rows: tuple[JsonObject, ...] = ()
    more: int = 0
    origin: str | None = None
    refused: str = ""

    def of(self, day: dt.date) -> list[JsonObject]:
        """That day's rows."""
        return [row for row in self.rows if row.get("date") == day.isoformat()]

    def tells_all_of(self, day: dt.date) -> bool:
        """Whether no row of the day can have been cut off, or only the day itself was asked for."""
        return day in self.probe.days and (not self.more or self.probe.first == self.probe.last)


def worth(row: JsonObject, by: By) -> Decimal:
    """What rows are compared by: less is better."""
    if by == "price":
        return price(row)
    minutes = number(row, "duration_min")
    return _ENDLESS if minutes is None else Decimal(str(minutes))


def best_rows(looks: Sequence[Look], by: By) -> dict[dt.date, JsonObject]:
    """The best row for sale of each day that has one, by day."""
    found: dict[dt.date, JsonObject] = {}
    for look in looks:
        for day in look.probe.days:
            rows = [row for row in look.of(day) if for_sale(row) and worth(row, by) < _ENDLESS]
            rows += [found[day]] if day in found else []
            if rows:
                found[day] = min(rows, key=lambda row: worth(row, by))
    return dict(sorted(found.items()))


def best_day(looks: Sequence[Look], by: By) -> dt.date | None:
    """The day of the best row, the earliest of equals."""
    best = best_rows(looks, by)
    return min(best, key=lambda day: (worth(best[day], by), day)) if best else None


def settled(looks: Sequence[Look]) -> set[dt.date]:
    """Days of which it is known whether there is anything."""
    return {day for look in looks for day in look.probe.days if look.refused or not look.more or look.of(day)}


def first_day(looks: Sequence[Look]) -> dt.date | None:
    """The first day with any row."""
    return min((day for look in looks for day in look.probe.days if look.of(day)), default=None)


def next_probe(quest: DayQuest, looks: Sequence[Look], left: int) -> Probe | None:
    """What the rules would look at next with `left` actions; None when the question is answered."""
    if quest.compares:
        return _compare(quest, looks, left)
    known, day = settled(looks), first_day(looks)
    unknown = [day for day in quest.days if day not in known]
    if unknown and (left > 1 or day is None):
        return Probe(unknown[0], unknown[-1])
    return None if day is None else _alone(day, looks)


def _compare(quest: DayQuest, looks: Sequence[Look], left: int) -> Probe | None:
    """Day by day where the actions suffice; else some days in one look, and the last action for the best day."""
    covered = {day for look in looks for day in look.probe.days}
    still = [day for day in quest.days if day not in covered]
    if still:
        if left <= 1 and not quest.one_by_one:
            return Probe(still[0], still[-1])
        by_stretches = any(len(look.probe.days) > 1 for look in looks) or len(still) > left
        size = -(-len(still) // max(1, left - 1)) if by_stretches and not quest.one_by_one else 1
        run = [day for ahead, day in enumerate(still[:size]) if day == still[0] + dt.timedelta(days=ahead)]
        return Probe(run[0], run[-1])
    day = best_day(looks, quest.by)
    return None if day is None else _alone(day, looks)


def _alone(day: dt.date, looks: Sequence[Look]) -> Probe | None:
    """The day by itself, unless all of it has been seen."""
    return None if any(look.tells_all_of(day) for look in looks) else Probe(day, day)

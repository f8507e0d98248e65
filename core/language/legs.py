"""The legs of a journey with their days: out and home, one after another, one to each of several cities."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from core.language.bags import Bag
from core.language.calendar_days import coming_day_of_month
from core.language.clauses import role_of
from core.language.routes import Leg
from core.language.values import Days, Line, Where

_DAY_OF_MONTH = ("号", "日")
_WEEKEND = ("周末", "双休", "双休日", "周六日", "weekend")
_RANGE = set("到至-–—~")
_BARE_WEEKDAY = ("周", "星期", "礼拜")


@dataclass(frozen=True, slots=True)
class DatedLeg:
    """From where, to where, on which day; None where it was not said."""

    start: Where | None
    end: Where | None
    day: Days | None


def dated_legs(bag: Bag) -> list[DatedLeg]:
    """The legs that a wish for trains or flights speaks of; at least one, which may be empty."""
    legs = _legs(bag)
    own = bag.route.days
    general = bag.outward or next((day for day in bag.days if day is not bag.homeward), None)
    homeward = bag.homeward
    if bag.returns and homeward is None and general and general.end and _holds_both_ways(general, bag):
        stay = general
        general, homeward = replace(stay, end=None), replace(stay, start=stay.end, end=None)
        own = {number: general if day == stay else day for number, day in own.items()}
    dated = [DatedLeg(start, end, own.get(number) or general) for number, (start, end) in enumerate(legs)]
    if len(dated) == 1 and "joiner" in bag.marks and not bag.returns and len(several := dict.fromkeys(bag.days)) > 1:
        return [replace(dated[0], day=day) for day in several]  # 后天或者大后天
    return _in_order(_with_return(bag, dated, homeward) if bag.returns else _from_home(bag, dated))


def _holds_both_ways(stay: Days, bag: Bag) -> bool:
    """周末往返; 10月2号到6号的往返票: out on the first day and home on the last."""
    return stay.said.endswith(_WEEKEND) or ("round" in bag.marks and bool(_RANGE & set(stay.said)))


def _from_home(bag: Bag, dated: list[DatedLeg]) -> list[DatedLeg]:
    """20号去武汉，22号回广州: who goes back to a city set out from it."""
    first, last = dated[0], dated[-1]
    if "back" not in bag.marks or len(dated) < 2 or first.start is not None:
        return dated
    return [replace(first, start=last.end), *dated[1:]]


def _in_order(legs: list[DatedLeg]) -> list[DatedLeg]:
    """周五去周日回, 国庆去5号回: a bare weekday or day of a month is the one after the leg before."""
    ordered: list[DatedLeg] = []
    for leg in legs:
        before = ordered[-1].day if ordered else None
        if leg.day and before and leg.day.start and before.start and leg.day.start < before.start:
            leg = replace(leg, day=not_before(leg.day, leg.day.start, before.start))
        ordered.append(leg)
    return ordered


def not_before(day: Days, start: date, before: date) -> Days:
    """The day, which begins at `start`, as the next of its name that is not before another one."""
    if day.said.startswith(_BARE_WEEKDAY):
        weeks = -(-(before - start).days // 7)
        return replace(day, start=start + timedelta(days=7 * weeks), end=None)
    if day.said.endswith(_DAY_OF_MONTH) and "月" not in day.said:
        return replace(day, start=coming_day_of_month(before, start.day), end=None)
    return day


def _legs(bag: Bag) -> list[Leg]:
    legs, plain = list(bag.route.legs), list(bag.route.plain)
    if not plain:
        return legs or [(None, None)]
    if not legs:
        return _legs_of_plain(plain, bag.route.joined)
    start, end = legs[-1]
    for where in plain:
        if start is None and not _same(where, end):
            start = where
            legs[-1] = (start, end)
        elif end is None and not _same(where, start):
            end = where
            legs[-1] = (start, end)
        elif bag.route.joined and not _same(where, start):
            legs.append((start, where))
    return legs


def _legs_of_plain(plain: list[Where], joined: bool) -> list[Leg]:
    """北京上海的机票 is a route; 北京和上海的机票 are two destinations; 上海的机票 is one."""
    if joined:
        return [(None, where) for where in plain]
    if len(plain) == 1:
        return [(None, plain[0])]
    return [(start, end) for start, end in pairwise(plain)]


def _same(one: Where | None, other: Where | None) -> bool:
    return one is not None and other is not None and one.place == other.place


def _with_return(bag: Bag, dated: list[DatedLeg], homeward: Days | None) -> list[DatedLeg]:
    first, last = dated[0], dated[-1]
    if len(dated) > 1 and _same(last.end, first.start):
        return [*dated[:-1], DatedLeg(last.start, last.end, homeward or last.day)]
    if last.end is None and any(unknown.slot == "to_city" for unknown in bag.unknown):
        return dated  # 往返曼谷: whether one can go there is asked first
    if _speaks_only_of_the_way_home(bag):
        return [DatedLeg(first.start, first.end, homeward or first.day)]
    return [*dated, DatedLeg(last.end, first.start, homeward)]


def _speaks_only_of_the_way_home(bag: Bag) -> bool:
    """返程，成都到重庆: the word for returning comes before any place."""
    if "round" in bag.marks or bag.outward is not None:
        return False
    if bag.homeward is not None and any(day is not bag.homeward for day in bag.days):
        return False  # 后天去，下周日回
    for found in bag.founds:
        if isinstance(found.value, (Where, Line)):
            return False
        if role_of(found) in ("back", "back_alone"):
            return True
    return False

"""Lay a later segment to a wish: fill what is open, correct what is taken back, add a further leg."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from core.language.bags import Bag
from core.language.domains import TRANSPORT
from core.language.routes import Leg, Route
from core.language.values import Days, Where, Window


def takes(kinds: Sequence[str], bag: Bag, more: Bag) -> bool:
    """Whether the segment can belong to a wish of these kinds without contradicting it."""
    if "correct" in more.marks:
        return True
    transport = bool(set(kinds) & set(TRANSPORT))
    if more.returns and not transport:
        return False
    if more.route.legs and not (_takes_legs(transport, bag, more) or _sets_out(kinds, more)):
        return False
    if more.route.plain and not _takes_places(transport, bag, more):
        return False
    if more.weak and not (transport or _takes_weak_words(kinds, more)):
        return False
    return _takes_days(transport, bag, more)


def _takes_weak_words(kinds: Sequence[str], more: Bag) -> bool:
    """旅行险，去云南玩五天: where one goes to walk about, and no wish for sights; the places for a concert."""
    asks = bool(more.notes) or any(act.name == "query" for act in more.acts)
    walks = {"concert", "attraction"}
    return bool(set(kinds) & walks) or (bool(set(kinds) & {"insurance", "tour", "car"}) and not asks)


def _sets_out(kinds: Sequence[str], more: Bag) -> bool:
    """西藏八日游，从成都出发."""
    return bool(set(kinds) & {"tour", "car"}) and all(end is None for _, end in more.route.legs)


def _takes_legs(transport: bool, bag: Bag, more: Bag) -> bool:
    if transport:
        return True
    open_place = not bag.route.plain and not bag.route.legs
    return open_place and all(start is None for start, _ in more.route.legs)


def _takes_places(transport: bool, bag: Bag, more: Bag) -> bool:
    if not transport:
        named = [*bag.route.plain, *(end for _, end in bag.route.legs if end)]
        return not named or any(_one_in_other(where.place.cities, more) for where in named)
    half_open = any(start is None or end is None for start, end in bag.route.legs)
    return not bag.route.plain and (half_open or not bag.route.legs)


def _one_in_other(cities: tuple[str, ...], more: Bag) -> bool:
    """雨花区天气，长沙的那个: the second place says which of the first is meant, or names a part of it."""
    return any(
        where.city in cities if len(where.place.cities) == 1 else bool(set(cities) & set(where.place.cities))
        for where in more.route.plain
    )


def _takes_days(transport: bool, bag: Bag, more: Bag) -> bool:
    if not more.days or not bag.days or _narrows(bag, more):
        return True
    return transport and bool(more.route.legs or more.returns)


def _narrows(bag: Bag, more: Bag) -> bool:
    """下周去杭州，要周三的; 下周去杭州（周一到周三）: a day or days within the days said before."""
    if len(bag.days) != 1 or len(more.days) != 1 or more.returns or more.route.legs or "joiner" in more.marks:
        return False
    if more.mentions and bag.mentions and (
        more.mentions != bag.mentions or (_goes_or_lies(bag) and _goes_or_lies(more))
    ):
        return False
    whole, day = bag.days[0], more.days[0]
    if not (whole.start and whole.end and day.start) or day.trouble:
        return False
    last = day.end or day.start
    return whole.start <= day.start and last <= whole.end and (day.start, last) != (whole.start, whole.end)


def _goes_or_lies(bag: Bag) -> bool:
    return bool(bag.route.legs or bag.route.plain)


def join(bag: Bag, more: Bag) -> None:
    """Lay `more` to `bag`. After a correction (不对) the later word replaces the earlier one."""
    if _narrows(bag, more):
        bag.days, bag.outward, bag.route.days = [], None, {}
    if "correct" in more.marks:
        _forget_corrected(bag, more)
    if more.returns and len([a for a in more.amounts if a.slot == "quantity"]) > 1:
        bag.amounts = [a for a in bag.amounts if a.slot != "quantity"]  # 两张，一张去一张回: one each way
    if more.returns and more.windows and not more.days and bag.days:  # 明天去杭州，晚上回来: home on the same day
        more.homeward = replace(bag.days[-1], windows=tuple(more.windows))
        more.windows = []
    legs, plain = more.route.legs, more.route.plain
    days = dict(more.route.days)
    rest = copy(more)
    rest.route = Route(flies=more.route.flies, joined=more.route.joined)
    if legs and bag.days:
        rest.days = []
    bag.add(rest)
    bag.route.plain.extend(plain)
    for number, leg in enumerate(legs):
        _add_leg(bag.route, leg, days.get(number))


def _forget_corrected(bag: Bag, more: Bag) -> None:
    if more.days:
        bag.windows.extend(_hours_to_keep(bag, more))
        bag.days, bag.outward = [], None
        bag.route.days = {}
    if more.windows:
        bag.windows = []
    if more.words:
        said = {word.slot for word in more.words}
        bag.words = [word for word in bag.words if word.slot not in said]
    if more.amounts:
        slots = {amount.slot for amount in more.amounts}
        bag.amounts = [amount for amount in bag.amounts if amount.slot not in slots]
    if more.route.plain and not more.route.legs:
        bag.route.plain = []
    for start, end in more.route.legs:
        bag.route.legs = [(a if start is None else None, b if end is None else None) for a, b in bag.route.legs]


def _hours_to_keep(bag: Bag, more: Bag) -> list[Window]:
    """The hours of a day that is replaced by one without any: 明天下午的，不对，后天."""
    if not more.days or more.windows or any(day.windows for day in more.days):
        return []
    return [window for day in bag.days for window in day.windows]


def _comes_back(start: Where | None, end: Where | None) -> bool:
    """成都飞东京，周三东京飞成都: two legs whose other end is not known, and no journey from a city to itself."""
    return start is not None and end is not None and start.place == end.place


def _add_leg(route: Route, leg: Leg, day: Days | None) -> None:
    """Complete or date a leg that is there, or add one; 再去西安 goes on from where the last one ended."""
    start, end = leg
    for number, (old_start, old_end) in enumerate(route.legs):
        fits = _agree(old_start, start) and _agree(old_end, end)
        same_end = old_end is not None and end is not None
        completes = same_end or (old_start is None) != (start is None) or (old_end is None) != (end is None)
        if fits and completes and not _comes_back(old_start or start, old_end or end):
            route.legs[number] = (_narrower(old_start, start), _narrower(old_end, end))
            if day is not None:
                route.days[number] = day
            return
    if start is None and route.legs:
        start = route.legs[-1][1] if route.legs[-1][1] != end else None
    route.legs.append((start, end))
    if day is not None:
        route.days[len(route.legs) - 1] = day


def _narrower(one: Where | None, other: Where | None) -> Where | None:
    """从长沙到北京，坐到北京西站: the station is said after its city."""
    if one is None or (other is not None and one.place.kind == "city" and other.place.kind in ("station", "airport")):
        return other
    return one


def _agree(one: Where | None, other: Where | None) -> bool:
    """Whether both can be the same end of a leg."""
    return one is None or other is None or one.place == other.place or (one.city == other.city and one.city is not None)


def copied_with(bag: Bag, more: Bag) -> Bag:
    """The same wish again with what the segment says instead: 上海呢, 后天的也看看."""
    said = {word.slot for word in more.words}
    kept = [word for word in bag.words if word.slot not in said]
    again = Bag(mentions=list(bag.mentions), acts=[*bag.acts, *more.acts], words=[*more.words, *kept])
    again.amounts = list(more.amounts or bag.amounts)
    again.prices = list(more.prices or bag.prices)
    again.windows = [*(more.windows or bag.windows), *_hours_to_keep(bag, more)]
    again.days = list(more.days or bag.days)
    source = more.route if more.route.legs or more.route.plain else bag.route
    again.route = Route(list(source.legs), list(source.plain), source.joined, source.flies)
    again.founds = list(more.founds)
    again.notes = list(more.notes or bag.notes)
    again.marks = set(more.marks)
    return again

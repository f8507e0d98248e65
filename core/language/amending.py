"""The wishes of the last turn with what this message says instead: 那上海呢, 换成后天, 那回程呢, 更早的, 两张."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Any

from core.language.bags import Bag
from core.language.drafts import MOST_DRAFTS, Draft, drafts_of
from core.language.filling import place_slots, station_slots
from core.language.frames import ReadContext, Trouble
from core.language.gazetteer import Place, places
from core.language.legs import not_before
from core.language.merging import merged, said_in
from core.language.past import day_from, focal_city, starting_city, turned
from core.language.routes import Route
from core.language.shown_rows import Shown, departs, price
from core.language.values import Unknown, Where
from core.language.wishes import Wish

_SORT_OF = {"earlier": "depart", "later": "-depart", "cheaper": "price", "faster": "duration"}
_MINUTE = dt.timedelta(minutes=1)
_MOST_CHANGES = 3 * MOST_DRAFTS


@dataclass(frozen=True, slots=True)
class Table:
    """What lies before both: the last turn's wishes, what was shown, whether we asked, and the day it is."""

    wishes: tuple[Draft, ...]
    shown: Shown | None
    context: ReadContext
    today: dt.date


def amended(bag: Bag, table: Table) -> list[Draft]:
    """The wishes that the message changes, with the change; where we had asked, all that wait for the answer."""
    if both := _out_and_home(bag, table):
        return both
    wishes = _turned(bag, table.wishes)
    bag = _home_later(bag, wishes, table)
    return _distinct(islice(_each_changed(bag, wishes, table), _MOST_CHANGES)) or _distinct(_again(bag, wishes))


def _each_changed(bag: Bag, wishes: Sequence[Draft], table: Table) -> Iterator[Draft]:
    asked = table.context.asked or "round" in bag.marks
    for wish in wishes:
        for change in _changes(_for_the_undated(bag, wish, wishes), wish, table):
            if asked or wish not in table.wishes or _touches(change, wish, bag, table):
                yield _changed(_with_start(wish, change, asked), change, bag)


def _out_and_home(bag: Bag, table: Table) -> list[Draft]:
    """周六去周日回, said of a journey one way: both ways, each with its day."""
    trips = [wish for wish in table.wishes if wish.domain.is_transport]
    ends = [places().get(city or "") for trip in trips[:1] for city in (trip.slots.from_city, trip.slots.to_city)]
    if not (bag.outward and bag.homeward) or len(trips) != 1 or bag.route.legs or not all(ends):
        return []
    own = copy(bag)
    start, end = (Where(place) for place in ends if place)
    own.route = Route([(start, end)])
    ways = drafts_of([Wish(own, (trips[0].domain.name,))], table.context.skills)
    return [_changed(trip, way, bag) for trip, way in zip((trips[0], turned(trips[0])), ways, strict=False)]


def _for_the_undated(bag: Bag, wish: Draft, wishes: Sequence[Draft]) -> Bag:
    """22号, said to the question when to come back, leaves the day of going as it is."""
    trips = [other for other in wishes if other.domain.is_transport]
    if not (wish.domain.is_transport and wish.slots.date and any(trip.slots.date is None for trip in trips)):
        return bag
    own = copy(bag)
    own.days = []
    return own


def _turned(bag: Bag, wishes: Sequence[Draft]) -> list[Draft]:
    """那回程呢: the way back of the journey; 往返的 both ways."""
    trips = [wish for wish in wishes if wish.domain.is_transport]
    if len(trips) == 2 and trips[1].slots.from_city == trips[0].slots.to_city and not bag.route.legs:
        return _one_way(bag, wishes, trips)
    if not bag.returns or not trips or len(trips) > 1 or bag.route.legs:
        return list(wishes)
    back = turned(trips[0])
    return [trips[0], back] if "round" in bag.marks else [back]


def _home_later(bag: Bag, wishes: Sequence[Draft], table: Table) -> Bag:
    """周一回来, of a journey on Friday: the Monday after it."""
    out = next((trip.slots.date for trip in table.wishes if trip.domain.is_transport and trip not in wishes), None)
    day = bag.days[0] if len(bag.days) == 1 else None
    if out is None or day is None or day.start is None or day.start >= out or not bag.returns:
        return bag
    own = copy(bag)
    own.days = [not_before(day, day.start, out)]
    return own


def _one_way(bag: Bag, wishes: Sequence[Draft], trips: Sequence[Draft]) -> list[Draft]:
    """回程有更晚的吗, said of a journey there and back, is said of one of them."""
    if "round" in bag.marks or not bag.marks & {"outward", "back", "back_alone"}:
        return list(wishes)
    return [trips[0] if "outward" in bag.marks else trips[1]]


def _again(bag: Bag, wishes: list[Draft]) -> list[Draft]:
    """多少钱, 还有票吗, 订吧: the same wish once more, to look or to order."""
    speaks = bag.acts or bag.weak or bag.mentions or bag.has_slots or bag.compares or "again" in bag.marks
    if not speaks:
        return []
    last = [wish for wish in wishes if wish.domain.is_transport] or wishes[-1:]
    return [replace(wish, orders=_orders(wish, bag), founds=bag.founds) for wish in last]


def _orders(wish: Draft, bag: Bag) -> bool:
    if any(act.denied for act in bag.acts) or bag.compares:
        return False
    if wish.domain.order == wish.domain.query:
        return False
    return wish.orders or any(act.name == "order" for act in bag.acts)


def _touches(change: Draft, wish: Draft, bag: Bag, table: Table) -> bool:
    """Whether the wish has what was said: a new day goes to the dated ones, where there are any."""
    names = said_in(change.slots)
    if not names and not change.troubles and not change.unknown:
        return False
    only_day = names <= {"date", "date_end"} and not change.unknown and not bag.route.plain
    dated = any(other.slots.date for other in table.wishes)
    return not (only_day and dated and wish.slots.date is None)


def _with_start(wish: Draft, change: Draft, asked: bool) -> Draft:
    """北京, then 去三亚, to the question where from: the place said before was the start."""
    was, said = wish.slots, change.slots
    if not (asked and wish.domain.is_transport and was.from_city is None and was.to_city and said.to_city):
        return wish
    if said.from_city or said.to_city == was.to_city:
        return wish
    return replace(wish, slots=replace(was, from_city=was.to_city, from_station=was.to_station, to_station=None))


def _changed(wish: Draft, change: Draft, bag: Bag) -> Draft:
    emptied = frozenset([*(t.slot for t in change.troubles), *(_slot(u, wish) for u in change.unknown)])
    slots = merged(wish.slots, change.slots, emptied)
    return replace(change, slots=slots, orders=_orders(wish, bag), founds=bag.founds, certainty=change.certainty)


def _slot(unknown: Unknown, wish: Draft) -> str:
    if wish.domain.is_transport:
        return unknown.slot if unknown.slot != "city" else "to_city"
    return wish.domain.place_slot or "city"


def _changes(bag: Bag, wish: Draft, table: Table) -> list[Draft]:
    """What the message says for this kind of wish: usually one draft, several where it names several cities."""
    own = copy(bag)
    own.returns, own.outward, own.homeward, own.mentions = False, None, None, list(bag.mentions)
    if bag.compares:
        own.words = [word for word in bag.words if word.slot != "sort"]
    if bag.shifts and not bag.days:
        dated = next((w.slots for w in (wish, *table.wishes) if w.slots.date), wish.slots)
        day = day_from(bag.shifts[-1], dated, table.today)
        own.days = [day] if day else []
    alone = bag.route.plain[0] if len(bag.route.plain) == 1 and not bag.route.legs else None
    if alone is not None:
        own.route = Route()
    drafts = drafts_of([Wish(own, (wish.domain.name,))], table.context.skills)
    extra = _compared(bag, wish, table)
    drafts = [replace(draft, slots=replace(draft.slots, **extra)) for draft in drafts]
    return drafts if alone is None else [_placed(draft, alone, bag, wish, table) for draft in drafts]


def _placed(draft: Draft, where: Where, bag: Bag, wish: Draft, table: Table) -> Draft:
    """A place said without a role: the one that is missing, or the one the talk turns around."""
    filled: dict[str, Any] = {}
    troubles: list[Trouble] = []
    for slot in _slots_for(where, bag, wish, table):
        if wish.domain.is_transport:
            more, wrong = station_slots(where, slot, slot.replace("city", "station"), wish.domain.name)
        else:
            more, wrong = place_slots([_narrowed(where, wish)], wish.domain)
        filled.update(more)
        troubles.extend(wrong)
    return replace(draft, slots=replace(draft.slots, **filled), troubles=[*draft.troubles, *troubles])


def _slots_for(where: Where, bag: Bag, wish: Draft, table: Table) -> list[str]:
    names = ["from_city", "to_city"] if wish.domain.is_transport else [wish.domain.place_slot or ""]
    names = [name for name in names if name]
    open_slots = [name for name in names if getattr(wish.slots, name) is None]
    if table.context.asked and open_slots and not bag.not_places:
        return open_slots[-1:] if len(open_slots) == len(names) else open_slots
    out = bag.not_places[0].city if bag.not_places else focal_city(table.wishes)
    replaced = [name for name in names if getattr(wish.slots, name) == out is not None]
    start = starting_city(table.wishes)
    if wish.domain.is_transport and where.city == start and where.city is not None and len(table.wishes) > 1:
        return []  # 那北京呢, said of where one comes from, means the other wishes
    return replaced or ([] if any(getattr(wish.slots, name) for name in names) else names[-1:])


def _narrowed(where: Where, wish: Draft) -> Where:
    """朝阳区 after the weather of Beijing is the one there."""
    if wish.slots.city in where.place.cities:
        return replace(where, place=Place(where.place.name, where.place.kind, (wish.slots.city or "",)))
    return where


def _compared(bag: Bag, wish: Draft, table: Table) -> dict[str, Any]:
    """更早的 than what was shown; where nothing was, in the order of it."""
    filled: dict[str, Any] = {}
    shown = table.shown if table.shown and table.shown.domain == wish.domain else None
    for name in dict.fromkeys(compare.name for compare in bag.compares):
        bound = _bound(name, _of_wish(shown, wish)) if shown else {}
        sort = {"sort": _SORT_OF[name]} if name in _SORT_OF and "sort" in wish.domain.slots else {}
        filled.update(bound or sort)
    return filled if set(filled) <= wish.domain.slots else {}


def _of_wish(shown: Shown, wish: Draft) -> Shown:
    """Of the lists of both ways the one that answered this wish."""
    ends = (wish.slots.from_city, wish.slots.to_city)
    rows = tuple(row for row in shown.rows if (row.get("from_city"), row.get("to_city")) == ends)
    return replace(shown, rows=rows) if rows else shown


def _bound(name: str, shown: Shown) -> dict[str, Any]:
    leaving = [time for row in shown.rows if (time := departs(row))]
    prices = [cost for row in shown.rows if (cost := price(row)) is not None]
    if name == "earlier" and leaving:
        return {"time_before": _moved(min(leaving), -_MINUTE)}
    if name in ("later", "others") and leaving and shown.domain.is_transport:
        return {"time_after": _moved(max(leaving), _MINUTE)}
    if name == "cheaper" and prices:
        return {"price_max": Decimal(int(-(-min(prices) // 1)) - 1), "sort": "price"}
    return {}


def _moved(time: dt.time, by: dt.timedelta) -> dt.time:
    """A minute earlier or later, within the day."""
    moved = dt.datetime.combine(dt.date(2000, 1, 2), time) + by
    return moved.time() if moved.day == 2 else time


def _distinct(drafts: Iterable[Draft]) -> list[Draft]:
    """Two wishes that a change has made equal are one; no more are made than a message may wish."""
    kept: list[Draft] = []
    for draft in drafts:
        if len(kept) == MOST_DRAFTS:
            break
        if not any((draft.intent, draft.slots) == (other.intent, other.slots) for other in kept):
            kept.append(draft)
    return kept

"""One of the rows shown is chosen: 第二个, 就G7505吧, 最便宜的那个, 下午那趟, 一样的再来一张."""

import datetime as dt
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace

from core.language.bags import Bag
from core.language.clauses import role_of
from core.language.domains import Domain, built_in
from core.language.drafts import MOST_DRAFTS, Draft, drafts_of
from core.language.filling import hours
from core.language.frames import ReadContext, Trouble
from core.language.merging import merged
from core.language.shown_rows import Row, Shown, arrives, departs, has_words, kind_of_order, named_in, price, slots_of
from core.language.slots import Slots
from core.language.values import Pick
from core.language.wishes import Wish

_HOMEWARD = ("back", "back_alone")
_NOT_SOLD = ("weather", "attraction")
_CURRENCY = "元块钱圆"
_NAMING = ("airline", "artist")
_TOLD_APART = ("sort", "train_no", "flight_no", "area", "brand", "seats")
"""What the row that was chosen says better than the words that chose it."""
_BY_LEAST = {"price": True, "depart": True, "duration": True, "-price": False, "-depart": False}


@dataclass(frozen=True, slots=True)
class Said:
    """A message that may choose: its values, its words (normalised), and whether a word of choosing is among them."""

    bag: Bag
    text: str
    chooses: bool
    asks: bool
    runs: tuple[str, ...] = ()
    """Words that are in no table; they may be names of rows."""


def picked(said: Said, shown: Shown, wishes: Sequence[Draft], context: ReadContext) -> list[Draft] | None:
    """What the choice wishes; empty where the rows are nothing to order, None where nothing was chosen."""
    ranks = _ranks(said.bag)[:MOST_DRAFTS]
    if ranks:
        found = [(_at(way_of(shown.rows, way), pick), pick.said) for pick, way in ranks]
    elif shown.domain.name in _NOT_SOLD:
        return None
    elif rows := _described(said, shown):
        found = [(row, "") for row in rows]
    elif _points_nowhere(said.bag) and len(shown.rows) > 1 and said.chooses:
        return [_trouble(shown.domain, said.bag, wishes, Trouble("ambiguous", "item_id", said.bag.picks[0].said))]
    else:
        return None
    if shown.domain.name in _NOT_SOLD:
        return [replace(wish, founds=said.bag.founds) for wish in wishes if wish.domain.name == "attraction"][-1:]
    drafts = [_of_row(row, name, said, shown, wishes, context) for row, name in found]
    return [draft for draft in drafts if draft is not None]


def _ranks(bag: Bag) -> list[tuple[Pick, str | None]]:
    """The places named, each with the way that was said before it: 去程第一趟和返程第二趟."""
    ranks: list[tuple[Pick, str | None]] = []
    way: str | None = None
    for found in bag.founds:
        role = role_of(found)
        way = "home" if role in _HOMEWARD else "out" if role == "outward" else way
        if isinstance(found.value, Pick) and found.value.rank is not None:
            ranks.append((found.value, way))
    return ranks or [(pick, None) for pick in bag.picks if pick.rank is not None]


def _way_said(bag: Bag) -> str | None:
    return "home" if bag.marks & set(_HOMEWARD) else "out" if "outward" in bag.marks else None


def way_of(rows: Sequence[Row], way: str | None) -> list[Row]:
    """Of two lists, there and back, the one that is meant: without a word the one shown last."""
    ends = list(dict.fromkeys((row.get("from_city"), row.get("to_city")) for row in rows))
    if len(ends) != 2 or ends[0] != ends[1][::-1]:
        return list(rows)
    meant = ends[0] if way == "out" else ends[1]
    return [row for row in rows if (row.get("from_city"), row.get("to_city")) == meant]


def _at(rows: Sequence[Row], pick: Pick) -> Row | None:
    rank = pick.rank or 0
    place = rank - 1 if rank > 0 else len(rows) + rank
    return rows[place] if 0 <= place < len(rows) else None


def _points_nowhere(bag: Bag) -> bool:
    """就这趟 and nothing else."""
    return bool(bag.picks) and not bag.has_slots


def _described(said: Said, shown: Shown) -> list[Row]:
    """The only row that what was said fits, or those called by their numbers; none unless it was said as a choice."""
    bag = said.bag
    if bag.days or bag.route.legs or bag.route.plain or bag.compares:
        return []
    rows, numbered = _fitting(said, shown.rows)
    if numbered:
        return rows
    if len(rows) != 1 or not (said.chooses or bag.picks or _bare_superlative(said)):
        return []
    vague = not (bag.has_slots or bag.picks or "again" in bag.marks)
    return [] if vague and 1 < len(shown.rows) == len(rows) else rows


def _fitting(said: Said, rows: Sequence[Row]) -> tuple[list[Row], bool]:
    """The rows that fit the hours, names and superlatives said, and whether one was called by its number."""
    bag = said.bag
    numbers = {word.value for word in bag.words if word.slot in ("train_no", "flight_no") and not word.denied}
    if numbers:
        return [r for r in rows if numbers & {str(r.get("train_no")), str(r.get("flight_no"))}], True
    rows = way_of(rows, _way_said(bag))
    windows = hours([*bag.windows, *(w for day in bag.days for w in day.windows)])
    rows = _within(rows, departs, windows["time_after"], windows["time_before"])
    rows = _within(rows, arrives, windows["arrive_after"], windows["arrive_before"])
    priced = {int(note.rstrip(_CURRENCY)) for note in bag.notes if note.rstrip(_CURRENCY).isascii() and
              note.rstrip(_CURRENCY).isdigit()}
    if priced:  # 73块的那个
        rows = [row for row in rows if (cost := price(row)) is not None and int(cost) in priced]
    words = [(word.slot, word.value) for word in bag.words if word.slot in _NAMING and not word.denied]
    rows = [row for row in rows if has_words(row, words)]
    most = max((len(named_in(row, said.text, said.runs)) for row in rows), default=0)
    rows = [row for row in rows if len(named_in(row, said.text, said.runs)) == most]
    return _best(bag, rows), False


def _within(
    rows: Sequence[Row], hour_of: Callable[[Row], dt.time | None], after: dt.time | None, before: dt.time | None
) -> list[Row]:
    if not (after or before):
        return list(rows)
    return [r for r in rows if (at := hour_of(r)) and (not after or at >= after) and (not before or at <= before)]


def _best(bag: Bag, rows: list[Row]) -> list[Row]:
    sort = next((word.value for word in bag.words if word.slot == "sort"), None)
    if sort not in _BY_LEAST or not rows:
        return rows
    ranked = [(key, number) for number, row in enumerate(rows) if (key := _key(row, sort)) is not None]
    if not ranked:
        return rows
    best = min(ranked) if _BY_LEAST[sort] else max(ranked)
    return [rows[best[1]]]


def _key(row: Row, sort: str) -> float | None:
    if sort.endswith("price"):
        cost = price(row)
        return None if cost is None else float(cost)
    if sort.endswith("depart"):
        leaves = departs(row)
        return None if leaves is None else leaves.hour * 60.0 + leaves.minute
    length = row.get("duration_min")
    return float(length) if isinstance(length, (int, float)) else None


def _bare_superlative(said: Said) -> bool:
    """最便宜的, and not 最便宜的呢 or 有没有最便宜的."""
    return any(word.slot == "sort" for word in said.bag.words) and not said.asks and not said.bag.compares


def _of_row(
    row: Row | None, name: str, said: Said, shown: Shown, wishes: Sequence[Draft], context: ReadContext
) -> Draft | None:
    if row is None:
        return _trouble(shown.domain, said.bag, wishes, Trouble("no_such_item", "item_id", name))
    domain = shown.domain
    if shown.are_orders:
        if not _buys_again(said.bag):
            return _about_order(row, domain, said, wishes)
        domain = kind_of_order(row, context)
    own = _said_besides(said.bag, domain, context)
    slots = merged(slots_of(row, domain), own.slots)
    orders = not said.asks and domain.order != domain.query
    if orders:
        slots = _counted(slots, domain, wishes)
    return replace(own, domain=domain, orders=orders, slots=slots)


def _about_order(row: Row, domain: Domain, said: Said, wishes: Sequence[Draft]) -> Draft:
    """第二个, after 取消订单: that order is to be cancelled; else it is looked at."""
    asked = next((wish for wish in reversed(wishes) if wish.slots.action), None)
    if asked is None or said.asks:
        return Draft(domain, False, Slots(order_id=_order_id(row)), 0, said.bag.founds)
    kind = built_in()[asked.slots.action or ""]
    wanted = replace(asked.slots, order_id=_order_id(row)) if kind.name == "change" else Slots(
        order_id=_order_id(row), action=asked.slots.action
    )
    return replace(asked, domain=kind, slots=wanted, founds=said.bag.founds)


def _order_id(row: Row) -> str | None:
    return str(row.get("order_id") or "") or None


def _buys_again(bag: Bag) -> bool:
    return "again" in bag.marks or any(act.name == "order" and not act.denied for act in bag.acts)


def _said_besides(bag: Bag, domain: Domain, context: ReadContext) -> Draft:
    """What was said beside the choice, without the words that made it."""
    own = copy(bag)
    own.windows = []
    own.words = [word for word in bag.words if word.slot not in _TOLD_APART]
    return drafts_of([Wish(own, (domain.name,))], context.skills)[0]


def _counted(slots: Slots, domain: Domain, wishes: Sequence[Draft]) -> Slots:
    """How many: as said now, or in the wish whose rows these are; else one."""
    if slots.quantity or "quantity" not in domain.slots:
        return slots
    earlier = next((w.slots for w in reversed(wishes) if w.domain == domain and w.slots.quantity), Slots(quantity=1))
    return replace(slots, quantity=earlier.quantity, adults=earlier.adults, children=earlier.children)


def _trouble(domain: Domain, bag: Bag, wishes: Sequence[Draft], trouble: Trouble) -> Draft:
    """The wish stands, and waits for another choice."""
    earlier = next((wish.slots for wish in reversed(wishes) if wish.domain == domain), Slots())
    slots = replace(earlier, item_id=None, train_no=None, flight_no=None)
    return Draft(domain, domain.order != domain.query, slots, 0, bag.founds, [trouble])

"""From wishes to drafts of frames: one for each kind, leg and city, with the slots that its own words fill."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from core.language.bags import Bag
from core.language.domains import Domain, domain_of
from core.language.filling import LATELY, day_slots, general_slots, place_slots, station_slots
from core.language.frames import SkillWords, Trouble
from core.language.legs import DatedLeg, dated_legs
from core.language.read_words import ELSEWHERE
from core.language.slots import Slots
from core.language.values import Days, Found, Unknown, Where, Window
from core.language.wishes import Wish

MOST_DRAFTS = 12
"""More than a person wishes in one message. Cities, days and names multiply: ten of each would be a thousand."""


@dataclass(slots=True)
class Draft:
    """A frame in the making."""

    domain: Domain
    orders: bool
    slots: Slots
    wish: int
    founds: list[Found]
    troubles: list[Trouble] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    looks_at: int | None = None
    chained: bool = False
    certainty: float = 1.0
    returns: bool = False
    """The way back of the journey before, by another kind: 后天回来的高铁."""
    goes_home: bool = False
    """Back to a city: who comes back to it set out from it."""
    origin: str | None = None
    """Where the words of this wish set out from, though its kind has no slot for it."""

    @property
    def intent(self) -> str:
        return self.domain.order if self.orders else self.domain.query


def first_and_last(wishes: list[Wish]) -> list[Wish]:
    """Of more wishes than a message has, the first and the last; none whose condition looks at one left out."""
    if len(wishes) <= MOST_DRAFTS:
        return wishes
    half, end = MOST_DRAFTS // 2, len(wishes)
    moved: dict[int | None, int | None] = {None: None}
    for number in (*range(half), *range(end - half, end)):
        if wishes[number].looks_at in moved:
            moved[number] = len(moved) - 1
    return [replace(wishes[n], looks_at=moved[wishes[n].looks_at]) for n in moved if n is not None]


def drafts_of(wishes: Sequence[Wish], skills: Sequence[SkillWords]) -> list[Draft]:
    """The drafts of all wishes, in order, as far as there may be so many."""
    found: list[Draft] = []
    for number, wish in enumerate(wishes):
        for kind in wish.kinds:
            if kind == ELSEWHERE:
                continue
            drafts = _of_kind(wish, number, domain_of(kind, skills), found)
            found.extend(list(islice(drafts, MOST_DRAFTS - len(found))))
    return found


def _of_kind(wish: Wish, number: int, domain: Domain, before: Sequence[Draft]) -> Iterator[Draft]:
    bag = wish.bag
    slots, troubles = general_slots(bag, domain)
    blank = Draft(
        domain, _orders(bag), slots, number, bag.founds, troubles, list(bag.unknown), tuple(bag.notes), wish.when,
        wish.looks_at, "chain" in bag.marks, min([f.certainty for f in bag.founds], default=1.0),
        bag.returns and not (bag.route.legs or bag.route.plain), "back" in bag.marks and bool(bag.route.legs),
    )
    if domain.is_transport:
        yield from _of_legs(blank, bag)
    elif domain.place_slot:
        yield from _of_cities(blank, bag)
    else:
        yield _dated(_with_route(blank, bag), bag.days, bag.windows)


def _orders(bag: Bag) -> bool:
    """An order unless it was refused; 别订机票，订高铁 is one."""
    orders = [act for act in bag.acts if act.name == "order"]
    return bool(orders) and not orders[-1].denied


def _of_legs(blank: Draft, bag: Bag) -> Iterator[Draft]:
    legs, numbers = dated_legs(bag), _numbers(bag, blank.domain)
    if len(numbers) < 2:
        numbers = [blank.slots] * len(legs)
    pairs = zip(legs, numbers, strict=True) if len(numbers) == len(legs) else product(legs, numbers)  # G1和G3
    for leg, slots in pairs:
        yield _on_leg(blank, bag, leg, {"train_no": slots.train_no, "flight_no": slots.flight_no})


def _numbers(bag: Bag, domain: Domain) -> list[Slots]:
    """The trains or flights that are called by their numbers, one after another."""
    slot = "train_no" if "train_no" in domain.slots else "flight_no"
    named = dict.fromkeys(word.value for word in bag.words if word.slot == slot and not word.denied)
    return [Slots(train_no=no) if slot == "train_no" else Slots(flight_no=no) for no in named]


def _on_leg(blank: Draft, bag: Bag, leg: DatedLeg, named: Mapping[str, Any]) -> Draft:
    slots, troubles = dict(named), list(blank.troubles)
    for where, city, station in ((leg.start, "from_city", "from_station"), (leg.end, "to_city", "to_station")):
        if where is not None:
            filled, trouble = station_slots(where, city, station, blank.domain.name)
            slots |= filled
            troubles.extend(trouble)
    days, trouble = day_slots(leg.day, bag.windows, blank.domain)
    return replace(blank, slots=replace(blank.slots, **slots, **days), troubles=[*troubles, *trouble])


def _dated(draft: Draft, days: Sequence[Days], windows: Sequence[Window]) -> Draft:
    if draft.slots.artist and days and days[0].said in LATELY:
        days = []  # 周深最近的演唱会: the next ones, however far ahead they are
    filled, trouble = day_slots(days[0] if days else None, windows, draft.domain)
    return replace(draft, slots=replace(draft.slots, **filled), troubles=[*draft.troubles, *trouble])


def _with_route(draft: Draft, bag: Bag) -> Draft:
    """The cities of an order that is looked for (取消去上海的票)."""
    if "to_city" not in draft.domain.slots or not bag.route.legs:
        return draft
    start, end = bag.route.legs[0]
    return replace(draft, slots=replace(draft.slots, from_city=start.city if start else None,
                                        to_city=end.city if end else None))


def _of_cities(blank: Draft, bag: Bag) -> Iterator[Draft]:
    """One draft for each city; 雨花区 beside 长沙 is one city with its district."""
    groups = _cities(bag, bool(set(bag_kinds(bag)) & {"train", "flight"}), "from_city" in blank.domain.slots)
    start = next((start for start, _ in bag.route.legs if start), None)
    blank = replace(blank, origin=start.city if start else None)
    if "from_city" in blank.domain.slots and start is not None:
        blank = replace(blank, slots=replace(blank.slots, from_city=start.city))
    for group in groups or [[]]:
        filled, trouble = place_slots(group, blank.domain)
        draft = replace(blank, slots=replace(blank.slots, **filled), troubles=[*blank.troubles, *trouble])
        yield from _for_each_named(_for_each_day(draft, bag), bag)


def _for_each_day(draft: Draft, bag: Bag) -> list[Draft]:
    """北京明天和后天的天气 asks twice; days of a journey that shares the words are the journey's."""
    shared = set(bag_kinds(bag)) & {"train", "flight"}
    if shared or len(bag.days) < 2 or "date" not in draft.domain.slots:
        return [_dated(draft, bag.days, bag.windows)]
    if "days" in draft.domain.slots:
        return [_dated(draft, [_from_to(bag.days)], bag.windows)]
    apart = {(day.start, day.end, day.windows, day.trouble): day for day in bag.days}  # 12月31号跨年 is one day
    return [_dated(draft, [day], bag.windows) for day in islice(apart.values(), MOST_DRAFTS)]


def _from_to(days: Sequence[Days]) -> Days:
    """22号取24号还: what lasts for days lasts from the first to the last one named."""
    first, last = days[0], days[-1]
    if not (first.start and last.start) or last.start <= first.start or first.trouble or last.trouble:
        return first
    return replace(first, end=last.end or last.start)


def _for_each_named(drafts: list[Draft], bag: Bag) -> list[Draft]:
    """周杰伦和五月天的演唱会, 一辆别克和一辆特斯拉."""
    for slot in ("artist", "brand"):
        named = list(dict.fromkeys(w.value for w in bag.words if w.slot == slot and not w.denied))[:MOST_DRAFTS]
        if len(named) > 1:
            drafts = [_with(d, slot, name) for d in drafts if getattr(d.slots, slot) for name in named] or drafts
    return drafts


def _with(draft: Draft, slot: str, name: str) -> Draft:
    filled: dict[str, Any] = {slot: name}
    return replace(draft, slots=replace(draft.slots, **filled))


def bag_kinds(bag: Bag) -> list[str]:
    """The kinds that the bag's words name."""
    return [mention.domain for mention in bag.mentions]


def _cities(bag: Bag, with_transport: bool, sets_out: bool) -> list[list[Where]]:
    """The places it is about, together those that mean one; where one sets out from is none where that has a slot."""
    route = bag.route
    if not route.plain:
        ends = [where for start, end in route.legs if (where := end or (None if sets_out else start))]
        return [[end] for end in ends[-1:]]
    groups: list[list[Where]] = []
    ends = [end for start, end in route.legs if end and start is None] if route.joined else []
    for where in [*ends, *route.plain]:  # 去丽江和大理玩
        home = next((group for group in groups if _together(group[0], where)), None)
        if home is None:
            groups.append([where])
        else:
            home.append(where)
    return groups[-1:] if with_transport and not route.joined else groups


def _together(one: Where, other: Where) -> bool:
    if one.place == other.place:
        return True
    kinds = {one.place.kind, other.place.kind}
    return bool(kinds & {"district", "sight", "airport", "station"}) and bool(
        set(one.place.cities) & set(other.place.cities)
    )



"""What one segment says, sorted by kind: the kinds of wishes, the route, the days, and the slots."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from core.language.clauses import Segment, role_of
from core.language.routes import Route, route_of
from core.language.values import (
    Act,
    Amount,
    Compare,
    Days,
    Found,
    Mention,
    Note,
    Pick,
    Price,
    Shift,
    Talk,
    Unknown,
    Where,
    Window,
    Word,
)


@dataclass(slots=True)
class Bag:
    """The contents of a segment, or of several that were laid together."""

    mentions: list[Mention] = field(default_factory=list)
    weak: list[Mention] = field(default_factory=list)
    denied: list[Mention] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    route: Route = field(default_factory=Route)
    days: list[Days] = field(default_factory=list)
    outward: Days | None = None
    homeward: Days | None = None
    returns: bool = False
    windows: list[Window] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    amounts: list[Amount] = field(default_factory=list)
    prices: list[Price] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)
    shifts: list[Shift] = field(default_factory=list)
    compares: list[Compare] = field(default_factory=list)
    not_places: list[Where] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    founds: list[Found] = field(default_factory=list)

    @property
    def has_slots(self) -> bool:
        """Whether anything but mentions and acts stands in it."""
        return bool(
            self.route.legs or self.route.plain or self.days or self.windows or self.words or self.amounts
            or self.prices or self.returns or self.unknown or self.notes
        )

    def add(self, other: "Bag") -> None:
        """Lay the contents of a later bag to these."""
        for name in ("mentions", "weak", "denied", "acts", "days", "windows", "words", "amounts", "prices", "notes",
                     "unknown", "talk", "founds", "picks", "shifts", "compares", "not_places"):
            getattr(self, name).extend(getattr(other, name))
        self.route.lay_to(other.route)
        self.outward = other.outward or self.outward
        self.homeward = other.homeward or self.homeward
        self.returns |= other.returns
        self.marks |= other.marks


def bag_of(segment: Segment) -> Bag:
    """Sort a segment's values."""
    founds = _with_their_hours(segment.founds)
    bag = Bag(founds=founds, route=route_of(founds))
    for found in founds:
        _sort_in(bag, found)
    bag.marks = {role for found in segment.founds if (role := role_of(found))}
    if segment.chained:
        bag.marks.add("chain")
    if segment.beside:
        bag.marks.add("beside")
    if "rather" in bag.marks and not bag.mentions:
        bag.marks.add("correct")  # 还是后天吧; 高铁还是飞机 chooses nothing
    bag.returns = bool(bag.marks & {"back_alone", "round"}) or _ends_with_back(segment.founds)
    _give_days_their_way(bag)
    if "rest_ok" in bag.marks:  # 经停也可以 asks for nothing
        bag.words = [word for word in bag.words if word != Word("direct", "no")]
    bag.acts = _one_act(bag.acts)
    if len(bag.route.legs) == 1 and len(bag.days) == 1 and not bag.homeward:
        bag.route.days = {0: bag.days[0]}
    return bag


def _one_act(acts: list[Act]) -> list[Act]:
    """Of several acts in a segment a refusal counts, else the last (订票多少钱 asks)."""
    refused = [act for act in acts if act.denied]
    return refused[:1] or acts[-1:]


def _with_their_hours(founds: Iterable[Found]) -> list[Found]:
    """Hours that directly follow a day belong to it."""
    kept: list[Found] = []
    for found in founds:
        day = kept[-1].value if kept else None
        if (either := _either_hours(kept, found)) is not None:
            kept[-2:] = [either]
        elif isinstance(found.value, Window) and isinstance(day, Days) and found.first <= kept[-1].end:
            # The part of the day that 今晚 brought is that of 八点前到, too, and none of the departure.
            before = day.windows[:-1] if found.value.arrives else day.windows
            hours = replace(day, windows=(*before, found.value))
            kept[-1] = Found(hours, kept[-1].first, found.end, min(kept[-1].certainty, found.certainty))
        else:
            kept.append(found)
    return kept


def _either_hours(kept: Sequence[Found], found: Found) -> Found | None:
    """上午或者下午三点前: from the beginning of the one to the end of the other; None where no hours are joined."""
    if len(kept) < 2 or not isinstance(found.value, Window) or role_of(kept[-1]) != "joiner":
        return None
    before, hours = kept[-2], found.value
    if hours.night_after or hours.denied:
        return None
    certainty = min(before.certainty, found.certainty)
    if isinstance(before.value, Window):
        return Found(before.value.or_else(hours), before.first, found.end, certainty)
    if isinstance(before.value, Days) and before.value.windows:
        *others, last = before.value.windows
        either = replace(before.value, windows=(*others, last.or_else(hours)))
        return Found(either, before.first, found.end, certainty)
    return None


def _sort_in(bag: Bag, found: Found) -> None:
    value = found.value
    if isinstance(value, Mention):
        (bag.denied if value.denied else bag.weak if value.weak else bag.mentions).append(value)
    elif isinstance(value, Days):
        bag.days.extend([] if value.denied else [value])
    elif isinstance(value, Talk):
        bag.talk.append(value.topic)
    elif isinstance(value, Note):
        bag.notes.append(value.text)
    else:
        _sort_slot(bag, value)


def _sort_slot(bag: Bag, value: object) -> None:
    if isinstance(value, Act):
        bag.acts.append(value)
    elif isinstance(value, Window):
        bag.windows.append(value)
    elif isinstance(value, Word):
        bag.words.append(value)
    elif isinstance(value, Amount):
        bag.amounts.append(value)
    elif isinstance(value, Price):
        bag.prices.append(value)
    elif isinstance(value, Unknown):
        bag.unknown.append(value)
    else:
        _sort_reference(bag, value)


def _sort_reference(bag: Bag, value: object) -> None:
    """What points back to an earlier turn; without one it says nothing."""
    if isinstance(value, Pick):
        bag.picks.append(value)
    elif isinstance(value, Shift):
        bag.shifts.append(value)
    elif isinstance(value, Compare):
        bag.compares.append(value)
    elif isinstance(value, Where) and value.denied:
        bag.not_places.append(value)


def _ends_with_back(founds: Iterable[Found]) -> bool:
    """周日回: a 回 that no place follows."""
    awaiting = False
    for found in founds:
        if role_of(found) == "back":
            awaiting = True
        elif isinstance(found.value, Where):
            awaiting = False
    return awaiting


def _give_days_their_way(bag: Bag) -> None:
    """周五去周日回, 明天去后天回, 返程23号: which day is the way out, which the way home."""
    if not bag.returns:
        return
    for number, found in enumerate(bag.founds):
        if not isinstance(found.value, Days) or found.value.denied:
            continue
        before = role_of(bag.founds[number - 1]) if number else None
        after = role_of(bag.founds[number + 1]) if number + 1 < len(bag.founds) else None
        if after in ("back", "back_alone") or before == "back_alone":
            bag.homeward = found.value
        elif after in ("go", "outward", "depart") or before == "outward":
            bag.outward = found.value
    if bag.homeward is None and len(bag.days) == 2:
        bag.outward, bag.homeward = bag.days
    only = bag.days[0] if len(bag.days) == 1 else None
    if only and "round" not in bag.marks and not bag.outward and not bag.route.legs:
        bag.homeward = only

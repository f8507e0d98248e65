"""Slots that a wish takes over from the wishes beside it: 上海天气 after 明天北京到上海 is tomorrow's."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.language.drafts import Draft
from core.language.slots import Slots

# Kinds whose day is not that of the wish beside them.
_OWN_DAY = ("attraction", "insurance", "tour", "orders", "cancel", "change")


def carry_over(drafts: list[Draft]) -> list[Draft]:
    """Fill what is open from the drafts before, and places also from those after; places first, then days."""
    placed = _each(drafts, _place_filled)
    return _each(placed, _day_filled)


def _each(drafts: list[Draft], fill: Callable[[Draft, Sequence[Draft], Sequence[Draft]], Slots]) -> list[Draft]:
    """Fill draft after draft, so that a later one can take what an earlier one was given."""
    done: list[Draft] = []
    for number, draft in enumerate(drafts):
        slots = fill(draft, done, drafts[number + 1 :])
        done.append(draft if slots is draft.slots else replace(draft, slots=slots))
    return done


def _place_filled(draft: Draft, before: Sequence[Draft], after: Sequence[Draft]) -> Slots:
    if draft.domain.is_transport:
        return _route_filled(draft, before, after)
    if not draft.domain.place_slot or _has_own_place(draft):
        return draft.slots
    place = _place_of(_onward(before)[::-1]) or _place_of(after)
    about_city = draft.domain.place_slot == "city"
    return replace(draft.slots, city=place) if about_city else replace(draft.slots, destination=place)


def _onward(drafts: Sequence[Draft]) -> list[Draft]:
    """Without the ways back: who travels to 上海 and home again asks for the weather there."""
    onward: list[Draft] = []
    for draft in drafts:
        ways = [(other.slots.to_city, other.slots.from_city) for other in onward if other.domain.is_transport]
        way = (draft.slots.from_city, draft.slots.to_city)
        if not draft.domain.is_transport or None in way or way not in ways:
            onward.append(draft)
    return onward


def _has_own_place(draft: Draft) -> bool:
    slot = draft.domain.place_slot
    troubled = any(trouble.slot == slot for trouble in draft.troubles)
    named = slot is not None and getattr(draft.slots, slot) is not None
    by_artist = draft.slots.artist is not None  # 周杰伦的演唱会 is asked for everywhere
    return named or troubled or by_artist or any(unknown.slot == "city" for unknown in draft.unknown)


def _place_of(drafts: Sequence[Draft]) -> str | None:
    """Where a wish takes the traveller, or which place it is about."""
    found = (d.slots.to_city or d.slots.city or d.slots.destination for d in drafts)
    return next((place for place in found if place), None)


def _day_filled(draft: Draft, before: Sequence[Draft], after: Sequence[Draft]) -> Slots:
    slots = draft.slots
    troubled = any(trouble.slot == "date" for trouble in draft.troubles)
    if slots.date or troubled or "date" not in draft.domain.slots or draft.domain.name in _OWN_DAY:
        return slots
    earlier = [d.slots for d in reversed(before) if d.slots.date and d.wish != draft.wish]
    arrives = (s for s in reversed(earlier) if s.to_city in (slots.city, slots.destination) and s.to_city)
    source = next(arrives, None) or next(iter(earlier), None) or _same_place_later(slots, after)
    if source is None:
        return slots
    return replace(slots, date=source.date, date_end=source.date_end)


def _same_place_later(slots: Slots, after: Sequence[Draft]) -> Slots | None:
    """看看天气，明天去上海: the weather of the day on which one is there; the same route has the same day."""
    later = [d.slots for d in after if d.slots.date]
    if slots.city:
        return next((other for other in later if other.to_city == slots.city), None)
    route = (slots.from_city, slots.to_city)
    return next((other for other in later if None not in route and (other.from_city, other.to_city) == route), None)


def _route_filled(draft: Draft, before: Sequence[Draft], after: Sequence[Draft]) -> Slots:
    slots = draft.slots
    journeys = [d for d in reversed(before) if d.domain.is_transport and d.wish != draft.wish]
    journey = next(iter(journeys), None)
    open_start = slots.from_city is None and not _troubled(draft, "from_city")
    open_end = slots.to_city is None and not _troubled(draft, "to_city")
    if open_start and open_end:
        journey = journey or next((d for d in after if d.domain.is_transport and d.wish != draft.wish), None)
        if journey:
            return _with_route(slots, journey, turned=draft.returns)
        origin = next((d.origin for d in reversed(before) if d.origin), None)
        return replace(slots, from_city=origin, to_city=_other_than(origin, _place_of(before[::-1])))
    if open_end:
        return replace(slots, to_city=_other_than(slots.from_city, _place_of(before[::-1]) or _place_of(after)))
    if open_start:
        start = next((d.origin for d in reversed(before) if d.origin), None)
        home = next((d.slots.to_city for d in after if d.goes_home and d.domain.is_transport), None)
        if journey:
            start = journey.slots.to_city if draft.chained or draft.goes_home else journey.slots.from_city
        elif home is not None and not draft.goes_home:
            start = home  # 21号去上海，23号回北京
        elif start is None:  # 去青岛的飞机，没有就看高铁，从北京走
            there = (d.slots for d in after if d.domain.is_transport and d.slots.to_city in (None, slots.to_city))
            start = next((other.from_city for other in there if other.from_city), None)
        return replace(slots, from_city=_other_than(slots.to_city, start or _where_it_must_hold(draft, before)))
    return slots


def _where_it_must_hold(draft: Draft, before: Sequence[Draft]) -> str | None:
    """如果北京不下雪，查去张家口的火车: the weather that has to permit the journey is that of the start."""
    return next((d.slots.city for d in before if "dry" in draft.when and d.wish == draft.looks_at), None)


def _troubled(draft: Draft, slot: str) -> bool:
    return any(t.slot == slot for t in draft.troubles) or any(u.slot == slot for u in draft.unknown)


def _other_than(city: str | None, candidate: str | None) -> str | None:
    return None if candidate == city else candidate


def _with_route(slots: Slots, journey: Draft, *, turned: bool) -> Slots:
    """The cities only: a railway station is no airport."""
    start, end = journey.slots.from_city, journey.slots.to_city
    return replace(slots, from_city=end, to_city=start) if turned else replace(slots, from_city=start, to_city=end)

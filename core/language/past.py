"""What the turn before left: its wishes as drafts, the cities they turn around, the days counted from theirs."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from core.language.calendar_days import festival_day, festivals
from core.language.domains import Domain, built_in, domain_of
from core.language.drafts import MOST_DRAFTS, Draft
from core.language.frames import ReadContext, SkillWords
from core.language.slots import Slots
from core.language.values import Days, Shift

_EARLIER = -1
"""The number of the wish that drafts of an earlier turn carry."""


def earlier_wishes(context: ReadContext) -> list[Draft]:
    """The last turn's wishes, in order, as drafts that later ones can take slots from."""
    found = []
    for number, wish in enumerate(context.past[:MOST_DRAFTS]):
        domain = domain_of_intent(wish.intent, context.skills)
        orders = wish.intent == domain.order != domain.query
        found.append(Draft(domain, orders, wish.slots, _EARLIER - number, []))
    return found


def domain_of_intent(intent: str, skills: Sequence[SkillWords]) -> Domain:
    """The kind of wish that an intent belongs to, built in or a third party's."""
    own = next((d for d in built_in().values() if intent in (d.query, d.order) and d.query), None)
    return own or domain_of(intent, skills)


def turned(draft: Draft) -> Draft:
    """The way back: the cities change places, the class and the number of tickets stay, the day is open."""
    slots = draft.slots
    return replace(draft, slots=replace(
        slots, from_city=slots.to_city, to_city=slots.from_city, from_station=slots.to_station,
        to_station=slots.from_station, date=None, date_end=None, time_after=None, time_before=None,
        arrive_after=None, arrive_before=None, train_no=None,
        flight_no=None, item_id=None,
    ))


def journeys(wishes: Sequence[Draft]) -> list[Draft]:
    """Those that go from one city to another; the way back of a return journey only where it stands alone."""
    trips = [wish for wish in wishes if wish.domain.is_transport]
    out: list[Draft] = []
    for trip in trips:
        ways = [(other.slots.to_city, other.slots.from_city) for other in out]
        if (trip.slots.from_city, trip.slots.to_city) not in ways:
            out.append(trip)
    return out


def focal_city(wishes: Sequence[Draft]) -> str | None:
    """The city the talk turns around: the last one of a wish about a city, or where the journeys lead."""
    trips = journeys(wishes)
    if trips and trips[-1].slots.to_city:
        return trips[-1].slots.to_city
    return next((city for wish in reversed(wishes) if (city := wish.slots.city or wish.slots.destination)), None)


def starting_city(wishes: Sequence[Draft]) -> str | None:
    """Where the journeys begin."""
    return next((wish.slots.from_city for wish in journeys(wishes) if wish.slots.from_city), None)


def day_from(shift: Shift, slots: Slots, today: date) -> Days | None:
    """The day that a shift leads to from the wish's own; None where that has none."""
    if slots.date is None:
        return None
    if shift.to_end:
        return Days(_last_of_holiday(slots, today))
    start = slots.date + timedelta(days=shift.days)
    end = slots.date_end + timedelta(days=shift.days) if slots.date_end else None
    return Days(start, end, "past_date" if (end or start) < today else None, said=start.isoformat())


def _last_of_holiday(slots: Slots, today: date) -> date | None:
    if slots.date is None or slots.date_end is not None:
        return slots.date_end
    for name, festival in festivals().items():
        first = festival_day(name, today, slots.date.year)
        if first is not None and 0 <= (slots.date - first).days < festival.days:
            return first + timedelta(days=festival.days - 1)
    return slots.date

"""Fill slots from a segment's values. Each function returns what to fill and what is wrong with it."""

import datetime as dt
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from core.language.bags import Bag
from core.language.clauses import ABOUT_ORDERS
from core.language.domains import Domain
from core.language.frames import Trouble
from core.language.slots import Slots
from core.language.values import Days, Where, Window, Word

Filled = tuple[dict[str, Any], list[Trouble]]
LATELY = ("最近", "近期", "这几天", "近几天")  # said of orders it is the days gone by
_ONE_OF = ("train_type", "seat_class", "cabin", "airline")
# 头等舱 asked for on a train: the nearest thing that a train has.
_CABIN_ON_TRAIN = {"头等舱": "商务座", "商务舱": "商务座", "经济舱": "二等座"}


def general_slots(bag: Bag, domain: Domain) -> tuple[Slots, list[Trouble]]:
    """Everything but days and places, as far as this kind takes it."""
    filled: dict[str, Any] = {**_words(bag, domain), **_prices(bag, domain)}
    counts, troubles = _counts(bag)
    filled.update(counts)
    if domain.name == "change":
        filled["action"] = "change"
        troubles = [*troubles, Trouble("unsupported", "action", "改签")]
    elif domain.name == "cancel":
        filled["action"] = "cancel"
    kept = {name: value for name, value in filled.items() if name in domain.slots or name == "action"}
    return Slots(**kept), [trouble for trouble in troubles if trouble.slot in domain.slots or trouble.slot == "action"]


def hours(windows: Iterable[Window]) -> dict[str, Any]:
    """The hours of the departure and those of the arrival."""
    said = list(windows)
    leaving, arriving = (_shared(w for w in said if w.arrives is arrives) for arrives in (False, True))
    slots = ("time_after", "time_before", "arrive_after", "arrive_before")
    return dict(zip(slots, (*leaving, *arriving), strict=True))


def _shared(windows: Iterable[Window]) -> tuple[dt.time | None, dt.time | None]:
    """The hours that all windows share; one that contradicts an earlier one is left out."""
    after: dt.time | None = None
    before: dt.time | None = None
    for window in windows:
        if window.night_after:
            after, before = window.after, window.before
            continue
        later = max((t for t in (after, window.after) if t), default=None)
        earlier = min((t for t in (before, window.before) if t), default=None)
        if not (later and earlier and later >= earlier):
            after, before = later, earlier
        elif window.after is None and window.before != dt.time(0):
            after, before = None, window.before  # 明早六点前
    return after, before


def _words(bag: Bag, domain: Domain) -> dict[str, Any]:
    filled: dict[str, Any] = {}
    excluded: dict[str, tuple[str, ...]] = {}
    slots = [Word(*mention.slot) for mention in bag.mentions if mention.slot]
    denied = [Word(*mention.slot, denied=True) for mention in bag.denied if mention.slot]
    for word in [*bag.words, *slots, *denied]:
        if word.denied and word.slot == "direct":
            filled["direct"] = word.value == "no"  # 不要转机 is direct
        elif word.denied:
            if word.slot in domain.slots and "exclude" in domain.slots:
                excluded[word.slot] = (*excluded.get(word.slot, ()), word.value)
        elif word.slot == "cabin" and domain.name == "train" and word.value in _CABIN_ON_TRAIN:
            filled.setdefault("seat_class", _CABIN_ON_TRAIN[word.value])
        else:
            filled.setdefault(word.slot, word.value == "yes" if word.slot == "direct" else word.value)
    for slot in _left_open([*bag.words, *slots]):
        filled.pop(slot, None)
    if excluded:
        filled["exclude"] = excluded
    return filled


def _left_open(words: Sequence[Word]) -> list[str]:
    """高铁动车都行, 二等座或者一等座: slots of which no single value was asked for."""
    values = {slot: {word.value for word in words if word.slot == slot and not word.denied} for slot in _ONE_OF}
    return [slot for slot, found in values.items() if len(found) > 1]


def _prices(bag: Bag, domain: Domain) -> dict[str, Any]:
    filled: dict[str, Any] = {}
    for price in bag.prices:
        if price.low is not None:
            filled["price_min"] = Decimal(price.low)
        if price.high is not None:
            name = "day_price_max" if price.a_day and "day_price_max" in domain.slots else "price_max"
            filled[name] = Decimal(price.high)
    return filled


def _counts(bag: Bag) -> Filled:
    filled: dict[str, Any] = {}
    troubles: list[Trouble] = []
    for amount in bag.amounts:
        if amount.number <= 0:
            troubles.append(Trouble("bad_count", amount.slot, amount.said or str(amount.number)))
        else:
            filled[amount.slot] = amount.number
    if "quantity" not in filled and "adults" in filled:
        filled["quantity"] = filled["adults"] + filled.get("children", 0)
    return filled, troubles


def day_slots(days: Days | None, general: Sequence[Window], domain: Domain) -> Filled:
    """The date or range with its hours; a past or impossible date fills nothing and is asked about."""
    windows = [*general, *(days.windows if days else ())]
    filled = {name: value for name, value in hours(windows).items() if name in domain.slots}
    if days is None or "date" not in domain.slots:
        return filled, []
    if domain.name in ABOUT_ORDERS and days.said in LATELY:
        return filled, []
    if days.trouble is not None or days.start is None:
        gone_by = domain.name in ABOUT_ORDERS and days.trouble == "past_date"  # an order may well be of last week
        return filled, [] if gone_by else [Trouble(days.trouble or "impossible_date", "date", days.said)]
    after_midnight = any(window.night_after for window in windows)
    start = days.start + dt.timedelta(days=1) if after_midnight else days.start
    return {**filled, "date": start, "date_end": days.end}, []


def station_slots(where: Where, city_slot: str, station_slot: str, kind: str) -> Filled:
    """A city, and the station or airport that was named (虹桥 is a station for trains and an airport for flights)."""
    named = where.air if kind == "flight" else where.rail
    if where.place.kind in ("station", "airport") and named is None:
        named = where.place if kind == "flight" or where.place.kind == "station" else None
    place = named or where.place
    if place.city is None:
        return {}, [Trouble("ambiguous", city_slot, where.said)]
    filled = {city_slot: place.city}
    if named is not None and named.name != place.city:
        filled[station_slot] = named.name
    return filled, []


def place_slots(group: Sequence[Where], domain: Domain) -> Filled:
    """The city of a wish about one place, with its district."""
    slot = domain.place_slot
    if not group or slot is None:
        return {}, []
    places = [where.place for where in group]
    if slot == "destination":
        return {slot: next((p.name for p in places if p.kind in ("city", "province")), places[0].city)}, []
    city = next((place.city for place in places if place.city), None)
    district = next((place.name for place in places if place.kind == "district"), None)
    filled = {"district": district} if district and "district" in domain.slots else {}
    if city is None:
        return filled, [Trouble("ambiguous", slot, group[0].said)]
    return {slot: city, **filled}, []

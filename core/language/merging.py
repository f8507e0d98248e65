"""Lay what was said later over the slots of an earlier wish: a changed slot takes along what depended on it."""

from dataclasses import fields, replace
from typing import Any

from core.language.slots import Slots

# Slots that only make sense together: a new value for one of them replaces all.
_TOGETHER = (
    ("date", "date_end"), ("time_after", "time_before"), ("arrive_after", "arrive_before"),
    ("price_min", "price_max"), ("quantity", "adults", "children"),
)
_SERVICE = ("train_no", "flight_no", "item_id")
# A place that was open and is filled in takes nothing along.
_PLACES = ("from_city", "to_city", "city", "destination", "from_station", "to_station")
# What an earlier choice loses when a slot gets another value.
_LOST_WITH: dict[str, tuple[str, ...]] = {
    "from_city": ("from_station", *_SERVICE), "to_city": ("to_station", *_SERVICE), "city": ("district", "item_id"),
    "from_station": _SERVICE, "to_station": _SERVICE, "train_type": _SERVICE, "airline": _SERVICE,
    "time_after": _SERVICE, "time_before": _SERVICE, "arrive_after": _SERVICE, "arrive_before": _SERVICE,
    "sort": _SERVICE, "direct": _SERVICE, "price_min": _SERVICE,
    "price_max": _SERVICE, "date": ("item_id",), "seat_class": ("item_id",), "cabin": ("item_id",),
    "train_no": ("item_id", "train_type"), "flight_no": ("item_id", "airline"), "artist": ("item_id",),
    "destination": ("item_id",), "days": ("item_id",), "exclude": ("item_id",), "area": ("item_id",),
    "brand": ("item_id",), "seats": ("item_id",), "day_price_max": ("item_id",),
}


def said_in(slots: Slots) -> frozenset[str]:
    """The names of the slots that have a value."""
    return frozenset(f.name for f in fields(slots) if getattr(slots, f.name) not in (None, {}))


def merged(earlier: Slots, said: Slots, also: frozenset[str] = frozenset()) -> Slots:
    """`earlier` with what `said` says instead; the slots named in `also` are emptied unless they were said."""
    names = said_in(said)
    changed = {name for name in names if getattr(earlier, name) != getattr(said, name)} | (also - names)
    filled_in = {name for name in changed if name in _PLACES and getattr(earlier, name) is None}
    lost = {slot for name in changed - filled_in for slot in _LOST_WITH.get(name, ())} - names
    emptied = lost | also - names | {slot for group in _TOGETHER if names & set(group) for slot in group} - names
    blank: dict[str, Any] = {slot: {} if slot == "exclude" else None for slot in emptied}
    merged_slots = replace(earlier, **blank, **{name: getattr(said, name) for name in names})
    return _without_contradiction(merged_slots, said)


def _without_contradiction(slots: Slots, said: Slots) -> Slots:
    """不要高铁 ends an earlier wish for one, and 高铁 an earlier refusal."""
    for slot, values in slots.exclude.items():
        value = getattr(slots, slot, None)
        if value not in values:
            continue
        if slot in said.exclude:
            gone: dict[str, Any] = {slot: None}
            slots = replace(slots, **gone)
        else:
            slots = replace(slots, exclude={name: v for name, v in slots.exclude.items() if name != slot})
    return slots

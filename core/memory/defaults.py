"""The profile as the default filter: what a person has left open in a wish is taken from their preferences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.language.slots import Slots
from core.memory.telling import value_in_words
from core.memory.travel_words import canonical, city_named
from core.types.memory import Profile
from core.types.understanding import Task

_TRAIN, _FLIGHT = ("train_type", "seat_class"), ("airline", "cabin")
_BY_INTENT: Mapping[str, tuple[str, ...]] = {
    "query train tickets": _TRAIN,
    "order train tickets": (*_TRAIN, "seat_pref"),
    "query flight tickets": _FLIGHT,
    "order flight tickets": (*_FLIGHT, "seat_pref"),
}
_BERTHS = ("下铺", "中铺", "上铺")
_SLOW_ONLY = ("硬座", "软座", "硬卧", "软卧")
_FAST_ONLY = ("二等座", "一等座", "商务座")
_FAST_TRAINS = ("G", "D")


@dataclass(frozen=True, slots=True)
class _Applied:
    task: Task
    names: tuple[str, ...]


def with_profile(tasks: Sequence[Task], profile: Profile) -> tuple[tuple[Task, ...], str]:
    """The tasks with their open slots filled, and a sentence that says with what; empty where nothing was.

    What was said is never overridden, what was excluded never put back, and what cannot go together (硬卧 on a G train)
    is left open. Values of the profile that are no value of the slot are not used as a filter.
    """
    if not profile:
        return tuple(tasks), ""
    applied = [_apply(task, profile) for task in tasks]
    names = list(dict.fromkeys(name for one in applied for name in one.names))
    note = f"已按您的偏好筛选：{'、'.join(names)}" if names else ""
    return tuple(one.task for one in applied), note


def _apply(task: Task, profile: Profile) -> _Applied:
    names: list[str] = []
    slots = task.slots
    if slots.item_id or slots.order_id or task.intent not in _BY_INTENT:
        return _Applied(task, ())
    if home := _home_for(slots, profile):
        slots = replace(slots, from_city=home)
        names.append(f"从{home}出发")
    for slot in _BY_INTENT[task.intent]:
        value = canonical(slot, profile.get(slot))
        if value is not None and _fits(slot, value, slots, task.intent):
            change: dict[str, Any] = {slot: value}
            slots = replace(slots, **change)
            names.append(value_in_words(slot, value))
    return _Applied(replace(task, slots=slots) if names else task, tuple(names))


def _home_for(slots: Slots, profile: Profile) -> str | None:
    said = profile.get("home_city")
    home = city_named(said) if isinstance(said, str) else None
    is_open = not (slots.from_city or slots.from_station) and (slots.to_city or slots.to_station)
    if home is None or not is_open or home == slots.to_city or home in slots.exclude.get("from_city", ()):
        return None
    return home


def _fits(slot: str, value: str, slots: Slots, intent: str) -> bool:
    if getattr(slots, slot) or value in slots.exclude.get(slot, ()):
        return False
    if slot == "train_type":
        return not slots.train_no and (slots.seat_class is None or _rides(value, slots.seat_class))
    if slot == "seat_class":
        kind = slots.train_type or (slots.train_no or "")[:1]
        return not kind or _rides(kind, value)
    if slot == "airline":
        return not slots.flight_no
    if slot == "seat_pref":
        return value not in _BERTHS or ("train" in intent and (slots.seat_class or "") in ("硬卧", "软卧"))
    return True


def _rides(train_type: str, seat_class: str) -> bool:
    """Whether trains of this type have such seats; 动卧 are the exception that must be asked for."""
    fast = train_type in _FAST_TRAINS
    return not (fast and seat_class in _SLOW_ONLY) and not (not fast and seat_class in _FAST_ONLY)

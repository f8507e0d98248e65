"""The self-contained Chinese query of a frame: absolute dates, every slot in words."""

import datetime as dt
from typing import Any

from core.language.slots import Slots

_SORTS = {
    "price": "价格最低", "-price": "价格最高", "depart": "最早出发", "-depart": "最晚出发", "duration": "用时最短",
}
_DAY_BY = {
    "price": "看哪天最便宜", "duration": "看哪天最快", "dry": "只看不下雨的那几天", "rain": "看哪天下雨",
    "found": "看哪天有",
}
_UNITS = {"train": "张", "flight": "张", "concert": "张", "car": "辆"}
_NOUNS = {"G": "高铁票", "D": "动车票", "Z": "直达特快票", "T": "特快票", "K": "快速列车票"}
_EXCLUDED = {"train_type": {"G": "高铁", "D": "动车", "Z": "直达特快", "T": "特快", "K": "快速列车"}}


def rewritten(draft: Any, slots: Slots) -> str:
    """For example 查询2026-08-17北京到上海的机票，12:00至18:00，经济舱，2张."""
    domain = draft.domain
    if domain.name in ("orders", "cancel", "change"):
        return _about_orders(domain.noun, slots)
    verb = "预订" if draft.orders and domain.order != domain.query else "查询"
    noun = _NOUNS.get(slots.train_type or "", domain.noun) if domain.name == "train" else domain.noun
    where = _route(slots) or "".join(filter(None, (slots.destination or slots.city, slots.district)))
    head = "的".join(part for part in (f"{_day(slots)}{where}", f"{slots.artist or ''}{noun}") if part)
    counts = _counts(slots, _UNITS.get(domain.name, "份"))
    details = [*_hours(slots), *_classes(slots), *counts, *_bounds(slots), *draft.notes]
    return "，".join([verb + head, *details])


def _about_orders(noun: str, slots: Slots) -> str:
    which = slots.order_id or slots.train_no or slots.flight_no or _route(slots)
    verb = "查询" if noun == "订单" else ""
    return f"{verb}{noun}" + (f"（{which}）" if which else "") + (f"，{_day(slots)}" if slots.date else "")


def _day(slots: Slots) -> str:
    if slots.date is None:
        return ""
    until = f"至{slots.date_end.isoformat()}" if slots.date_end else ""
    return slots.date.isoformat() + until


def _route(slots: Slots) -> str:
    start = slots.from_station or slots.from_city
    end = slots.to_station or slots.to_city
    if start and end:
        return f"{start}到{end}"
    if slots.destination and start:
        return f"{start}出发去{slots.destination}"
    return f"从{start}出发" if start else f"去{end}" if end else ""


def _hours(slots: Slots) -> list[str]:
    arrives = [f"{hours}到达" for hours in _window(slots.arrive_after, slots.arrive_before)]
    return [*_window(slots.time_after, slots.time_before), *arrives]


def _window(after: dt.time | None, before: dt.time | None) -> list[str]:
    if after and before:
        return [f"{_clock(after)}至{_clock(before)}"]
    if after:
        return [f"{_clock(after)}以后"]
    return [f"{_clock(before)}以前"] if before else []


def _clock(time: dt.time) -> str:
    return time.strftime("%H:%M")


def _classes(slots: Slots) -> list[str]:
    words = [slots.train_no, slots.flight_no, slots.airline, slots.seat_class, slots.cabin, slots.seat_pref,
             slots.area, slots.brand, f"{slots.seats}座" if slots.seats else None]
    if slots.direct is not None:
        words.append("直达" if slots.direct else "中转")
    for slot, values in slots.exclude.items():
        names = _EXCLUDED.get(slot, {})
        words.append("不要" + "、".join(names.get(value, value) for value in values))
    return [word for word in words if word]


def _counts(slots: Slots, unit: str) -> list[str]:
    found = [f"{slots.days}天"] if slots.days else []
    if slots.adults or slots.children:
        people = [f"{slots.adults}位成人"] if slots.adults else []
        found.append("".join([*people, f"{slots.children}位儿童" if slots.children else ""]))
    elif slots.quantity:
        found.append(f"{slots.quantity}{unit}")
    return found


def _bounds(slots: Slots) -> list[str]:
    found = [f"{slots.price_min:f}元以上"] if slots.price_min is not None else []
    if slots.price_max is not None:
        found.append(f"{slots.price_max:f}元以内")
    if slots.day_price_max is not None:
        found.append(f"每天{slots.day_price_max:f}元以内")
    if slots.sort:
        found.append(_SORTS.get(slots.sort, slots.sort))
    if slots.day_by in _DAY_BY:
        found.append(_DAY_BY[slots.day_by])
    return found

"""Slots as a model writes them, brought into the wire's spelling; what cannot be read is refused, never guessed."""

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from functools import cache

from core.language.gazetteer import airports, places, stations
from core.language.slots import Slots, slots_from_json
from core.language.tables import rows
from core.reasoning.model_names import our_slot, our_value
from core.reasoning.model_stage import Unfit
from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_values import is_null_word, read_count, read_date_form, read_flag

_NEVER_FROM_A_MODEL = frozenset({"item_id", "condition", "action"})
"""Rows are chosen and conditions set by the grammar and by `when`, not by a slot that a model fills."""

_KNOWN = frozenset(f.name for f in fields(Slots)) - _NEVER_FROM_A_MODEL
_CITIES = frozenset({"from_city", "to_city", "city", "destination"})
_CLOSED = ("seat_class", "cabin", "seat_pref")
_SORTS = frozenset({"price", "-price", "depart", "-depart", "duration"})
_TYPES = frozenset("GDZTK")
_NO_WISH = ("不限", "不限制", "无限制", "任意", "无要求", "没要求", "没有要求", "都行", "都可以", "随便", "any", "Any")
"""Said of a slot, these leave it open."""
_LONGEST = 60
_MOST = 999
_PLACE_HOLDER = re.compile(r"<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|【[^】]*】")
_PRICE = re.compile(r"[¥￥]?\s*(\d{1,7}(?:\.\d{1,2})?)\s*(?:元|块|RMB|CNY)?", re.IGNORECASE)
_TIME = re.compile(r"(\d{1,2})(?:[:：](\d{2})(?:[:：]\d{2})?|点|时)")


def slots_of(raw: Mapping[str, JsonValue]) -> Slots:
    """The slots that were filled. Raises Unfit for a value that has no reading; unknown names are left out."""
    read: JsonObject = {}
    for said, held in raw.items():
        name, value = our_slot(said), _bare(held)
        if name not in _KNOWN or is_null_word(value) or value in ([], {}) or value in _NO_WISH:
            continue
        reader = _READERS.get(name, _text)
        read[name] = reader(name, value)
    return slots_from_json({name: value for name, value in read.items() if value is not None})


def _bare(value: JsonValue) -> JsonValue:
    """{"value": "上海"} is 上海; a place holder copied from a form, <出发城市>, is nothing."""
    if isinstance(value, dict) and set(value) == {"value"}:
        value = value["value"]
    return None if isinstance(value, str) and _PLACE_HOLDER.fullmatch(value.strip()) else value


def city_of(said: str) -> str:
    """The city that a place name means; a name that no table knows stays as it is."""
    place = places().get(said) or stations().get(said.removesuffix("站")) or airports().get(said)
    return (place.city or said) if place is not None else said


def is_city(name: str) -> bool:
    """Whether the tables know it."""
    place = places().get(name)
    return place is not None and place.kind == "city"


def _text(name: str, value: JsonValue) -> JsonValue:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise Unfit(f"槽位 {name} 应当是文字。")
    text = "".join(character for character in str(value) if character.isprintable()).strip()
    if len(text) > _LONGEST:
        raise Unfit(f"槽位 {name} 太长了。")
    if name in _CITIES:
        return city_of(text)
    return our_value(name, text) or None


def _chosen(name: str, value: JsonValue) -> JsonValue:
    """One of a closed list; anything else is left out, which asks for more, not for less."""
    text = _text(name, value)
    return text if text in (_SORTS if name == "sort" else _TYPES) else None


def _kind(name: str, value: JsonValue) -> JsonValue:
    """A class or a seat by the grammar's word for it; 舒适 is none, and would find nothing."""
    return _kinds().get((name, str(_text(name, value) or "")))


@cache
def _kinds() -> dict[tuple[str, str], str]:
    """Slot and word → the slot's value."""
    table = [row for row in rows("words_travel.tsv") if row[0] in _CLOSED]
    return {(slot, word): value for slot, value, _domain, words in table for word in (value, *words.split())}


def _date(name: str, value: JsonValue) -> JsonValue:
    day = read_date_form(value)
    if day is None:
        raise Unfit(f"槽位 {name} 的日期“{str(value)[:30]}”读不出来，请写成 YYYY-MM-DD；用户没有说就不要写。")
    return day.isoformat()


def _time(name: str, value: JsonValue) -> JsonValue:
    found = _TIME.fullmatch(str(value).strip())
    hour, minute = (int(found[1]), int(found[2] or 0)) if found else (99, 0)
    if hour > 24 or minute > 59:
        raise Unfit(f"槽位 {name} 的时刻读不出来，请写成 HH:MM。")
    return dt.time(min(hour, 23), minute if hour < 24 else 59).isoformat("minutes")


def _count(name: str, value: JsonValue) -> JsonValue:
    number = read_count(value)
    if name == "children" and number == 0:
        return None
    if number is None or not 1 <= number <= _MOST:
        raise Unfit(f"槽位 {name} 应当是大于零的整数；用户没有说就不要写。")
    return number


def _price(name: str, value: JsonValue) -> JsonValue:
    found = _PRICE.fullmatch(str(value).strip())
    try:
        return str(Decimal(found[1] if found else ""))
    except InvalidOperation as error:
        raise Unfit(f"槽位 {name} 应当是以元计的数字。") from error


def _flag(name: str, value: JsonValue) -> JsonValue:
    return read_flag(value)


def _exclude(name: str, value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return None
    return {
        our_slot(slot): [our_value(our_slot(slot), item) for item in items if isinstance(item, str)]
        for slot, items in value.items()
        if isinstance(items, list) and our_slot(slot) in _KNOWN
    } or None


_READERS: dict[str, Callable[[str, JsonValue], JsonValue]] = {
    "date": _date, "date_end": _date, "time_after": _time, "time_before": _time,
    "arrive_after": _time, "arrive_before": _time, "direct": _flag, "exclude": _exclude,
    "quantity": _count, "adults": _count, "children": _count, "days": _count, "seats": _count,
    "price_min": _price, "price_max": _price, "day_price_max": _price,
    "sort": _chosen, "train_type": _chosen, "seat_class": _kind, "cabin": _kind, "seat_pref": _kind,
}

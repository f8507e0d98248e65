"""One value of a model's: brought into the wire's spelling, held to the tool's schema, believed only if it was said."""

import datetime as dt
import re

import jsonschema  # type: ignore[import-untyped]  # the stubs would be one more package for one call
from referencing import Registry
from referencing.exceptions import Unresolvable

from core.language.gazetteer import airports, places, stations
from core.ports.asking import Unfit
from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_values import read_count, read_date_form, read_flag

_FURTHEST_DAYS = 366
"""Nothing is sold so far ahead; a model that names such a day has lost its calendar."""

_CITIES = frozenset({"from_city", "to_city", "city", "destination"})
_LITERAL = frozenset({"order_id", "train_no", "flight_no"})
"""Parameters whose value must stand in the person's words as it is."""

_COUNTING = re.compile(
    r"[0-9零〇一二三四五六七八九十百千两俩仨几天日月周号年节假期初旬末晚早午夜今明昨后礼拜星个位家口对双钱元块贵宜]"
)
_CLOCK = re.compile(r"(\d{1,2})(?:[:：](\d{2})(?:[:：]\d{2})?|[点时])")
_PRICE = re.compile(r"[¥￥]?\s*(\d{1,7}(?:\.\d{1,2})?)\s*(?:元|块|RMB|CNY)?", re.IGNORECASE)
_LONGEST = 60
_SHORTEST_NAME = 2
"""Characters of unread words that may be a name; less is a particle or a verb that the tables do not know."""


def value_for(name: str, said: JsonValue, schema: JsonObject, today: dt.date) -> JsonValue:
    """The value as the tool takes it. Raises Unfit, in words for the model, where it has no such reading."""
    properties = schema.get("properties")
    own = properties.get(name) if isinstance(properties, dict) else None
    own = own if isinstance(own, dict) else {}
    forms = _forms(own)
    value = _read(name, said, forms, today)
    if not _fits(value, {**own, "$defs": schema.get("$defs", {})}):
        raise Unfit(f"参数 {name} 的值“{str(said)[:40]}”不合要求。")
    return value


def _fits(value: JsonValue, schema: JsonObject) -> bool:
    """Whether the schema allows the value. One that is no schema leaves it to the tool; nothing is ever fetched."""
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
        return bool(jsonschema.Draft202012Validator(schema, registry=Registry()).is_valid(value))
    except (jsonschema.SchemaError, Unresolvable):
        return True


def said_by(text: str, unread: tuple[str, ...], name: str, value: JsonValue) -> bool:
    """Whether the person may have said this: literally, or in words that the grammar could not read."""
    if str(value).upper() in text.upper() and isinstance(value, str):
        return True
    if name in _LITERAL:
        return False
    if not isinstance(value, str) or any(character.isdigit() for character in value):
        return any(_COUNTING.search(words) for words in unread)
    return any(len(words) >= _SHORTEST_NAME for words in unread)


def _forms(own: JsonObject) -> frozenset[str]:
    """The types and formats that a parameter may have."""
    choices = own.get("anyOf")
    forms = [own, *(choices if isinstance(choices, list) else [])]
    return frozenset(
        str(form[key]) for form in forms if isinstance(form, dict) for key in ("type", "format") if key in form
    )


def _read(name: str, said: JsonValue, forms: frozenset[str], today: dt.date) -> JsonValue:
    if "date" in forms or name in ("date", "date_end"):
        return _date(name, said, today)
    if "time" in forms or name in ("time_after", "time_before", "arrive_after", "arrive_before"):
        return _time(name, said)
    if "boolean" in forms:
        return read_flag(said)
    if "integer" in forms:
        return _count(name, said)
    if "number" in forms and (price := _PRICE.fullmatch(str(said).strip())):
        return price[1]
    if isinstance(said, (dict, list)) or len(str(said)) > _LONGEST:
        raise Unfit(f"参数 {name} 应当是一个简短的值。")
    if "string" not in forms and isinstance(said, (int, float)):
        return said
    text = "".join(character for character in str(said) if character.isprintable()).strip()
    return city_of(text) if name in _CITIES else text


def _date(name: str, said: JsonValue, today: dt.date) -> JsonValue:
    day = read_date_form(said)
    if day is None:
        raise Unfit(f"参数 {name} 的日期“{str(said)[:30]}”读不出来，请写成 YYYY-MM-DD；没有说到就不要写。")
    if not today <= day <= today + dt.timedelta(days=_FURTHEST_DAYS):
        raise Unfit(f"参数 {name} 的日期 {day.isoformat()} 已经过去或太远，今天是 {today.isoformat()}。")
    return day.isoformat()


def _time(name: str, said: JsonValue) -> JsonValue:
    found = _CLOCK.fullmatch(str(said).strip())
    hour, minute = (int(found[1]), int(found[2] or 0)) if found else (99, 0)
    if hour > 23 or minute > 59:
        raise Unfit(f"参数 {name} 的时刻读不出来，请写成 HH:MM。")
    return dt.time(hour, minute).isoformat("minutes")


def _count(name: str, said: JsonValue) -> JsonValue:
    number = read_count(said)
    if number is None:
        raise Unfit(f"参数 {name} 应当是整数；没有说到就不要写。")
    return number


def city_of(said: str) -> str:
    """The city that a place name means; a name that no table knows stays as it is."""
    place = places().get(said) or stations().get(said.removesuffix("站")) or airports().get(said)
    return (place.city or said) if place is not None else said

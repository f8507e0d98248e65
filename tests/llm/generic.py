"""The handed cases' own small world, to judge outputs as a whole: its names, its values, its graph of steps."""

from datetime import date

from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_json import Unreadable, read_json, unwrap_json_strings
from core.shared.tolerant_values import is_null_word, read_count, read_date_form, read_numbers, read_words

TODAY = date(2026, 8, 16)
INTENTS = frozenset(("train", "flight", "concert", "weather", "attraction", "order", "out_of_scope"))
AGENTS = INTENTS | {"WeatherQueryAssistant"}


class Refused(Exception):
    """Clean JSON that must not be carried out."""


def understanding(text: str, finish: str) -> JsonObject:
    """What an intent stage makes of an output. Raises Unreadable when the model must be asked again."""
    value = unwrap_json_strings(_object(read_json(text, finish)), ("slots", "intents"))
    intents = read_words(value.get("intents"))
    slots = value.get("slots")
    if not intents or not isinstance(slots, dict) or not set(intents) <= INTENTS:
        raise Unreadable("意图不在列表里")
    if len(intents) > 1:
        intents = tuple(intent for intent in intents if intent != "out_of_scope")
    kept = {key: _slot(key, item) for key, item in slots.items() if not is_null_word(item)}
    return {**value, "intents": list(intents), "slots": kept}


def _object(value: JsonValue) -> JsonObject:
    if not isinstance(value, dict):
        raise Unreadable("不是对象")
    return value


def _slot(key: str, item: JsonValue) -> JsonValue:
    if key == "date":
        day = read_date_form(item)
        if day is None or day < TODAY:
            raise Unreadable("日期无效或早已过去")
        return day.isoformat()
    if key == "quantity":
        count = read_count(item)
        if not count:
            raise Unreadable("数量不明")
        return count
    return item


def plan(text: str, finish: str) -> JsonObject:
    """What a plan stage makes of an output. Raises Unreadable, or Refused for an order that nothing precedes."""
    read = read_json(text, finish)
    value = unwrap_json_strings({"steps": read} if isinstance(read, list) else _object(read), ("steps",))
    steps = value.get("steps")
    if not isinstance(steps, list) or not steps:
        raise Unreadable("计划是空的")
    checked = [_step(_object(step)) for step in steps]
    done: set[int] = set()
    for step in checked:
        if not set(read_numbers(step["depends_on"]) or ()) <= done:
            raise Unreadable("依赖的步骤不存在、是它自己，或在它之后")
        done.add(read_count(step["id"]) or 0)
    if checked[0]["agent"] == "order":
        raise Refused("先查询，再下单")
    return {**value, "steps": list(checked)}


def _step(step: JsonObject) -> JsonObject:
    depends_on = read_numbers(step.get("depends_on"))
    if depends_on is None or step.get("agent") not in AGENTS:
        raise Unreadable("步骤写错了")
    return {**step, "depends_on": list(depends_on)}

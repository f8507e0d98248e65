"""Other shapes of one answer, brought into the asked one where nothing is lost: wrapped, keyed by id, a single one."""

from collections.abc import Collection

from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_json import unwrap_json_strings

_WRAPPERS = (
    "result", "results", "data", "output", "answer", "response", "json", "content", "arguments", "parameters", "args",
    "input", "结果", "回答", "输出", "答案", "数据",
)  # fmt: skip
"""What models put around an answer, a tool call's name beside it or not."""
_DEPTH = 2


def unwrapped(value: JsonValue, wanted: Collection[str]) -> JsonValue:
    """What stands inside a wrapper; the value as it is where it has a wanted key, or where something would be lost."""
    for _ in range(_DEPTH):
        if not isinstance(value, dict) or any(key in value for key in wanted):
            break
        opened = unwrap_json_strings(value, _WRAPPERS)
        inside = [item for key, item in opened.items() if key in _WRAPPERS and isinstance(item, (dict, list))]
        beside = [item for key, item in opened.items() if key not in _WRAPPERS and isinstance(item, (dict, list))]
        if len(inside) != 1 or beside:
            break
        value = inside[0]
    return value


def listed(value: JsonValue, name: str) -> JsonValue:
    """{"t1": {…}, "t2": {…}} as a list whose objects have their key under `name`; anything else as it is."""
    if not isinstance(value, dict) or not value or not all(isinstance(item, dict) for item in value.values()):
        return value
    return [{name: key, **item} for key, item in value.items() if isinstance(item, dict)]


def named_values(value: JsonValue) -> JsonValue:
    """[{"name": "city", "value": "上海"}] as an object; anything else as it is."""
    if not isinstance(value, list) or not value:
        return value
    found: JsonObject = {}
    for item in value:
        key = item.get("name", item.get("slot", item.get("key"))) if isinstance(item, dict) else None
        if not isinstance(item, dict) or not isinstance(key, str) or "value" not in item or key in found:
            return value
        found[key] = item["value"]
    return found

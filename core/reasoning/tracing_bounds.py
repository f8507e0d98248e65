"""Excerpts for traces: whatever an agent or a model sends, what is kept of it stays small and can be stored."""

from core.shared.json_types import JsonObject, JsonValue
from core.types.agent_protocol import ResultData

MOST_ROWS = 5
MOST_CHARACTERS = 600
MOST_OF_A_PROMPT = 2_000
"""Characters of one message of a prompt."""

MOST_ROUNDS = 10
"""Inner rounds kept of one call; ours make at most five."""

_MOST_KEYS, _MOST_ITEMS, _DEPTH = 40, 20, 5


def cut(text: str, most: int = MOST_CHARACTERS) -> str:
    """The beginning of a text. Halves of characters, which JSON can spell and no database can hold, become `?`."""
    short = text if len(text) <= most else f"{text[: most - 1]}…"
    return short if short.isascii() else short.encode("utf-8", "replace").decode("utf-8")


def excerpt(data: ResultData | None) -> JsonObject | None:
    """The first rows, and how many there were."""
    if data is None:
        return None
    rows = [bounded(row) for row in data.rows[:MOST_ROWS]]
    return {
        "kind": cut(data.kind), "rows": rows, "rows_total": len(data.rows), "more": data.more,
        "origin": None if data.origin is None else cut(data.origin),
    }  # fmt: skip


def bounded(value: JsonValue, depth: int = _DEPTH) -> JsonValue:
    """The value with long texts, lists and objects cut; what lies deeper than `depth` is left out."""
    if isinstance(value, str):
        return cut(value)
    if isinstance(value, (list, dict)) and depth <= 0:
        return "…"
    if isinstance(value, list):
        return [bounded(item, depth - 1) for item in value[:_MOST_ITEMS]]
    if isinstance(value, dict):
        return bounded_object(value, depth)
    return value if not isinstance(value, int) or abs(value) < 2**63 else cut(str(value)[:_MOST_KEYS])


def bounded_object(value: JsonObject, depth: int = _DEPTH) -> JsonObject:
    """The same for an object."""
    return {cut(key): bounded(item, depth - 1) for key, item in list(value.items())[:_MOST_KEYS]}

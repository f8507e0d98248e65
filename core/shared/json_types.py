"""What JSON can hold, as types: rows and parameters cross the wire in these."""

from collections.abc import Mapping

from typing_extensions import TypeAliasType

# A named alias, because Pydantic resolves a recursive type by its name, wherever it is used.
JsonValue = TypeAliasType("JsonValue", "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None")
JsonObject = dict[str, JsonValue]
Row = Mapping[str, JsonValue]


def whole_numbers(value: JsonValue) -> JsonValue:
    """Protobuf's JSON values know floating-point numbers only: 12.0 becomes 12 again."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [whole_numbers(item) for item in value]
    if isinstance(value, dict):
        return {key: whole_numbers(item) for key, item in value.items()}
    return value

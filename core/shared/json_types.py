"""What JSON can hold, as types: rows and parameters cross the wire in these."""

from collections.abc import Mapping

from typing_extensions import TypeAliasType

# A named alias, because Pydantic resolves a recursive type by its name, wherever it is used.
JsonValue = TypeAliasType(
    "JsonValue", "str | int | float | bool | None | list[JsonValue] | dict[str, JsonValue]"
)
JsonObject = dict[str, JsonValue]
Row = Mapping[str, JsonValue]

"""What JSON can hold, as types: rows and parameters cross the wire in these."""

from collections.abc import Mapping

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]
Row = Mapping[str, JsonValue]

"""Rows as a model is shown them: what all have in common once, and nothing twice. Every token of them is paid for."""

import re
from collections.abc import Sequence

from core.shared.json_types import JsonObject, JsonValue

_OF_NO_USE = frozenset({"item_id", "updated_at", "created_at", "origin"})
_IN_THE_TITLE = frozenset(
    {
        "train_no", "flight_no", "from_station", "to_station", "from_airport", "to_airport", "seat_class", "cabin",
        "artist", "venue", "area", "name", "model", "brand", "insurer",
    }
)  # fmt: skip
"""Fields that a row's title usually holds already."""
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?(?:[+-]\d{2}:\d{2}|Z)?")


def digest_of(rows: Sequence[JsonObject], *, more: int = 0) -> JsonObject:
    """{共同, 条目, 未列出}: fields that are the same in all rows, the rows without them, how many are not listed."""
    plain = [_plain(row) for row in rows]
    first = plain[0] if len(plain) > 1 else {}
    common = {key: value for key, value in first.items() if all(row.get(key) == value for row in plain[1:])}
    entries: list[JsonValue] = [{k: v for k, v in row.items() if k not in common} for row in plain]
    digest: JsonObject = {"条目": entries, "未列出": more}
    return {"共同": common, **digest} if common else digest


def _plain(row: JsonObject) -> JsonObject:
    title = str(row.get("title") or "")
    return {
        key: _short(value)
        for key, value in row.items()
        if key not in _OF_NO_USE and value not in (None, "", []) and not (key in _IN_THE_TITLE and str(value) in title)
    }


def _short(value: JsonValue) -> JsonValue:
    """2026-08-18 07:22 for a moment to the second, 73 for 73.00."""
    if not isinstance(value, str):
        return value
    if moment := _MOMENT.fullmatch(value):
        return f"{moment[1]} {moment[2]}"
    return value.removesuffix(".00") if re.fullmatch(r"\d+\.00", value) else value

"""Traces pass the mask as everything does that is kept, down to the cells of their rows."""

import re
from dataclasses import fields, is_dataclass, replace
from datetime import datetime
from typing import Any

from core.memory.masking import mask
from core.shared.json_types import JsonObject
from core.types.trace import Trace

_FEWEST_DIGITS = 7
"""Less than these name nobody."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d)?)?", re.ASCII)

_NAMES_OF_THINGS = frozenset(
    {"item_id", "order_id", "offer_id", "train_no", "flight_no", "trace_id", "session_id", "started_at"}
)
"""Values under these names are numbers of things, never a person's."""


def masked_trace(trace: Trace) -> Trace:
    masked: Trace = _Masking().masked(trace)
    return masked


def masked_json(value: JsonObject) -> JsonObject:
    """What an agent keeps passes the same mask."""
    masked: JsonObject = _Masking().masked(value)
    return masked


class _Masking:
    """Masks one trace. The same text stands in it several times, in a call and in its step, and is read once."""

    def __init__(self) -> None:
        self._read: dict[str, str] = {}

    def masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, (list, tuple)):
            return type(value)([self.masked(item) for item in value])
        if isinstance(value, dict):
            return {self._text(key): self._named(key, item) for key, item in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{f.name: self._named(f.name, getattr(value, f.name)) for f in fields(value)})
        return self._number(value)

    def _named(self, name: str, value: Any) -> Any:
        return value if name in _NAMES_OF_THINGS and isinstance(value, (str, datetime)) else self.masked(value)

    def _text(self, text: str) -> str:
        if len(text) < _FEWEST_DIGITS:
            return text
        if (known := self._read.get(text)) is None:
            known = self._read[text] = text if _MOMENT.fullmatch(text) else mask(text)
        return known

    def _number(self, value: Any) -> Any:
        """A phone number may come as a JSON number; times and counts are none."""
        if isinstance(value, (int, float)) and abs(value) >= 10 ** (_FEWEST_DIGITS - 1):
            plain = str(int(value)) if isinstance(value, int) or value.is_integer() else str(value)
            masked = self._text(plain)
            return value if masked == plain else masked
        return value

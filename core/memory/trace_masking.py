"""Traces pass the mask as everything does that is kept, down to the cells of their rows."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from core.memory.masking import mask
from core.types.trace import Trace

_FEWEST_CHARACTERS = 7
"""No shorter text holds a number that names a person."""

_NAMES_OF_THINGS = frozenset(
    {"item_id", "order_id", "offer_id", "train_no", "flight_no", "trace_id", "session_id", "started_at"}
)
"""Values under these names are numbers of things, never a person's."""


def masked_trace(trace: Trace) -> Trace:
    masked: Trace = _masked(trace)
    return masked


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return mask(value) if len(value) >= _FEWEST_CHARACTERS else value
    if isinstance(value, (list, tuple)):
        return type(value)(_masked(item) for item in value)
    if isinstance(value, dict):
        return {_masked(key): item if key in _NAMES_OF_THINGS else _masked(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _field(f.name, getattr(value, f.name)) for f in fields(value)})
    return _masked_number(value)


def _field(name: str, value: Any) -> Any:
    return value if name in _NAMES_OF_THINGS else _masked(value)


def _masked_number(value: Any) -> Any:
    """A phone number may come as a JSON number; times and counts are none."""
    if isinstance(value, int) and abs(value) >= 10**_FEWEST_CHARACTERS:
        masked = mask(str(value))
        return value if masked == str(value) else masked
    return value

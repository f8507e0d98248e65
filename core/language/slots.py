"""The slots of a travel wish: one frozen record with the names that clients see."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import Any

from core.shared.json_types import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Slots:
    """What one wish says. None means it was not said; nothing is ever filled in that nobody said."""

    from_city: str | None = None
    to_city: str | None = None
    city: str | None = None
    district: str | None = None
    from_station: str | None = None
    to_station: str | None = None
    date: dt.date | None = None
    date_end: dt.date | None = None
    time_after: dt.time | None = None
    time_before: dt.time | None = None
    arrive_after: dt.time | None = None
    arrive_before: dt.time | None = None
    train_no: str | None = None
    train_type: str | None = None
    seat_class: str | None = None
    seat_pref: str | None = None
    flight_no: str | None = None
    airline: str | None = None
    cabin: str | None = None
    direct: bool | None = None
    artist: str | None = None
    area: str | None = None
    brand: str | None = None
    seats: int | None = None
    destination: str | None = None
    days: int | None = None
    quantity: int | None = None
    adults: int | None = None
    children: int | None = None
    price_min: Decimal | None = None
    price_max: Decimal | None = None
    day_price_max: Decimal | None = None
    sort: str | None = None
    day_by: str | None = None
    """Which of the days from `date` to `date_end`: the one first by price or duration; those dry, rain, found."""
    item_id: str | None = None
    order_id: str | None = None
    condition: str | None = None
    action: str | None = None
    exclude: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def filled_from(self, other: "Slots") -> "Slots":
        """These slots, with what they leave open taken from `other`."""
        missing = {f.name: getattr(other, f.name) for f in fields(self) if not getattr(self, f.name)}
        return replace(self, **missing)

    def to_json(self) -> JsonObject:
        """Only what was said, in the wire's spelling: ISO dates, HH:MM, decimal strings."""
        return {f.name: _to_wire(value) for f in fields(self) if (value := getattr(self, f.name)) not in (None, {})}


SLOT_NAMES = frozenset(f.name for f in fields(Slots))


def slots_from_json(raw: Mapping[str, JsonValue]) -> Slots:
    """Read the wire's spelling. Unknown names are left out; ValueError names a slot that cannot be read."""
    known: dict[str, Any] = {}
    for f in fields(Slots):
        value = raw.get(f.name)
        if value is None or value == "":
            continue
        try:
            known[f.name] = _READERS.get(f.name, _text)(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise ValueError(f"slot {f.name}: {value!r} cannot be read") from error
    return Slots(**known)


def _to_wire(value: object) -> JsonValue:
    if isinstance(value, dt.time):
        return value.strftime("%H:%M")
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    if isinstance(value, Mapping):
        return {str(name): [str(v) for v in values] for name, values in value.items()}
    if isinstance(value, (str, bool, int)):
        return value
    raise TypeError(f"no wire form for {type(value).__name__}")


def _text(value: Any) -> str:
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        raise TypeError("text was expected")
    return str(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or int(value) != float(value):
        raise ValueError("a whole number was expected")
    return int(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("true or false was expected")
    return value


def _exclude(value: Any) -> dict[str, tuple[str, ...]]:
    return {str(name): tuple(str(v) for v in values) for name, values in value.items()}


_READERS: dict[str, Any] = {
    "date": dt.date.fromisoformat, "date_end": dt.date.fromisoformat,
    "time_after": dt.time.fromisoformat, "time_before": dt.time.fromisoformat,
    "arrive_after": dt.time.fromisoformat, "arrive_before": dt.time.fromisoformat,
    "days": _whole, "quantity": _whole, "adults": _whole, "children": _whole,
    "seats": _whole, "price_min": lambda v: Decimal(str(v)), "price_max": lambda v: Decimal(str(v)),
    "day_price_max": lambda v: Decimal(str(v)),
    "direct": _flag, "exclude": _exclude,
}

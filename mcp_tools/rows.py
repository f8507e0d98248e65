"""What the tools find, in the words that clients see. Money: CNY as "553.00"; moments: RFC 3339 with offset.

`origin` says of each row whether it is demo data, imported or collected: one answer may hold several kinds.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from core.shared.json_types import JsonObject

RowT = TypeVar("RowT")


@dataclass(frozen=True, slots=True)
class Found(Generic[RowT]):
    """The first rows of an answer, and how many `more` there are. `origin` is None where nothing was found.

    `until`: the last day looked at, where later ones were asked for and nothing is known of them yet.
    """

    rows: tuple[RowT, ...]
    more: int
    origin: str | None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class WeatherRow:
    """The forecast for one city and day. °C, percent, millimetres."""

    city: str
    date: str
    condition_day: str
    condition_night: str
    temp_max_c: int
    temp_min_c: int
    humidity_pct: int
    wind: str
    precip_mm: float
    updated_at: str
    origin: str


@dataclass(frozen=True, slots=True)
class TrainRow:
    """One seat class of one train on one day."""

    item_id: str
    title: str
    price: str
    remaining: int
    train_no: str
    train_type: str
    from_station: str
    to_station: str
    from_city: str
    to_city: str
    date: str
    depart_at: str
    arrive_at: str
    duration_min: int
    seat_class: str
    origin: str


@dataclass(frozen=True, slots=True)
class FlightRow:
    """One cabin of one flight on one day."""

    item_id: str
    title: str
    price: str
    remaining: int
    flight_no: str
    airline: str
    from_airport: str
    to_airport: str
    from_city: str
    to_city: str
    date: str
    depart_at: str
    arrive_at: str
    duration_min: int
    cabin: str
    origin: str


@dataclass(frozen=True, slots=True)
class TourRow:
    """One departure of one tour group; the price is for one adult."""

    item_id: str
    title: str
    price: str
    remaining: int
    name: str
    from_city: str
    destination: str
    days: int
    date: str
    origin: str


@dataclass(frozen=True, slots=True)
class ConcertRow:
    """One area of one concert."""

    item_id: str
    title: str
    price: str
    remaining: int
    artist: str
    venue: str
    city: str
    date: str
    starts_at: str
    area: str
    origin: str


@dataclass(frozen=True, slots=True)
class CarRow:
    """One car for `days` days from `date` on; the price is for the whole rental."""

    item_id: str
    title: str
    price: str
    remaining: int
    brand: str
    model: str
    seats: int
    city: str
    date: str
    days: int
    origin: str


@dataclass(frozen=True, slots=True)
class InsuranceRow:
    """One insurance product for so many days; the price is for one person."""

    item_id: str
    title: str
    price: str
    remaining: int
    name: str
    insurer: str
    coverage: str
    days: int
    origin: str


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order. `item` is the row as it was when it was bought; the price is for all of it."""

    order_id: str
    kind: str
    status: str
    item: JsonObject
    quantity: int
    total_price: str
    created_at: str

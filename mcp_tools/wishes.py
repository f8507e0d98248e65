"""What is looked for. None means that it does not matter."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

PAGE_ROWS = 20
"""Rows of one answer; what lies beyond is counted, never dropped silently."""

Sort = Literal["price", "-price", "depart", "-depart", "duration"]


@dataclass(frozen=True, kw_only=True)
class Shopping:
    """What every search for something on sale may say. Prices in CNY, both ends included."""

    price_min: Decimal | None = None
    price_max: Decimal | None = None
    sort: Sort | None = None
    limit: int = PAGE_ROWS


@dataclass(frozen=True, kw_only=True)
class TicketWish(Shopping):
    """A journey between two cities. Times of departure, both ends included; stations for flights are airports."""

    from_city: str
    to_city: str
    date: dt.date
    date_end: dt.date | None = None
    from_station: str | None = None
    to_station: str | None = None
    time_after: dt.time | None = None
    time_before: dt.time | None = None


@dataclass(frozen=True, kw_only=True)
class TrainWish(TicketWish):
    train_no: str | None = None
    train_type: str | None = None
    seat_class: str | None = None


@dataclass(frozen=True, kw_only=True)
class FlightWish(TicketWish):
    """`direct`: without a stop on the way; False does not ask for a stop."""

    flight_no: str | None = None
    airline: str | None = None
    cabin: str | None = None
    direct: bool | None = None


@dataclass(frozen=True, kw_only=True)
class TourWish(Shopping):
    """A tour group. `destination`: a city, a province, or a sight that the tour's name mentions."""

    destination: str
    days: int | None = None
    from_city: str | None = None
    date: dt.date | None = None
    date_end: dt.date | None = None


@dataclass(frozen=True, kw_only=True)
class WeatherWish:
    city: str
    date: dt.date
    date_end: dt.date | None = None

"""What is looked for. None means that it does not matter."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

PAGE_ROWS = 20
"""Rows of one answer; what lies beyond is counted, never dropped silently."""

MOST_ORDERS = 100
"""The same for lists of orders."""

Sort = Literal["price", "-price", "depart", "-depart", "duration"]


@dataclass(frozen=True, kw_only=True)
class Shopping:
    """What every search for something on sale may say. Prices in CNY, both ends included; `quantity`: only what still
    has as many; `exclude`: per slot the values that are not wanted."""

    quantity: int | None = None
    exclude: Mapping[str, Sequence[str]] = field(default_factory=dict)
    item_id: str | None = None
    price_min: Decimal | None = None
    price_max: Decimal | None = None
    sort: Sort | None = None
    limit: int = PAGE_ROWS


@dataclass(frozen=True, kw_only=True)
class TicketWish(Shopping):
    """A journey between two cities. Times of departure (`time_…`) and of arrival (`arrive_…`), both ends included;
    stations for flights are airports. A train or flight that is called by its number needs no cities."""

    date: dt.date
    from_city: str | None = None
    to_city: str | None = None
    date_end: dt.date | None = None
    from_station: str | None = None
    to_station: str | None = None
    time_after: dt.time | None = None
    time_before: dt.time | None = None
    arrive_after: dt.time | None = None
    arrive_before: dt.time | None = None


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


@dataclass(frozen=True, kw_only=True)
class ConcertWish(Shopping):
    """A concert. Without a date: any that is announced. `area`: words that the area's name holds (内场, 看台, VIP)."""

    artist: str | None = None
    city: str | None = None
    date: dt.date | None = None
    date_end: dt.date | None = None
    area: str | None = None


@dataclass(frozen=True, kw_only=True)
class CarWish(Shopping):
    """A car for whole days from `date` on. `seats`: at least as many; `date_end` counts where `days` is left out;
    `day_price_max`: CNY a day on the average of the days, where the other limits are for all of them."""

    city: str
    date: dt.date
    date_end: dt.date | None = None
    days: int | None = None
    seats: int | None = None
    brand: str | None = None
    day_price_max: Decimal | None = None


@dataclass(frozen=True, kw_only=True)
class InsuranceWish(Shopping):
    """Travel insurance for a number of days; without one, each product with its shortest plan."""

    days: int | None = None
    destination: str | None = None


@dataclass(frozen=True, kw_only=True)
class OrdersWish:
    """One's own orders. `before`: `created_at|order_id` of the last one seen; `date`: of the journey or of the order.

    `idempotency_key`: what the order was asked for under, to learn what became of a call that was never answered.
    Of the rest, each that is given must be in the ordered item; `city` may be where it is, goes or takes place.
    """

    limit: int = PAGE_ROWS
    before: str | None = None
    order_id: str | None = None
    idempotency_key: str | None = None
    kind: str | None = None
    status: str | None = None
    date: dt.date | None = None
    train_no: str | None = None
    flight_no: str | None = None
    from_city: str | None = None
    to_city: str | None = None
    city: str | None = None
    artist: str | None = None

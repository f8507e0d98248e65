"""Names for what can be sold: one per service, day and class; opaque to everybody but equal for equal things."""

import datetime as dt
import hashlib
import re

_DIGEST_BYTES = 8
_RENTAL = re.compile(r"(?P<car>c[0-9a-f]{16})(?P<first>[0-9a-f]{5})(?P<days>[0-9a-f]{2})")


def service_id(kind: str, *parts: str) -> str:
    """The identity of a service (a train between two stations, a flight, a tour), from what makes it that service."""
    return f"{kind[0]}{_digest(kind, *parts)}"


def item_id(service: str, day: dt.date, choice: str = "") -> str:
    """The identity of one sellable row. The day leads, so that a day's rows lie together in the index."""
    return f"{day.toordinal():x}{_digest(service, day.isoformat(), choice)}"


def rental_id(car_id: str, first: dt.date, days: int) -> str:
    """The identity of a car for some days. That of a single day names the day's stock as well."""
    return f"{car_id}{first.toordinal():05x}{days:02x}"


def rental_of(item: str) -> tuple[str, dt.date, int] | None:
    """What `rental_id` was made of: car, first day, days. None for what it cannot have made."""
    if not (read := _RENTAL.fullmatch(item)):
        return None
    ordinal, days = int(read["first"], 16), int(read["days"], 16)
    return (read["car"], dt.date.fromordinal(ordinal), days) if ordinal and days else None


def plan_id(product: str, days: int) -> str:
    """The identity of an insurance product for a number of days, whenever they begin."""
    return f"p{_digest(product, str(days))}"


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\x1f".join(parts).encode(), digest_size=_DIGEST_BYTES).hexdigest()

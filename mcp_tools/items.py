"""Names for what can be sold: one per service, day and class; opaque to everybody but equal for equal things."""

import datetime as dt
import hashlib

_DIGEST_BYTES = 8


def service_id(kind: str, *parts: str) -> str:
    """The identity of a service (a train between two stations, a flight, a tour), from what makes it that service."""
    return f"{kind[0]}{_digest(kind, *parts)}"


def item_id(service: str, day: dt.date, choice: str = "") -> str:
    """The identity of one sellable row. The day leads, so that a day's rows lie together in the index."""
    return f"{day.toordinal():x}{_digest(service, day.isoformat(), choice)}"


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\x1f".join(parts).encode(), digest_size=_DIGEST_BYTES).hexdigest()

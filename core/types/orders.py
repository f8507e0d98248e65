"""Offers that wait for a yes, and orders as the agents' tables have them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Literal

from core.shared.json_types import JsonObject
from core.types.agent_protocol import Quote

OFFER_MINUTES = 10
"""How long an offer may be confirmed, at the price shown."""

OfferState = Literal["open", "placing", "unknown", "placed", "failed", "withdrawn"]
"""`placing`: its order is on the way. `unknown`: it was sent, and no answer came; asking again under the same
idempotency key brings the order that was made, or makes the one that was not."""

PLACING_S = 45
"""An offer that has been `placing` for longer was left behind by a process that is gone."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One quote put before a person. `reply_id` names the reply that made it: a yes means that reply's offers.

    `agent` is the one that quoted, and so the one that places.
    """

    offer_id: str
    user_id: str
    session_id: str
    reply_id: str
    agent: str
    quote: Quote
    created_at: datetime
    expires_at: datetime
    state: OfferState = "open"
    moved_at: datetime | None = None

    @property
    def total_price(self) -> Decimal:
        """CNY, for all items together."""
        return sum((Decimal(item.unit_price) * item.quantity for item in self.quote.items), Decimal())

    def standing(self, now: datetime) -> bool:
        """Whether a yes would still count."""
        return self.state == "open" and now < self.expires_at

    def unsettled(self, now: datetime) -> bool:
        """Whether a yes was given whose outcome nobody knows."""
        left_behind = self.moved_at is not None and now >= self.moved_at + timedelta(seconds=PLACING_S)
        return self.state == "unknown" or (self.state == "placing" and left_behind)


@dataclass(frozen=True, slots=True)
class Placement:
    """What became of one confirmed offer: the orders made, or why there are none.

    `unknown`: it was sent and no answer came. `untouched`: surely nothing was sent, the offer still stands.
    """

    offer: Offer
    orders: tuple[JsonObject, ...] = ()
    refusal: str = ""
    unknown: bool = False
    untouched: bool = False

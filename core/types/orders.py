"""Offers that wait for a yes, and orders as the agents' tables have them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from core.shared.json_types import JsonObject
from core.types.agent_protocol import Quote

OFFER_MINUTES = 10
"""How long an offer may be confirmed, at the price shown."""

OfferState = Literal["open", "placing", "placed", "failed", "withdrawn"]


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

    @property
    def total_price(self) -> Decimal:
        """CNY, for all items together."""
        return sum((Decimal(item.unit_price) * item.quantity for item in self.quote.items), Decimal())

    def standing(self, now: datetime) -> bool:
        """Whether a yes would still count."""
        return self.state == "open" and now < self.expires_at


@dataclass(frozen=True, slots=True)
class Placement:
    """What became of one confirmed offer: the orders made, or why there are none."""

    offer: Offer
    orders: tuple[JsonObject, ...] = ()
    refusal: str = ""

"""Where offers are kept. Every reading and change is bound to the user: another's offer is like none."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.types.orders import Offer, OfferState


class OfferStore(Protocol):
    """Durable, shared by all replicas of the gateway."""

    async def add(self, offers: Sequence[Offer]) -> None: ...

    async def get(self, user_id: str, offer_id: str) -> Offer | None: ...

    async def latest(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        """The offers of the last reply of this session that made any, in whatever state they are."""
        ...

    async def unknown(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        """Offers of this session that are `placing` or `unknown`, of whatever reply, oldest first."""
        ...

    async def move(self, offer: Offer, to: OfferState, *, now: datetime) -> bool:
        """Change the state if it is still what `offer` says (`moved_at` included); an open one that has expired is
        not placed.

        False when somebody was faster or time has run out: of two confirmations one wins.
        """
        ...

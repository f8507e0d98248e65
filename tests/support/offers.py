"""An in-memory store of offers for tests of the rooms; it passes the same contract as the one in the database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from core.types.orders import Offer, OfferState


class InMemoryOfferStore:
    def __init__(self) -> None:
        self._offers: dict[str, Offer] = {}

    async def add(self, offers: Sequence[Offer]) -> None:
        self._offers.update({offer.offer_id: offer for offer in offers})

    async def get(self, user_id: str, offer_id: str) -> Offer | None:
        offer = self._offers.get(offer_id)
        return offer if offer and offer.user_id == user_id else None

    async def latest(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        own = [o for o in self._offers.values() if (o.user_id, o.session_id) == (user_id, session_id)]
        if not own:
            return ()
        last = max(own, key=lambda offer: (offer.created_at, offer.offer_id)).reply_id
        return tuple(sorted((o for o in own if o.reply_id == last), key=lambda offer: offer.offer_id))

    async def unknown(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        own = [o for o in self._offers.values() if (o.user_id, o.session_id) == (user_id, session_id)]
        return tuple(sorted((o for o in own if o.state in ("placing", "unknown")), key=lambda o: o.offer_id))

    async def move(self, offer: Offer, to: OfferState, *, now: datetime) -> bool:
        kept = self._offers.get(offer.offer_id)
        if kept is None or (kept.user_id, kept.state, kept.moved_at) != (offer.user_id, offer.state, offer.moved_at):
            return False
        if to == "placing" and kept.state == "open" and now >= kept.expires_at:
            return False
        self._offers[offer.offer_id] = replace(kept, state=to, moved_at=now)
        return True

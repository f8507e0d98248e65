"""The offers and their one way through life: open, on the way, and placed, failed or withdrawn."""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from core.orders import wording
from core.orders.placing import Placing
from core.ports.offers import OfferStore
from core.shared.clock import Clock
from core.shared.errors import NotFound
from core.types.agent_protocol import Quote
from core.types.orders import OFFER_MINUTES, Offer, OfferState, Placement


class OfferBook:
    """Every change of an offer happens here. Of two who confirm at once one places; nobody places twice."""

    def __init__(self, store: OfferStore, placing: Placing, clock: Clock) -> None:
        self._store = store
        self._placing = placing
        self._clock = clock

    async def get(self, user_id: str, offer_id: str) -> Offer:
        """NotFound for another's as for none."""
        offer = await self._store.get(user_id, offer_id)
        if offer is None:
            raise NotFound("没有这个报价。")
        return offer

    async def latest(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        """The offers of the last reply of this session that made any."""
        return await self._store.latest(user_id, session_id)

    def standing(self, offers: Sequence[Offer]) -> tuple[Offer, ...]:
        """Those that a yes would place."""
        return tuple(offer for offer in offers if offer.standing(self._clock.now()))

    def unsettled(self, offers: Sequence[Offer]) -> tuple[Offer, ...]:
        """Those that were agreed to and of which nobody knows what became."""
        return tuple(offer for offer in offers if offer.unsettled(self._clock.now()))

    async def make(self, user_id: str, session_id: str, quoted: Sequence[tuple[str, Quote]]) -> tuple[Offer, ...]:
        """New offers, stored before anybody sees them."""
        now = self._clock.now()
        reply_id = secrets.token_hex(12)
        until = now + timedelta(minutes=OFFER_MINUTES)
        offers = tuple(
            Offer(f"{reply_id}-{number:02}", user_id, session_id, reply_id, agent, quote, now, until)
            for number, (agent, quote) in enumerate(quoted, 1)
        )
        await self._store.add(offers)
        return offers

    async def place(self, offer: Offer, traceparent: str) -> Placement:
        """Place an open offer, or bring one whose outcome is unknown to its end, under the same idempotency keys."""
        now = self._clock.now()
        if offer.state == "open" and not offer.standing(now):
            return Placement(offer, refusal=wording.expired())
        if offer.state == "placing" and not offer.unsettled(now):
            return Placement(offer, refusal=wording.ON_THE_WAY, unknown=True)
        if not (offer.standing(now) or offer.unsettled(now)):
            return Placement(offer, refusal=wording.already([offer]))
        if offer.state != "open" and now >= offer.expires_at:
            return await self.look_up(offer, traceparent)
        if not await self._store.move(offer, "placing", now=now):
            return Placement(offer, refusal=wording.ON_THE_WAY, unknown=True)
        on_the_way = replace(offer, state="placing", moved_at=now)
        # Shielded: once begun, an order is brought to its end even if the person has left.
        return await asyncio.shield(self._carry_through(on_the_way, traceparent))

    async def look_up(self, offer: Offer, traceparent: str) -> Placement:
        """What became of an offer that was agreed to, without ordering anything: for one whose time is over, and
        before something else is offered. What was not made by then is given up once nobody can be at it any more."""
        found = await self._placing.look_up(offer, traceparent)
        now = self._clock.now()
        if found.orders:
            await self._store.move(offer, "placed", now=now)
        elif not found.unknown and offer.unsettled(now):
            await self._store.move(offer, "failed", now=now)
        elif not found.unknown:
            return replace(found, refusal=wording.ON_THE_WAY, unknown=True)
        return found

    async def unknown(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        """Offers of this session that were agreed to and whose outcome nobody has heard yet."""
        return await self._store.unknown(user_id, session_id)

    def alive(self, offers: Sequence[Offer]) -> tuple[Offer, ...]:
        """Those that a yes would place, and those that are on the way."""
        now = self._clock.now()
        return tuple(offer for offer in offers if offer.standing(now) or offer.state in ("placing", "unknown"))

    async def withdraw(self, offers: Sequence[Offer]) -> bool:
        """What is still open is no longer; anything else stays as it is. False when one was agreed to meanwhile."""
        moved = [
            await self._store.move(offer, "withdrawn", now=self._clock.now())
            for offer in offers
            if offer.state == "open"
        ]
        return all(moved)

    async def _carry_through(self, offer: Offer, traceparent: str) -> Placement:
        placement = await self._placing.place(offer, traceparent)
        await self._store.move(offer, _state_after(placement), now=self._clock.now())
        return placement


def _state_after(placement: Placement) -> OfferState:
    if placement.untouched:
        return "open"
    if placement.unknown:
        return "unknown"
    return "failed" if placement.refusal else "placed"

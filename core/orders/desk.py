"""The order desk: quotes become offers, a clear yes places them, everything else leaves them alone."""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from core.language.consent import Consent, read_consent
from core.orders import wording
from core.orders.placing import Placing
from core.orders.tasks import tasks_of
from core.ports.offers import OfferStore
from core.shared.clock import Clock
from core.shared.errors import Conflict, NotFound
from core.types.agent_protocol import Quote
from core.types.orders import OFFER_MINUTES, Offer, Placement
from core.types.plan import StepResult
from core.types.turn import Answer, ReplyStatus, Turn
from core.types.understanding import Understanding

DIRECT_SESSION = "-direct-"
"""Where offers of routes live, apart from every conversation: no message of a person confirms them."""


class OrderDesk:
    """Owns the offers. An order is placed here and nowhere else."""

    def __init__(self, store: OfferStore, placing: Placing, clock: Clock) -> None:
        self._store = store
        self._placing = placing
        self._clock = clock

    async def hear(self, turn: Turn) -> Answer | None:
        """The answer to a message that is wholly about the offers of the last reply that made any; else None."""
        consent = read_consent(turn.message.text)
        if consent.kind == "none":
            return None
        offers = await self._store.latest(turn.message.user_id, turn.message.session_id)
        if not offers:
            return None
        standing = tuple(offer for offer in offers if offer.standing(self._clock.now()))
        if standing:
            return await self._decide(turn, consent, standing)
        if consent.kind != "yes":
            return None
        text = wording.expired() if any(offer.state == "open" for offer in offers) else wording.already(offers)
        return Answer(text=text, status="answered", understanding=_understanding(offers))

    async def offer(self, turn: Turn, results: Sequence[StepResult]) -> tuple[Offer, ...]:
        """New offers, one for each quote in `results`, stored before they are shown."""
        quoted = [(found.agent, found.quote) for result in results for found in result.quotes]
        return await self._make(turn.message.user_id, turn.message.session_id, quoted)

    async def confirm(self, user_id: str, offer_id: str, traceparent: str) -> Placement:
        """Place one offer by its id. NotFound for another's; Conflict when it cannot be placed (any more)."""
        offer = await self._store.get(user_id, offer_id)
        if offer is None:
            raise NotFound("没有这个报价。")
        placement = await self._place(offer, traceparent)
        if placement.refusal:
            raise Conflict(placement.refusal)
        return placement

    async def place_at_once(self, user_id: str, agent: str, quote: Quote, traceparent: str) -> Placement:
        """For a route whose call is itself the yes: make the offer, stored like any other, and place it."""
        offers = await self._make(user_id, DIRECT_SESSION, [(agent, quote)])
        return await self.confirm(user_id, offers[0].offer_id, traceparent)

    async def withdraw(self, user_id: str, offer_id: str) -> None:
        """Withdraw one offer; one that is no longer open stays as it is (Conflict if it was placed)."""
        offer = await self._store.get(user_id, offer_id)
        if offer is None:
            raise NotFound("没有这个报价。")
        if offer.state in ("placing", "placed"):
            raise Conflict(wording.already([offer]))
        await self._store.move(offer, "withdrawn", now=self._clock.now())

    async def _decide(self, turn: Turn, consent: Consent, standing: tuple[Offer, ...]) -> Answer | None:
        understanding = _understanding(standing)
        if consent.kind == "yes":
            placements = [await self._place(offer, turn.message.traceparent) for offer in standing]
            orders = tuple(order for placement in placements for order in placement.orders)
            text = wording.told_placements(placements)
            placed = sum(not placement.refusal for placement in placements)
            status: ReplyStatus = "answered" if placed == len(placements) else "partial" if placed else "failed"
            return Answer(text=text, status=status, understanding=understanding, orders=orders)
        if consent.kind == "no":
            await self._withdraw_all(standing)
            return Answer(text=wording.withdrawn(standing), status="answered", understanding=understanding)
        if consent.kind == "later":
            text = wording.waiting(standing)
            return Answer(text=text, status="confirmation_required", understanding=understanding, offers=standing)
        return await self._change(turn, consent.quantity or 1, standing)

    async def _change(self, turn: Turn, quantity: int, standing: tuple[Offer, ...]) -> Answer | None:
        """Another quantity: new offers in place of the old. Only what can be counted differently is."""
        if any(offer.quote.action == "cancel" or len(offer.quote.items) > 1 for offer in standing):
            return None
        quoted = [(offer.agent, _with_quantity(offer.quote, quantity)) for offer in standing]
        await self._withdraw_all(standing)
        offers = await self._make(turn.message.user_id, turn.message.session_id, quoted)
        return Answer(
            text=wording.put_offers(offers),
            status="confirmation_required",
            understanding=_understanding(offers),
            offers=offers,
        )

    async def _make(
        self, user_id: str, session_id: str, quoted: Sequence[tuple[str, Quote]]
    ) -> tuple[Offer, ...]:
        now = self._clock.now()
        reply_id = secrets.token_hex(12)
        offers = tuple(
            Offer(
                offer_id=f"{reply_id}-{number:02}",
                user_id=user_id,
                session_id=session_id,
                reply_id=reply_id,
                agent=agent,
                quote=quote,
                created_at=now,
                expires_at=now + timedelta(minutes=OFFER_MINUTES),
            )
            for number, (agent, quote) in enumerate(quoted, 1)
        )
        await self._store.add(offers)
        return offers

    async def _place(self, offer: Offer, traceparent: str) -> Placement:
        now = self._clock.now()
        if offer.state == "open" and not offer.standing(now):
            return Placement(offer, refusal=wording.expired())
        if offer.state != "open" or not await self._store.move(offer, "placing", now=now):
            return Placement(offer, refusal=wording.already([replace(offer, state="placing")]))
        placing = replace(offer, state="placing")
        # Shielded: once begun, an order is brought to its end even if the person has left.
        return await asyncio.shield(self._carry_through(placing, traceparent))

    async def _carry_through(self, placing: Offer, traceparent: str) -> Placement:
        placement = await self._placing.place(placing, traceparent)
        await self._store.move(placing, "failed" if placement.refusal else "placed", now=self._clock.now())
        return placement

    async def _withdraw_all(self, offers: Sequence[Offer]) -> None:
        for offer in offers:
            await self._store.move(offer, "withdrawn", now=self._clock.now())


def _with_quantity(quote: Quote, quantity: int) -> Quote:
    items = [item.model_copy(update={"quantity": quantity}) for item in quote.items]
    return quote.model_copy(update={"items": items})


def _understanding(offers: Sequence[Offer]) -> Understanding:
    return Understanding(outcome="tasks", tasks=tasks_of(offers))

"""A yes to the offers of one reply: what is new comes first, and nothing old is given up before the new is there."""

import asyncio
from collections.abc import Sequence

from core.orders import wording
from core.orders.offer_book import OfferBook
from core.types.orders import Offer, Placement


def gives_up(offer: Offer) -> bool:
    """Whether a yes to it cancels something."""
    return offer.quote.action == "cancel"


class Agreement:
    """Carries a yes out. All offers of the reply are looked at: what failed or is on the way decides about others."""

    def __init__(self, book: OfferBook) -> None:
        self._book = book

    async def carry_out(self, offers: Sequence[Offer], traceparent: str) -> list[Placement]:
        """What became of each offer that was not settled before. Shielded as a whole: a person who leaves in the
        middle must not be left with the half of it."""
        return await asyncio.shield(asyncio.create_task(self._in_order(offers, traceparent)))

    async def _in_order(self, offers: Sequence[Offer], traceparent: str) -> list[Placement]:
        placements: list[Placement] = []
        settled = {offer.offer_id: offer.state == "placed" for offer in offers}
        waiting = False
        for offer in sorted(offers, key=gives_up):
            if offer.state in ("placed", "failed", "withdrawn"):
                continue
            if gives_up(offer) and (held := self._held_back(offers, settled, waiting=waiting)):
                placements.append(await self._not_given_up(offer, held, waiting=waiting))
                continue
            placement = await self._book.place(offer, traceparent)
            placements.append(placement)
            settled[offer.offer_id] = not placement.refusal
            waiting = waiting or placement.unknown or placement.untouched
        return placements

    @staticmethod
    def _held_back(offers: Sequence[Offer], settled: dict[str, bool], *, waiting: bool) -> str:
        """Why a cancellation beside new bookings has to wait or to be left; empty when all of them are there."""
        if all(settled[offer.offer_id] for offer in offers if not gives_up(offer)):
            return ""
        return wording.NOT_YET_GIVEN_UP if waiting else wording.NOT_GIVEN_UP

    async def _not_given_up(self, offer: Offer, why: str, *, waiting: bool) -> Placement:
        if not waiting:
            await self._book.withdraw([offer])
        return Placement(offer, refusal=why, untouched=waiting)

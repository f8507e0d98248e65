"""The order desk: quotes become offers, a clear yes places them, and what changes a wish sets them aside."""

from collections.abc import Sequence

from core.language.consent import Consent, read_consent
from core.orders import wording
from core.orders.agreement import Agreement
from core.orders.offer_book import OfferBook
from core.orders.placing import Placing, with_quantity
from core.orders.tasks import tasks_of
from core.ports.agents import Unreachable
from core.shared.errors import Conflict, OutcomeUnknown
from core.types.agent_protocol import Quote
from core.types.orders import Offer, Placement
from core.types.plan import StepResult
from core.types.turn import Answer, ReplyStatus, Turn
from core.types.understanding import Understanding

DIRECT_SESSION = "-direct-"
"""Where offers of routes live, apart from every conversation: no message of a person confirms them."""

RETRY_AFTER_S = 5


class OrderDesk:
    """Hears what a person says to the offers before them. An order is placed by `OfferBook` and nowhere else."""

    def __init__(self, book: OfferBook, placing: Placing) -> None:
        self._book = book
        self._placing = placing
        self._agreement = Agreement(book)

    async def hear(self, turn: Turn) -> Answer | None:
        """The answer to a message that is wholly about the offers of the last reply that made any; else None."""
        consent = read_consent(turn.message.text)
        if consent.kind == "none" and consent.to is None:
            return None
        offers = await self._book.latest(turn.message.user_id, turn.message.session_id)
        if alive := self._book.alive(offers):
            return await self._decide(turn, _to_all(consent, alive), offers, alive)
        if not offers or consent.kind != "yes" or not (consent.firm or _just_asked(turn, offers)):
            return None
        text = wording.expired() if any(offer.state == "open" for offer in offers) else wording.already(offers)
        return Answer(text=text, status="answered", understanding=_understanding(offers))

    async def remind(self, turn: Turn) -> Answer | None:
        """For words that nobody could read, said right after an offer (可以是可以，就是太贵了): they are no yes."""
        offers = await self._book.latest(turn.message.user_id, turn.message.session_id)
        standing = self._book.standing(offers)
        if not standing or not _just_asked(turn, standing):
            return None
        return _still_waiting(wording.asked_again(standing), standing)

    async def pending(self, turn: Turn) -> str:
        """A line beside small talk that comes right after an offer; empty where none waits."""
        waiting = await self.remind(turn)
        return wording.waiting(waiting.offers) if waiting else ""

    async def offer(self, turn: Turn, results: Sequence[StepResult]) -> tuple[Offer, ...]:
        """New offers, one for each quote in `results`, stored before they are shown."""
        quoted = [(found.agent, found.quote) for result in results for found in result.quotes]
        return await self._book.make(turn.message.user_id, turn.message.session_id, quoted)

    async def still_open(self, turn: Turn) -> str:
        """For a wish to order that led to no offer: what a yes would mean now; empty where nothing waits."""
        offers = await self._book.latest(turn.message.user_id, turn.message.session_id)
        standing = self._book.standing(offers)
        return wording.still_open(standing) if standing else ""

    async def earlier(self, turn: Turn) -> str:
        """What became of orders whose outcome was unknown: looked up and said before something more is offered."""
        open_ends = await self._book.unknown(turn.message.user_id, turn.message.session_id)
        return wording.of_earlier([await self._book.look_up(offer, turn.message.traceparent) for offer in open_ends])

    async def set_aside(self, turn: Turn, understanding: Understanding) -> bool:
        """Withdraw the standing offers when the message changes the wish they came from. True when it did."""
        if not understanding.leaned:
            return False
        offers = await self._book.latest(turn.message.user_id, turn.message.session_id)
        changed = [o for o in self._book.standing(offers) if wording.changes(turn.message.text, o, understanding)]
        await self._book.withdraw(changed)
        return bool(changed)

    async def confirm(self, user_id: str, offer_id: str, traceparent: str, *, resumed: bool = False) -> Placement:
        """Place one offer by its id. NotFound, Conflict (nothing was placed) or OutcomeUnknown.

        `resumed`: the very same confirmation was on its way when its process died; if it had placed the offer, its
        orders are looked up instead of refused.
        """
        offer = await self._book.get(user_id, offer_id)
        look_up = resumed and offer.state == "placed"
        placement = await (self._placing if look_up else self._book).place(offer, traceparent)
        if placement.refusal == wording.ON_THE_WAY:
            raise Conflict(placement.refusal, retry_after_s=RETRY_AFTER_S)
        if placement.unknown or placement.untouched:
            raise OutcomeUnknown(placement.refusal, retry_after_s=RETRY_AFTER_S)
        if placement.refusal:
            raise Conflict(placement.refusal)
        return placement

    async def place_at_once(self, user_id: str, agent: str, quote: Quote, traceparent: str) -> Placement:
        """For a route whose call is itself the yes: make the offer, stored like any other, and place it."""
        offers = await self._book.make(user_id, DIRECT_SESSION, [(agent, quote)])
        return await self.confirm(user_id, offers[0].offer_id, traceparent)

    async def withdraw(self, user_id: str, offer_id: str) -> None:
        """Withdraw one offer; Conflict when it was agreed to already."""
        offer = await self._book.get(user_id, offer_id)
        if offer.state in ("placing", "unknown", "placed"):
            raise Conflict(wording.already([offer]))
        if not await self._book.withdraw([offer]):
            raise Conflict(wording.already([await self._book.get(user_id, offer_id)]))

    async def _decide(
        self, turn: Turn, consent: Consent, offers: tuple[Offer, ...], alive: tuple[Offer, ...]
    ) -> Answer | None:
        if consent.kind == "yes" and (consent.firm or _just_asked(turn, alive)):
            return await self._place_all(turn, offers, alive)
        standing = self._book.standing(alive)
        if on_the_way := tuple(offer for offer in alive if offer not in standing):
            if consent.kind == "no":
                await self._book.withdraw(standing)
            text = wording.not_recallable(on_the_way)
            return Answer(text, "partial", _understanding(on_the_way)) if consent.kind != "none" else None
        if consent.kind == "no":
            await self._book.withdraw(standing)
            return Answer(wording.withdrawn(standing), "answered", _understanding(standing))
        if consent.kind == "later":
            return _still_waiting(wording.waiting(standing), standing)
        if consent.kind == "unclear" and _just_asked(turn, standing):
            return _still_waiting(wording.asked_again(standing), standing)
        if consent.kind == "change":
            return await self._change(turn, consent, standing)
        return None

    async def _place_all(self, turn: Turn, offers: tuple[Offer, ...], alive: tuple[Offer, ...]) -> Answer:
        placements = await self._agreement.carry_out(offers, turn.message.traceparent)
        orders = tuple(order for placement in placements for order in placement.orders)
        placed = sum(not placement.refusal for placement in placements)
        status: ReplyStatus = "answered" if placed == len(placements) else "partial" if placed else "failed"
        return Answer(wording.told_placements(placements), status, _understanding(alive), orders=orders)

    async def _change(self, turn: Turn, consent: Consent, standing: tuple[Offer, ...]) -> Answer | None:
        """Another quantity: quoted afresh by the agent, in place of the old offer. Only one thing can be meant."""
        if len(standing) != 1 or standing[0].quote.action == "cancel" or len(standing[0].quote.items) > 1:
            return None
        old = standing[0]
        quantity = (consent.quantity or 1) + (old.quote.items[0].quantity if consent.more else 0)
        answer = await self._placing.quote_again(old, quantity, turn.message.traceparent)
        if isinstance(answer, Unreachable) or answer.status == "failed" or not answer.quotes:
            said = "" if isinstance(answer, Unreachable) else answer.observation
            return _still_waiting(wording.not_changed(said, standing), standing)
        quoted = [(old.agent, with_quantity(quote, quantity)) for quote in answer.quotes]
        await self._book.withdraw(standing)
        offers = await self._book.make(turn.message.user_id, turn.message.session_id, quoted)
        return _still_waiting(wording.put_offers(offers), offers)


def _to_all(consent: Consent, offers: Sequence[Offer]) -> Consent:
    """What the words say to these offers; words of cancelling say nothing clear to a mixture."""
    heard = {consent.on(offer.quote.action) for offer in offers}
    return heard.pop() if len(heard) == 1 else Consent("unclear")


def _just_asked(turn: Turn, offers: Sequence[Offer]) -> bool:
    """Whether our last reply is the one that put these offers."""
    since = [m for m in turn.memory.short_term if m.role == "assistant" and m.created_at >= offers[0].created_at]
    return len(since) <= 1


def _still_waiting(text: str, offers: tuple[Offer, ...]) -> Answer:
    return Answer(text, "confirmation_required", _understanding(offers), offers=offers)


def _understanding(offers: Sequence[Offer]) -> Understanding:
    return Understanding(outcome="tasks", tasks=tasks_of(offers))

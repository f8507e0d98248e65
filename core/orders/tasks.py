"""A yes or a no, as the tasks it was about: so that a reply tells what was understood."""

from collections.abc import Sequence

from core.language.slots import Slots, slots_from_json
from core.types.orders import Offer
from core.types.understanding import Task


def tasks_of(offers: Sequence[Offer]) -> tuple[Task, ...]:
    """One task for each offer, its slots taken from the first item."""
    return tuple(_task(number, offer) for number, offer in enumerate(offers, 1))


def _task(number: int, offer: Offer) -> Task:
    first = offer.quote.items[0]
    query = f"{'取消' if offer.quote.action == 'cancel' else '预订'}{first.item.get('title', '')}"
    try:
        slots = slots_from_json({**first.item, "quantity": first.quantity})
    except ValueError:  # a third party's row may spell a name of ours in its own way
        slots = Slots(quantity=first.quantity)
    return Task(id=f"t{number}", intent=offer.quote.skill, query=query, slots=slots)

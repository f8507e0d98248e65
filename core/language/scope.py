"""Sentences that hold a word of travelling and wish nothing of the kind: 火车头怎么画, 飞机是谁发明的."""

from collections.abc import Sequence

from core.language.clauses import ABOUT_ORDERS
from core.language.drafts import Draft
from core.language.merging import said_in
from core.language.values import Act, Found, Mention, Talk

# Slots that a word of the kind may bring with it; all others say that somebody wishes something.
_OF_THE_KIND = {"train_type", "seat_class", "cabin", "sort", "airline", "action", "brand", "seats", "area"}


def in_scope(drafts: Sequence[Draft], founds: Sequence[Found], unread: Sequence[int]) -> list[Draft]:
    """The drafts without those that are only a word among others.

    A kind that is named and nothing else of it is a wish only where the rest of the sentence is none of another
    subject: unread words may stand in it only beside a verb of asking, and never close to the kind (飞机模型).
    """
    elsewhere = any(isinstance(found.value, Talk) and found.value.topic == "other" for found in founds)
    asks = any(isinstance(found.value, Act) for found in founds)
    strange = elsewhere or (bool(unread) and not asks) or _part_of_a_longer_word(founds, unread)
    return [draft for draft in drafts if not (strange and _is_bare(draft))]


def _is_bare(draft: Draft) -> bool:
    return draft.domain.name not in ABOUT_ORDERS and not said_in(draft.slots) - _OF_THE_KIND


def _part_of_a_longer_word(founds: Sequence[Found], unread: Sequence[int]) -> bool:
    """火车头, 乐高火车."""
    strange = set(unread)
    return any(
        found.end in strange or found.first - 1 in strange
        for found in founds if isinstance(found.value, Mention) and found.value.domain != "insurance"
    )

"""Sentences that hold a word of travelling and wish nothing of the kind: 火车头怎么画, 飞机是谁发明的."""

from collections.abc import Sequence

from core.language.clauses import ABOUT_ORDERS
from core.language.drafts import Draft
from core.language.merging import said_in
from core.language.read_words import ELSEWHERE
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
    drafts = [draft for draft in drafts if not (strange and _is_bare(draft))]
    if _ends_with_a_hotel(founds):
        drafts = [draft for draft in drafts if draft.domain.name != "attraction" or not _is_bare(draft)]
    return [draft for draft in drafts if not _is_about_a_person(draft, founds, unread)]


def _ends_with_a_hotel(founds: Sequence[Found]) -> bool:
    """这个景点周边有哪些酒店 asks for a hotel."""
    named = [found.value.domain for found in founds if isinstance(found.value, Mention) and not found.value.weak]
    return bool(named) and named[-1] == ELSEWHERE


def _is_about_a_person(draft: Draft, founds: Sequence[Found], unread: Sequence[int]) -> bool:
    """A singer among words that nobody read, and no concert, city or day: a song, or the person."""
    named = any(isinstance(found.value, Mention) for found in founds)
    return bool(unread) and not named and said_in(draft.slots) == {"artist"}


def without_repeats(drafts: Sequence[Draft]) -> list[Draft]:
    """Without questions that say the same once more: 下周一上海到厦门的高铁，看看那天有哪些车."""
    kept: list[Draft] = []
    looked_at = {draft.looks_at for draft in drafts if draft.when}
    for draft in drafts:
        again = not draft.orders and draft.wish not in looked_at and any(_same(draft, other) for other in kept)
        if not again:
            kept.append(draft)
    return kept


def _same(one: Draft, other: Draft) -> bool:
    return (one.domain, one.slots, one.when, one.unknown) == (other.domain, other.slots, other.when, other.unknown)


def _is_bare(draft: Draft) -> bool:
    return draft.domain.name not in ABOUT_ORDERS and not said_in(draft.slots) - _OF_THE_KIND


def _part_of_a_longer_word(founds: Sequence[Found], unread: Sequence[int]) -> bool:
    """火车头, 乐高火车."""
    strange = set(unread)
    return any(
        found.end in strange or found.first - 1 in strange
        for found in founds if isinstance(found.value, Mention) and found.value.domain != "insurance"
    )

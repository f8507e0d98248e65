"""The types of the names that tools use: slots of the HTTP contract are known, other names are their own types."""

from collections.abc import Iterable, Iterator
from dataclasses import fields

from core.language.slots import Slots
from core.types.tool_facts import ToolFacts, Typed

_SLOTS = {
    "from_city": "city", "to_city": "city", "city": "city", "destination": "city", "date": "date", "date_end": "date",
    "from_station": "station", "to_station": "station", "time_after": "time", "time_before": "time",
    "arrive_after": "time", "arrive_before": "time",
    "price_min": "price_limit", "price_max": "price_limit", "day_price_max": "price_limit",
}
_ENDINGS = {"_city": "city", "_date": "date", "_station": "station"}

# What a kind of goods has for itself: a train's item_id is none of a hotel's.
_OF_A_KIND = frozenset({"item_id", "price", "rows", "offer"})

SAYABLE = {
    name: _SLOTS.get(name, name)
    for name in (field.name for field in fields(Slots))
    if name not in {"item_id", "exclude", "condition", "action"}
}
"""What a person can say, by slot, and its type."""


def type_of(name: str, declared: str, kind: str) -> str:
    """The full type of a name: `city`, `order_id`, `train.item_id`."""
    word = declared or _SLOTS.get(name) or next((t for end, t in _ENDINGS.items() if name.endswith(end)), name)
    return f"{kind}.{word}" if word in _OF_A_KIND and kind else word


def resolved(names: Iterable[Typed], kind: str) -> Iterator[Typed]:
    """The names with their full types."""
    return (Typed(one.name, type_of(one.name, one.type, kind)) for one in names)


def kind_of(intent: str, facts: ToolFacts) -> str:
    """The kind of rows a skill is about: as declared, else what follows the verb in its intent."""
    return facts.kind or "_".join(intent.split()[1:]) or intent


def yields_of(intent: str, facts: ToolFacts) -> tuple[Typed, ...]:
    """As declared; else rows of its kind, or an offer where it chooses from another's rows or changes something."""
    kind = kind_of(intent, facts)
    if facts.yields is not None:
        return tuple(resolved(facts.yields, kind))
    changes = facts.quotes_with or intent.startswith(("order ", "cancel "))
    return tuple(resolved([Typed("offer" if changes else "rows")], kind))


def needs_of(intent: str, facts: ToolFacts) -> tuple[Typed, ...]:
    """As declared; a skill that says nothing is taken to need nothing but what its agent reads from the words."""
    return tuple(resolved(facts.needs or (), kind_of(intent, facts)))

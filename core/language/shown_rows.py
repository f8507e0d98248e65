"""The rows last put before the person: their hours, prices and names, and the slots they fill."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from core.language.domains import Domain, built_in, domain_of
from core.language.drafts import Draft
from core.language.frames import ReadContext
from core.language.normalise import normalise
from core.language.past import domain_of_intent
from core.language.slots import Slots, slots_from_json
from core.shared.json_types import JsonValue

Row = Mapping[str, JsonValue]
ORDERS = "order"
_KINDS = {"tour_group": "tour", "car_rental": "car", ORDERS: "orders", "orders": "orders"}
_NAMES = (
    "train_no", "flight_no", "airline", "brand", "model", "name", "insurer", "venue", "area", "artist", "seat_class",
    "cabin", "from_station", "to_station", "from_airport", "to_airport", "destination",
)
_SHORTEST_NAME = 2
# Stations are left to the row itself: 还有更早的吗 after a choice is not bound to its platform.
_NOT_OF_A_ROW = {
    "quantity", "sort", "price_min", "price_max", "day_price_max", "exclude", "date_end", "from_station", "to_station",
    "area", "brand", "seats",
}
_OF_A_ROW = ("item_id", "train_no", "flight_no", "train_type")


@dataclass(frozen=True, slots=True)
class Shown:
    """The rows in the order shown (of an order: with what was bought laid open), and their kind of wish."""

    rows: tuple[Row, ...]
    domain: Domain
    are_orders: bool = False


def shown_in(context: ReadContext, wishes: Sequence[Draft]) -> Shown | None:
    """What is before the person; None where nothing is."""
    if not context.shown:
        return None
    rows = tuple(_laid_open(row) for row in context.shown)
    return Shown(rows, _domain(context.shown_kind, context, wishes), context.shown_kind in (ORDERS, "orders"))


def _laid_open(row: Row) -> Row:
    item = row.get("item")
    return {**item, **row} if isinstance(item, Mapping) else row


def _domain(kind: str, context: ReadContext, wishes: Sequence[Draft]) -> Domain:
    """A kind of a third party is found by its name in an intent, else it is that of the last wish."""
    name = _KINDS.get(kind, kind)
    if name in built_in():
        return built_in()[name]
    taught = [skill.intent for skill in context.skills if kind and kind in skill.intent]
    if taught:
        return domain_of_intent(taught[0], context.skills)
    return wishes[-1].domain if wishes else domain_of(name, context.skills)


def kind_of_row(row: Row) -> str:
    """The name of the kind of wish that an order was made from."""
    kind = str(row.get("kind") or "")
    return _KINDS.get(kind, kind)


def kind_of_order(row: Row, context: ReadContext) -> Domain:
    """The kind of wish that an order was made from."""
    return domain_of(kind_of_row(row), context.skills)


def departs(row: Row) -> dt.time | None:
    """The hour at which it leaves or begins."""
    return _hour(str(row.get("depart_at") or row.get("starts_at") or ""))


def arrives(row: Row) -> dt.time | None:
    """The hour at which it arrives on the day it leaves; None where that is a later day."""
    leaves, comes = str(row.get("depart_at") or ""), str(row.get("arrive_at") or "")
    return _hour(comes) if comes.partition("T")[0] == leaves.partition("T")[0] or "T" not in comes else None


def _hour(said: str) -> dt.time | None:
    clock = said.partition("T")[2] or said
    try:
        return dt.time.fromisoformat(clock[:5])
    except ValueError:
        return None


def price(row: Row) -> Decimal | None:
    """CNY; None where the row has no price."""
    try:
        return Decimal(str(row.get("price")))
    except InvalidOperation:
        return None


def named_in(row: Row, said: str, runs: Sequence[str] = ()) -> frozenset[str]:
    """The names in the row that occur in what was said (normalised), or of which an unknown word in it is part."""
    names = [_spelled(str(value)) for key in _NAMES if (value := row.get(key))]
    parts = [run for run in runs if len(run) >= _SHORTEST_NAME]
    return frozenset(
        name for name in names
        if (len(name) >= _SHORTEST_NAME and name in said) or any(part in name for part in parts)
    )


@lru_cache(maxsize=4096)
def _spelled(name: str) -> str:
    return normalise(name).text


def has_words(row: Row, words: Iterable[tuple[str, str]]) -> bool:
    """Whether the row has every one of the slots' values, as far as it has the slot at all (南航: 南方航空)."""
    return all(row.get(slot) in (value, None) for slot, value in words)


def slots_of(row: Row, domain: Domain) -> Slots:
    """What the row fills of its kind's slots."""
    wanted = {*domain.slots, *_OF_A_ROW} - _NOT_OF_A_ROW
    try:
        return slots_from_json({name: row[name] for name in wanted if name in row})
    except ValueError:  # a third party's row may spell a name of ours in its own way
        return Slots(item_id=str(row.get("item_id") or "") or None)

"""What a cancellation would cancel: the order is found by looking only; the tool that cancels is never called here."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from a2a_servers.extraction import ParameterExtractor
from a2a_servers.goods import GOODS, ORDER, kinds_named, order_id_in
from a2a_servers.lookup import look_up
from a2a_servers.outcome import Errand, Outcome
from a2a_servers.saying import Reading, heard
from a2a_servers.tools import Tool, ToolBox, kinds_sold
from a2a_servers.wording import order as words
from a2a_servers.wording.bits import amount_of, number
from a2a_servers.wording.template import Word
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Quote, QuoteItem, ResultData

_MOST_ORDERS = 100
_TRAITS = (
    "train_no", "flight_no", "date", "from_city", "to_city", "city", "artist", "destination", "train_type",
    "seat_class", "cabin", "airline", "days",
)
"""Slots that tell one order from another, by what was ordered."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which order is meant. No kinds: any. `traits`: what must be so of the thing that was ordered."""

    order_id: str | None
    kinds: frozenset[str]
    traits: JsonObject

    def fits(self, order: JsonObject, seen_to: Collection[str]) -> bool:
        """Whether an order is meant; the tool has already seen to the traits named in `seen_to`."""
        item = order.get("item")
        if not isinstance(item, dict) or (self.kinds and order.get("kind") not in self.kinds):
            return False
        return all(item.get(name) == value for name, value in self.traits.items() if name not in seen_to)


class Cancelling:
    """Quotes the cancellation of one order."""

    def __init__(self, toolbox: ToolBox, extractor: ParameterExtractor, word: Word) -> None:
        self._toolbox = toolbox
        self._extractor = extractor
        self._word = word

    async def quote(self, tool: Tool, source: Tool, errand: Errand) -> Outcome:
        """The one order that fits, several to choose from, or a sentence that there is none."""
        said = await heard(errand.action, (tool.intent,), Reading(self._extractor, self._toolbox))
        wanted = _wanted(said.slots, errand.action.job_desc)
        if wanted.kinds.isdisjoint(kinds_sold(self._toolbox.tools())) and wanted.kinds:
            return _none(wanted)
        found = await look_up(self._toolbox, source, _arguments(wanted, source.parameters), errand)
        if isinstance(found, Outcome):
            return found
        if wanted.order_id is not None:
            return _by_id(wanted, found, tool)
        standing = [order for order in found.rows if order.get("status") == "confirmed"]
        fitting = [order for order in standing if wanted.fits(order, source.parameters)]
        return _among(fitting, found, wanted, tool)


def _wanted(slots: JsonObject, job_desc: str) -> _Wanted:
    order_id = slots.get("order_id") or order_id_in(job_desc)
    kind = slots.get("kind")
    kinds = frozenset({kind}) if isinstance(kind, str) and kind in GOODS else kinds_named(job_desc)
    traits: JsonObject = {name: slots[name] for name in _TRAITS if slots.get(name) is not None}
    return _Wanted(str(order_id) if order_id else None, kinds, traits)


def _arguments(wanted: _Wanted, parameters: Collection[str]) -> JsonObject:
    if wanted.order_id is not None:
        return {"order_id": wanted.order_id}  # of any status: a cancelled one is to be recognised
    said: JsonObject = {**wanted.traits, "status": "confirmed", "limit": _MOST_ORDERS}
    if len(wanted.kinds) == 1:
        said["kind"] = next(iter(wanted.kinds))
    return {name: value for name, value in said.items() if name in parameters}


def _by_id(wanted: _Wanted, found: ResultData, tool: Tool) -> Outcome:
    order = next((row for row in found.rows if row.get("order_id") == wanted.order_id), None)
    if order is None:
        return _none(wanted)
    if order.get("status") == "cancelled":
        data = found.model_copy(update={"rows": [order], "more": 0})
        return Outcome("completed", words.already_cancelled(order), data)
    return _one(order, found, tool)


def _among(fitting: list[JsonObject], found: ResultData, wanted: _Wanted, tool: Tool) -> Outcome:
    if not fitting:
        return _none(wanted)
    if len(fitting) == 1 and not found.more:
        return _one(fitting[0], found, tool)
    return Outcome("input_required", words.which_one(fitting), found.model_copy(update={"rows": fitting}))


def _none(wanted: _Wanted) -> Outcome:
    text = words.nothing_to_cancel(wanted.kinds, order_id=wanted.order_id, narrowed=bool(wanted.traits))
    return Outcome("completed", text, ResultData(kind=ORDER))


def _one(order: JsonObject, found: ResultData, tool: Tool) -> Outcome:
    quantity = int(number(order, "quantity") or 1)
    total = amount_of(order.get("total_price")) or Decimal()
    known = order.get("item")
    item: JsonObject = {
        **(known if isinstance(known, dict) else {}), "order_id": order.get("order_id"), "title": words.title(order),
    }
    quoted = QuoteItem(item=item, quantity=quantity, unit_price=f"{total / quantity:.2f}")
    quote = Quote(skill=tool.intent, action="cancel", kind=str(order.get("kind") or ORDER), items=[quoted])
    data = found.model_copy(update={"rows": [order], "more": 0})
    return Outcome("input_required", words.to_cancel(order), data, (quote,))

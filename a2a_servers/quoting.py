"""What an order would be: the concrete item and its price, found by looking only. The order tool is never called here.
"""

from a2a_servers.choosing import Choice, Chosen, Gone, Several, TooFew, choose
from a2a_servers.extraction import ParameterExtractor
from a2a_servers.goods import goods, quantity_in
from a2a_servers.lookup import look_up
from a2a_servers.outcome import Errand, Outcome
from a2a_servers.saying import heard
from a2a_servers.tools import Tool, ToolBox
from a2a_servers.wording import quoted
from a2a_servers.wording.bits import amount_of
from a2a_servers.wording.template import Word
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Quote, QuoteItem, ResultData


class Quoting:
    """Quotes what a tool with `quotes_with` could place."""

    def __init__(self, toolbox: ToolBox, extractor: ParameterExtractor, word: Word) -> None:
        self._toolbox = toolbox
        self._extractor = extractor
        self._word = word

    async def quote(self, tool: Tool, source: Tool, errand: Errand) -> Outcome:
        """A quote for what `source` finds, or the question that must be answered first."""
        said = await heard(errand.action, (tool.intent, source.intent), self._extractor, self._toolbox.tools())
        quantity = quantity_in(said.slots, source.kind)
        if quantity is None:
            return Outcome("input_required", quoted.how_many(source.kind))
        if tool.most_at_once is not None and quantity > tool.most_at_once:
            return Outcome("input_required", quoted.how_many(source.kind, tool.most_at_once))
        if question := said.question(source):
            return Outcome("input_required", question)
        wish: JsonObject = {**said.slots, "quantity": quantity}
        arguments: JsonObject = {name: value for name, value in wish.items() if name in source.parameters}
        found = await self._find(source, arguments, errand)
        if isinstance(found, Outcome):
            return found
        if not found.rows and "item_id" not in wish:
            return Outcome("completed", self._word(found.kind, found, arguments, errand.brief), found)
        choice = choose(found, wish, quantity, sorted_by_wish="sort" in source.parameters)
        return _outcome(choice, found, wish, tool, brief=errand.brief)

    async def _find(self, source: Tool, arguments: JsonObject, errand: Errand) -> ResultData | Outcome:
        found = await look_up(self._toolbox, source, arguments, errand)
        if isinstance(found, Outcome) or found.rows or "quantity" not in arguments:
            return found
        # Nothing with that many left: look without the number, so that the person hears how many there are.
        fewer: JsonObject = {name: value for name, value in arguments.items() if name != "quantity"}
        return await look_up(self._toolbox, source, fewer, errand)


def _outcome(choice: Choice, found: ResultData, wish: JsonObject, tool: Tool, *, brief: bool) -> Outcome:
    quantity = quantity_in(wish, found.kind) or 1
    match choice:
        case Chosen():
            return _quote(choice, found, wish, tool, brief=brief)
        case Several(options):
            shown = list(options[: quoted.BRIEF_OPTIONS if brief else quoted.MAX_OPTIONS])
            text = quoted.which_one(found, shown, len(options), brief=brief)
            rest = [row for row in found.rows if row not in shown]
            # What was listed comes first, so that 第二个 is the second row.
            return Outcome("input_required", text, found.model_copy(update={"rows": shown + rest}))
        case TooFew(best):
            text = quoted.too_few(found.kind, best, quantity)
            sold_out = not quoted.left_of(best)
            return Outcome("completed" if sold_out else "input_required", text, found)
        case Gone():
            return Outcome("input_required", quoted.gone(found.kind), found)


def _quote(chosen: Chosen, found: ResultData, wish: JsonObject, tool: Tool, *, brief: bool) -> Outcome:
    row = chosen.row
    data = found.model_copy(update={"rows": [row], "more": 0})
    if amount_of(row.get("price")) is None:
        return Outcome("completed", quoted.no_price(found.kind, row), data)
    quantity = quantity_in(wish, found.kind) or 1
    item = QuoteItem(item=row, quantity=quantity, unit_price=str(row["price"]))
    quote = Quote(skill=tool.intent, action="place", kind=found.kind, items=[item])
    remarks = chosen.remark + quoted.about_children(wish, goods(found.kind).per_person)
    text = quoted.offered(found, row, quantity, remarks, brief=brief)
    return Outcome("input_required", text, data, (quote,))

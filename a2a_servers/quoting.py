"""What an order would be: the concrete item and its price, found by looking only. The order tool is never called here.
"""

from dataclasses import dataclass

from a2a_servers.choosing import Choice, Chosen, Gone, Several, TooFew, choose
from a2a_servers.counting import with_numbers, with_travellers
from a2a_servers.extraction import ParameterExtractor
from a2a_servers.goods import goods, quantity_in
from a2a_servers.lookup import look_up
from a2a_servers.naming import Named, named_in
from a2a_servers.outcome import Errand, Outcome
from a2a_servers.saying import Reading, Said, heard_for
from a2a_servers.tools import Tool, ToolBox
from a2a_servers.wording import quoted
from a2a_servers.wording.bits import amount_of
from a2a_servers.wording.template import Word
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Quote, QuoteItem, ResultData

_LONG_LISTS = ("car_rental", "tour_group", "insurance")
"""Kinds of which one place has more than a page, each with a name of its own."""


@dataclass(frozen=True, slots=True)
class _Search:
    """What is looked for, with which tool and for whom."""

    source: Tool
    wish: JsonObject
    errand: Errand

    @property
    def arguments(self) -> JsonObject:
        known = self.source.parameters
        return {name: value for name, value in self.wish.items() if name in known and value is not None}


class Quoting:
    """Quotes what a tool with `quotes_with` could place."""

    def __init__(self, toolbox: ToolBox, extractor: ParameterExtractor, word: Word) -> None:
        self._toolbox = toolbox
        self._extractor = extractor
        self._word = word

    async def quote(self, tool: Tool, source: Tool, errand: Errand) -> Outcome:
        """A quote for what `source` finds, or the question that must be answered first."""
        reading = Reading(self._extractor, self._toolbox)
        heard = await heard_for(source, errand, (tool.intent, source.intent), reading)
        said = _read_on(heard, source, errand.action.job_desc)
        quantity = quantity_in(said.slots, source.kind)
        if quantity is None:
            return Outcome("input_required", quoted.how_many(source.kind))
        if tool.most_at_once is not None and quantity > tool.most_at_once:
            return Outcome("input_required", quoted.how_many(source.kind, tool.most_at_once))
        if question := said.question(source):
            return Outcome("input_required", question)
        search = _Search(source, {**said.slots, "quantity": quantity}, errand)
        found = await self._find(search, search.arguments)
        return found if isinstance(found, Outcome) else await self._decide(tool, search, found)

    async def _decide(self, tool: Tool, search: _Search, found: ResultData) -> Outcome:
        brief = search.errand.brief
        if not found.rows and "item_id" not in search.wish:
            return Outcome("completed", self._word(found.kind, found, search.arguments, brief), found)
        found, named = await self._narrowed(search, found)
        if named is not None and named.several_classes:
            return Outcome("input_required", quoted.one_class_each(found.kind, sorted(named.names)), found)
        quantity = quantity_in(search.wish, found.kind) or 1
        sorts = "sort" in search.source.parameters
        choice = choose(found, search.wish, quantity, sorted_by_wish=sorts, named=named.said if named else "")
        return _outcome(choice, found, search.wish, tool, brief=brief)

    async def _narrowed(self, search: _Search, found: ResultData) -> tuple[ResultData, Named | None]:
        """Only the rows that the words name, where they name some. What was cut off is looked through as well."""
        words = search.errand.action.job_desc
        named = named_in(words, search.wish, found.kind, found.rows)
        if named is None and found.more and found.kind in _LONG_LISTS:
            other = await self._other_end(search)
            named = named_in(words, search.wish, found.kind, other.rows) if other is not None else None
            found = found if named is None or other is None else other
        if named is None:
            return found, None
        more = await self._all_of(named, search) if found.more else None
        rows = named.of((more or found).rows)
        cut = more.more if more is not None else 0
        return found.model_copy(update={"rows": rows, "more": cut}), named

    async def _other_end(self, search: _Search) -> ResultData | None:
        """The dearest, where the cheapest were listed."""
        if "sort" not in search.source.parameters or search.wish.get("sort") is not None:
            return None
        return _rows(await look_up(self._toolbox, search.source, {**search.arguments, "sort": "-price"}, search.errand))

    async def _all_of(self, named: Named, search: _Search) -> ResultData | None:
        """Every row of that name, where the tool can be asked for it."""
        if named.parameter not in search.source.parameters or (named.whole and len(named.names) > 1):
            return None
        arguments: JsonObject = {**search.arguments, named.parameter: named.said}
        return _rows(await look_up(self._toolbox, search.source, arguments, search.errand))

    async def _find(self, search: _Search, arguments: JsonObject) -> ResultData | Outcome:
        found = await look_up(self._toolbox, search.source, arguments, search.errand)
        if isinstance(found, Outcome) or found.rows or "quantity" not in arguments:
            return found
        # Nothing with that many left: look without the number, so that the person hears how many there are.
        fewer: JsonObject = {name: value for name, value in arguments.items() if name != "quantity"}
        return await look_up(self._toolbox, search.source, fewer, search.errand)


def _read_on(said: Said, source: Tool, words: str) -> Said:
    return Said(with_travellers(source.kind, words, with_numbers(source, words, said.slots)), said.troubles)


def _rows(found: ResultData | Outcome) -> ResultData | None:
    return found if isinstance(found, ResultData) and found.rows else None


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

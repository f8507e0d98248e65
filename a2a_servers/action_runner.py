"""One action of an action code: find its tool, complete its parameters, run it, word what it brought.

Tools that change something run only for a confirmed offer; otherwise their action is answered with a quote.
"""

from a2a_servers.cancelling import Cancelling
from a2a_servers.confirmed import carry_out
from a2a_servers.counting import with_numbers
from a2a_servers.day_quest import quest_of
from a2a_servers.extraction import ParameterExtractor
from a2a_servers.goods import GOODS, ORDER, kinds_named, order_id_in
from a2a_servers.lookup import look_up
from a2a_servers.loops import Loops
from a2a_servers.outcome import NEEDS_OFFER, TOOLS_AWAY, UNKNOWN_SKILL, Errand, Outcome
from a2a_servers.quoting import Quoting
from a2a_servers.saying import Reading, Said, given, heard_for
from a2a_servers.telling import Teller
from a2a_servers.tools import Tool, ToolBox, find_tool, kinds_sold
from a2a_servers.wording.template import Word
from core.shared.json_types import JsonObject
from core.types.agent_protocol import REFUSED, UNAVAILABLE, ResultData


class ActionRunner:
    """Runs actions with the tools of one tool server. Keeps nothing of any request."""

    def __init__(
        self, toolbox: ToolBox, extractor: ParameterExtractor, word: Word, teller: Teller, loops: Loops
    ) -> None:
        self._toolbox = toolbox
        self._loops = loops
        self._extractor = extractor
        self._word = word
        self._teller = teller
        self._quoting = Quoting(toolbox, extractor, word)
        self._cancelling = Cancelling(toolbox, extractor, word)

    async def run(self, errand: Errand) -> Outcome:
        """Never raises for what can be expected to go wrong: each such case is an outcome with its words."""
        tool = find_tool(self._toolbox.tools(), errand.action.tool_name)
        if tool is None:
            if self._toolbox.reachable:
                return Outcome("failed", UNKNOWN_SKILL, code=REFUSED)
            return Outcome("failed", TOOLS_AWAY, code=UNAVAILABLE)
        if tool.read_only:
            return await self._look(tool, errand)
        if errand.context.offer_id is not None:
            return await carry_out(self._toolbox, tool, errand)
        return await self._quote(tool, errand)

    async def _quote(self, tool: Tool, errand: Errand) -> Outcome:
        source = find_tool(self._toolbox.tools(), tool.quotes_with) if tool.quotes_with else None
        if source is None or not source.read_only:
            return Outcome("input_required", NEEDS_OFFER)
        quoting = self._cancelling if source.kind == ORDER else self._quoting
        return await quoting.quote(tool, source, errand)

    async def _look(self, tool: Tool, errand: Errand) -> Outcome:
        heard_said = await self._said(tool, errand)
        said = Said(with_numbers(tool, errand.action.job_desc, heard_said.slots), heard_said.troubles)
        if question := said.question(tool):
            return Outcome("input_required", question)
        if (quest := quest_of(tool, said.slots)) is not None:
            return await self._loops.run(quest, errand)
        arguments = said.arguments(tool)
        if tool.kind == ORDER and not self._sells(arguments.get("kind")):
            found: ResultData | Outcome = ResultData(kind=ORDER)
        else:
            found = await look_up(self._toolbox, tool, arguments, errand)
        if isinstance(found, Outcome):
            return found
        template = self._word(found.kind, found, arguments, errand.brief)
        return Outcome("completed", await self._teller.told(found, arguments, template, errand), found)

    async def _said(self, tool: Tool, errand: Errand) -> Said:
        action = errand.action
        said = given(action)
        if said.question(tool) is not None:
            # Words that had to be read count wholly: whoever leaves the date to them leaves the afternoon to them, too.
            return await heard_for(tool, errand, (tool.intent,), Reading(self._extractor, self._toolbox))
        return Said(_about_orders(action.job_desc) | said.slots) if tool.kind == ORDER else said

    def _sells(self, kind: object) -> bool:
        """False only for a kind that is known to belong to somebody else; no kind means all of one's own."""
        return kind not in GOODS or kind in kinds_sold(self._toolbox.tools())


def _about_orders(words: str) -> JsonObject:
    """Which orders a sentence is about, so far as its words tell without doubt."""
    if order_id := order_id_in(words):
        return {"order_id": order_id}
    kinds = kinds_named(words)
    return {"kind": next(iter(kinds))} if len(kinds) == 1 else {}

"""One action of an action code: find its tool, complete its parameters, run it, word what it brought."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from a2a_servers.asking import ask_for, explain
from a2a_servers.extraction import ParameterExtractor, Wish
from a2a_servers.results import data_of
from a2a_servers.task import Budget
from a2a_servers.tools import Tool, ToolBox, ToolFailed, ToolRefused, ToolsUnreachable, ToolTooSlow, find_tool
from core.language.frames import Trouble
from core.shared.call_context import CallContext
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action, ResultData

log = logging.getLogger(__name__)

Word = Callable[[str, ResultData, JsonObject, bool], str]
"""Kind, rows, the query, brief or not → the words for the person."""

UNKNOWN_SKILL = "抱歉，这项服务暂时不提供。"
TOOLS_AWAY = "抱歉，查询服务暂时连不上，请稍后再试。"
BROKEN = "抱歉，暂时查不到，请稍后再试。"
NO_TIME = "抱歉，时间不够，没来得及查完，请稍后再试。"
NEEDS_OFFER = "下单或退订之前需要您先确认具体内容和价格，请先选定要办理的是哪一个。"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one action came to; `observation` is fit to be read."""

    status: Literal["completed", "failed", "input_required"]
    observation: str
    data: ResultData | None = None


class ActionRunner:
    """Runs actions with the tools of one tool server. Keeps nothing of any request."""

    def __init__(self, toolbox: ToolBox, extractor: ParameterExtractor, word: Word) -> None:
        self._toolbox = toolbox
        self._extractor = extractor
        self._word = word

    async def run(self, action: Action, context: CallContext, budget: Budget) -> Outcome:
        """Never raises for what can be expected to go wrong: each such case is an outcome with its words."""
        tool = find_tool(self._toolbox.tools(), action.tool_name)
        if tool is None:
            return Outcome("failed", UNKNOWN_SKILL if self._toolbox.reachable else TOOLS_AWAY)
        if not tool.read_only and context.offer_id is None:
            return Outcome("input_required", NEEDS_OFFER)
        arguments, troubles = await self._arguments(tool, action)
        missing = [name for name in tool.required if name not in arguments]
        if missing:
            return Outcome("input_required", _question(tool, missing, troubles))
        return await self._call(tool, arguments, context, budget)

    async def _arguments(self, tool: Tool, action: Action) -> tuple[JsonObject, tuple[Trouble, ...]]:
        given = {name: value for name, value in action.parameter.items() if value is not None}
        known: JsonObject = {name: value for name, value in given.items() if name in tool.parameters}
        missing = [name for name in tool.required if name not in known]
        if not missing or not action.job_desc.strip():
            return known, ()
        wish = await self._wish_for(tool, action.job_desc)
        if wish is None:
            return known, ()
        # Words that had to be read count wholly: whoever leaves the date to them leaves the afternoon to them, too.
        found: JsonObject = {name: value for name, value in wish.parameter.items() if name in tool.parameters}
        return found | known, wish.troubles

    async def _wish_for(self, tool: Tool, job_desc: str) -> Wish | None:
        wishes = await self._extractor.wishes(job_desc, self._toolbox.tools())
        return next((wish for wish in wishes if wish.intent == tool.intent), None)

    async def _call(self, tool: Tool, arguments: JsonObject, context: CallContext, budget: Budget) -> Outcome:
        remaining_ms = budget.remaining_ms()
        if remaining_ms <= 0:
            return Outcome("failed", NO_TIME)
        try:
            answer = await self._toolbox.call(tool.name, arguments, context.child(remaining_ms=remaining_ms))
        except ToolRefused as refused:
            return Outcome("failed", str(refused))
        except ToolsUnreachable as error:
            log.warning("tool not reached", extra={"tool": tool.name, "why": str(error)})
            return Outcome("failed", NO_TIME if isinstance(error, ToolTooSlow) else TOOLS_AWAY)
        except ToolFailed as error:
            log.error("tool failed", extra={"tool": tool.name, "why": str(error)})
            return Outcome("failed", BROKEN)
        data = data_of(tool, answer)
        if data is None:
            return Outcome("completed", answer.text) if answer.text else Outcome("failed", BROKEN)
        return Outcome("completed", self._word(data.kind, data, arguments, not context.wording), data)


def _question(tool: Tool, missing: list[str], troubles: tuple[Trouble, ...]) -> str:
    for trouble in troubles:
        if trouble.kind != "missing" and trouble.slot in missing:
            return explain(trouble)
    return ask_for(tool, missing)

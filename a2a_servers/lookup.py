"""Looking things up with a tool that only reads: whatever goes wrong becomes words."""

import logging

from a2a_servers.caller import has_gone
from a2a_servers.outcome import BROKEN, NO_TIME, TOOLS_AWAY, Errand, Outcome
from a2a_servers.results import data_of
from a2a_servers.tools import Tool, ToolBox, ToolFailed, ToolRefused, ToolsUnreachable, ToolTooSlow
from core.shared.json_types import JsonObject
from core.types.agent_protocol import UNAVAILABLE, ResultData

log = logging.getLogger(__name__)


async def look_up(toolbox: ToolBox, tool: Tool, arguments: JsonObject, errand: Errand) -> ResultData | Outcome:
    """The rows found, or the outcome that ends the errand: a refusal, a failure, or a tool's words without rows."""
    remaining_ms = errand.budget.remaining_ms()
    if remaining_ms <= 0 or has_gone():
        return Outcome("failed", NO_TIME, code=UNAVAILABLE)
    try:
        answer = await toolbox.call(tool.name, arguments, errand.context.child(remaining_ms=remaining_ms))
    except ToolRefused as refused:
        return Outcome("failed", str(refused), code=refused.code)
    except ToolsUnreachable as error:
        log.warning("tool not reached", extra={"tool": tool.name, "why": str(error)})
        words = NO_TIME if isinstance(error, ToolTooSlow) else TOOLS_AWAY
        return Outcome("failed", words, code=UNAVAILABLE)
    except ToolFailed as error:
        log.error("tool failed", extra={"tool": tool.name, "why": str(error)})
        return Outcome("failed", BROKEN, code=UNAVAILABLE)
    data = data_of(tool, answer)
    if data is None:
        return Outcome("completed", answer.text) if answer.text else Outcome("failed", BROKEN, code=UNAVAILABLE)
    return data

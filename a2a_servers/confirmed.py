"""What the person has said yes to: the tool that changes something runs once, with exactly the confirmed parameters."""

import logging

from a2a_servers.goods import ORDER
from a2a_servers.outcome import Errand, Outcome
from a2a_servers.results import data_of
from a2a_servers.saying import given
from a2a_servers.tools import Tool, ToolBox, ToolFailed, ToolLost, ToolRefused, ToolsUnreachable
from a2a_servers.wording.order import told
from core.types.agent_protocol import INVALID_PARAMETER, UNAVAILABLE, UNKNOWN_OUTCOME

log = logging.getLogger(__name__)

INCOMPLETE = "确认的内容不完整，没有办理，请重新选择后再确认。"
NOT_BEGUN = "时间不够，这一单还没有提交，什么都没有办理，请再确认一次。"
NOT_SENT = "抱歉，现在连不上办理的服务，这一单没有提交，什么都没有办理，请稍后再试。"
OUTCOME_UNKNOWN = "这一单的结果暂时没有收到，请稍后查看“我的订单”确认，先不要重复办理。"


async def carry_out(toolbox: ToolBox, tool: Tool, errand: Errand) -> Outcome:
    """Place or cancel under the offer in the context. Never sent twice; without an answer the outcome is unknown."""
    said = given(errand.action)
    arguments = said.arguments(tool)
    if said.question(tool) is not None:
        return Outcome("failed", INCOMPLETE, code=INVALID_PARAMETER)
    remaining_ms = errand.budget.remaining_ms()
    if remaining_ms <= 0:
        return Outcome("failed", NOT_BEGUN, code=UNAVAILABLE)
    try:
        answer = await toolbox.call(tool.name, arguments, errand.context.child(remaining_ms=remaining_ms))
    except ToolRefused as refused:
        return Outcome("failed", str(refused), code=refused.code)
    except (ToolLost, ToolFailed) as error:
        log.error("order without an answer", extra={"tool": tool.name, "why": str(error)})
        return Outcome("failed", OUTCOME_UNKNOWN, code=UNKNOWN_OUTCOME)
    except ToolsUnreachable as error:
        log.warning("order not sent", extra={"tool": tool.name, "why": str(error)})
        return Outcome("failed", NOT_SENT, code=UNAVAILABLE)
    data = data_of(tool, answer)
    if data is None or data.kind != ORDER or not data.rows:
        log.error("order answered without an order", extra={"tool": tool.name})
        return Outcome("failed", OUTCOME_UNKNOWN, code=UNKNOWN_OUTCOME)
    return Outcome("completed", told(data.rows), data)

"""What one action of an action code came to, and the sentences for what goes wrong on the way."""

from dataclasses import dataclass, field
from typing import Literal

from a2a_servers.task import Budget
from core.adapters.llm.allowance import Allowance
from core.shared.call_context import CallContext
from core.types.agent_protocol import MAX_ACTIONS, Action, Quote, ResultData, Round

UNKNOWN_SKILL = "抱歉，这项服务暂时不提供。"
TOOLS_AWAY = "抱歉，查询服务暂时连不上，请稍后再试。"
BROKEN = "抱歉，暂时查不到，请稍后再试。"
NO_TIME = "抱歉，时间不够，没来得及查完，请稍后再试。"
NEEDS_OFFER = "下单或退订之前需要您先确认具体内容和价格，请先选定要办理的是哪一个。"


@dataclass(slots=True)
class Actions:
    """How many actions are left for one request, whatever it asks for: its loops share them."""

    left: int = MAX_ACTIONS

    def take(self) -> bool:
        """One action; False when none is left."""
        self.left -= 1
        return self.left >= 0


@dataclass(frozen=True, slots=True)
class Errand:
    """One action with everything it is done under."""

    action: Action
    context: CallContext
    budget: Budget
    allowance: Allowance
    actions: Actions = field(default_factory=Actions)

    @property
    def brief(self) -> bool:
        """Whether several results will be worded together, so that each must be short."""
        return not self.context.wording


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one action came to; `observation` is fit to be read."""

    status: Literal["completed", "failed", "input_required"]
    observation: str
    data: ResultData | None = None
    quotes: tuple[Quote, ...] = ()
    code: str | None = None
    """Of a failure, why: one of the codes of an AgentResponse."""
    rounds: tuple[Round, ...] = ()
    """Of an action that took several."""

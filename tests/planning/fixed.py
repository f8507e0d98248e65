"""A network of agents with declarations, each of which answers an intent with the rows it was given."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.ports.agents import Unreachable
from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import AgentView

Rows = list[dict[str, Any]]


class Fixed:
    """A network of these agents; each intent answers with what it has for the parameters, or is out of reach."""

    def __init__(self, agents: Sequence[AgentView], has: Mapping[str, Any]) -> None:
        self._agents = tuple(agents)
        self._has = has
        self.asked: list[tuple[str, dict[str, Any], int]] = []

    def agents(self) -> tuple[AgentView, ...]:
        return self._agents

    async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        action = request.action_code[0]
        self.asked.append((action.tool_name, dict(action.parameter), action.trust_mode))
        found = self._has[action.tool_name]
        rows = found(dict(action.parameter)) if callable(found) else found
        if rows is None:
            return Unreachable(agent, "连接中断")
        data = {"kind": "any", "rows": rows}
        said = "查到了" if rows else "没有"
        return AgentResponse.model_validate({"status": "completed", "observation": said, "data": data})

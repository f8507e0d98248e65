"""How the core reaches agents: an agent that is down is a value, not an exception."""

from dataclasses import dataclass
from typing import Protocol

from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import AgentView


@dataclass(frozen=True, slots=True)
class Unreachable:
    """No answer was had from an agent. `reason` may be shown: it names no host. `sent`: it may have got the request."""

    agent: str
    reason: str
    sent: bool = True


class AgentNetwork(Protocol):
    """All configured agents: their cards, kept fresh, and calls to them."""

    def agents(self) -> tuple[AgentView, ...]: ...

    async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable: ...

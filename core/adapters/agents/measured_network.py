"""The network with a watch: how long each skill takes and how often it fails is told to planning."""

from core.ports.agents import AgentNetwork, Unreachable
from core.ports.planning import CallMeasures
from core.shared.call_context import CallContext
from core.shared.clock import Clock
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import AgentView


class MeasuredNetwork:
    """Implements the port AgentNetwork around another one."""

    def __init__(self, inner: AgentNetwork, measures: CallMeasures, clock: Clock) -> None:
        self._inner = inner
        self._measures = measures
        self._clock = clock

    def agents(self) -> tuple[AgentView, ...]:
        return self._inner.agents()

    async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        began = self._clock.monotonic()
        response = await self._inner.call(agent, request, context)
        well = isinstance(response, AgentResponse) and response.status != "failed"
        if len(request.action_code) == 1:  # of several the time cannot be told apart
            elapsed_ms = (self._clock.monotonic() - began) * 1000
            self._measures.note(agent, request.action_code[0].tool_name, elapsed_ms, well=well)
        return response

"""What calls cost is learnt from the calls themselves."""

from datetime import datetime

from core.adapters.agents.measured_network import MeasuredNetwork
from core.ports.agents import Unreachable
from core.reasoning.tool_costs import MeasuredCosts
from core.reasoning.tools_dag import DagTool
from core.shared.call_context import CallContext, new_traceparent
from core.shared.clock import SHANGHAI, ManualClock
from core.types.agent_protocol import Action, AgentRequest, AgentResponse
from tests.support.network import InMemoryNetwork, gone


async def test_a_call_that_took_long_or_failed_makes_its_tool_dearer() -> None:
    clock, costs, inner = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12))), MeasuredCosts(), InMemoryNetwork()

    async def slow(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        clock.advance(4)
        return AgentResponse(status="completed", observation="好了")

    inner.add("slow", ["x"], slow)
    inner.add("gone", ["x"], gone)
    network = MeasuredNetwork(inner, costs, clock)
    context = CallContext(user_id="u", session_id="s", remaining_ms=1_000, traceparent=new_traceparent())
    for agent in ("slow", "gone"):
        await network.call(agent, AgentRequest(action_code=[Action(tool_name="x")]), context)
    slow_tool, gone_tool, new = (DagTool(name, name, "x", (), ()) for name in ("slow", "gone", "new"))
    assert costs.seconds(slow_tool) == 4
    assert costs.cost(gone_tool) > costs.cost(new)

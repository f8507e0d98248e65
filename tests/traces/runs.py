"""Turns whose run is read back, and a run made by hand."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from core.bootstrap import build_backend
from core.service import Backend, ChatRequest
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import parse_settings
from core.types.memory import Message, TaskContext, TurnRecord
from core.types.trace import AgentCalled, InnerRound, ModelAsked, Phase, PromptPart, RoundTrace, StepTrace, Trace
from core.types.turn import Reply
from tests.support.network import InMemoryNetwork
from tests.support.stores import in_memory_stores

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
ID = "4bf92f3577b34da6a3ce929d0e0e4736"


class Traced:
    """One person's conversation in memory. Add agents to `network` first."""

    def __init__(self, network: InMemoryNetwork | None = None) -> None:
        self.network = network or InMemoryNetwork()
        self.clock = ManualClock(NOW)
        self.backend: Backend = build_backend(self.network, in_memory_stores(), parse_settings({}), self.clock)

    async def say(self, text: str) -> tuple[Reply, Trace]:
        reply = await self.backend.turns.chat(ChatRequest("u1", "s1", text))
        return reply, await self.of(reply)

    async def of(self, reply: Reply) -> Trace:
        assert self.backend.traces is not None
        found = await self.backend.traces.find("u1", reply.message.trace_id)
        assert found is not None
        return found


def called(agent: str = "TicketAssistant", *, started: int = 10, took: int = 80, **more: Any) -> AgentCalled:
    actions: Any = [{"tool_name": "query train tickets", "parameter": {"date": "2026-08-17"}, "job_desc": "明天的高铁"}]
    known = AgentCalled(agent, {"thought": "查高铁", "action_code": actions}, "completed", "G1 有票。", started, took)
    return replace(known, **more)


def run(*calls: AgentCalled, trace_id: str = ID, at: datetime = NOW, **more: Any) -> Trace:
    """A turn with one step, for which these calls were made."""
    calls = calls or (called(),)
    step = StepTrace(
        1, "t1", "query train tickets", "查高铁", calls[0].agent, (), "ok", {"date": "2026-08-17"}, "G1 有票。", 10, 80,
        calls=calls,
    )  # fmt: skip
    made = Trace(
        trace_id=trace_id, session_id="s1", started_at=at, elapsed_ms=100, query="明天的高铁", reply="G1 有票。",
        status="answered", outcome="tasks", phases=(Phase("understand", 0, 10), Phase("words", 90, 10)),
        rounds=(RoundTrace(1, "查高铁", (), 10, 80, (step,)),),
        asked=(ModelAsked("summary", 92, 6, calls=1, tokens=30, prompt=(PromptPart("user", "问话"),), answer="答话"),),
    )  # fmt: skip
    return replace(made, **more)


def inner(*took: int) -> tuple[InnerRound, ...]:
    return tuple(InnerRound(f"想{n}", {"tool_name": f"tool {n}"}, f"见{n}", ms) for n, ms in enumerate(took, 1))


def record(trace: Trace, user: str = "u1", place: str = "") -> TurnRecord:
    said = (Message("user", trace.query, trace.started_at, trace.trace_id),)
    return TurnRecord(user, trace.session_id, said, TaskContext(), place=place, trace=trace)

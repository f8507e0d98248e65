"""Steps run as a true DAG: side by side where they can, one after another where they must, each failing alone."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from core.language.slots import Slots
from core.ports.agents import Unreachable
from core.reasoning.executor import RoundScope, StepExecutor
from core.reasoning.routing import Router
from core.shared.call_context import CallContext, new_traceparent
from core.shared.clock import SHANGHAI, ManualClock
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.events import Event, StepEnded, StepStarted
from core.types.plan import Bind, Step, StepResult
from core.types.turn import Turn, UserMessage
from core.types.understanding import When
from tests.support.network import InMemoryNetwork, answering, gone, meeting

WEATHER, TRAIN, FLIGHT = "query weather", "query train tickets", "query flight tickets"


def step(number: int, intent: str, *depends_on: int, **more: Any) -> Step:
    slots = more.pop("slots", Slots(city="上海"))
    plain = Step(number, f"t{number}", intent, action="查", query="查", slots=slots, depends_on=depends_on)
    return replace(plain, **more)


class Bench:
    """An executor over an in-memory network, and what it told."""

    def __init__(self) -> None:
        self.network = InMemoryNetwork()
        self.clock = ManualClock(datetime(2026, 8, 16, 12, tzinfo=SHANGHAI))
        self.events: list[Event] = []

    async def run(self, *steps: Step, brief: bool = True) -> tuple[StepResult, ...]:
        executor = StepExecutor(self.network, Router(self.network, ()), agent_call_ms=120_000)
        message = UserMessage("u1", "s1", "问", new_traceparent())
        turn = Turn(message=message, clock=self.clock, started=0.0, deadline=60.0)
        return await executor.run(RoundScope(turn, 1, brief, self.events.append), steps)


@pytest.fixture
def bench() -> Bench:
    return Bench()


async def test_independent_steps_are_in_flight_together(bench: Bench) -> None:
    together = asyncio.Barrier(2)
    bench.network.add("weather", [WEATHER], meeting(together, "晴"))
    bench.network.add("ticket", [TRAIN], meeting(together, "有票"))
    results = await asyncio.wait_for(bench.run(step(1, WEATHER), step(2, TRAIN)), 5)
    assert [r.text for r in results] == ["晴", "有票"]


async def test_a_dependent_step_waits_only_for_what_it_needs(bench: Bench) -> None:
    slow_ends = asyncio.Event()

    async def slow(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        await slow_ends.wait()
        return await answering("慢")(request, context)

    async def after_fast(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        slow_ends.set()  # were a whole group waited for, this would never be reached
        return await answering("后")(request, context)

    bench.network.add("slow", [FLIGHT], slow)
    bench.network.add("fast", [WEATHER], answering("快"))
    bench.network.add("after", [TRAIN], after_fast)
    results = await asyncio.wait_for(bench.run(step(1, FLIGHT), step(2, WEATHER), step(3, TRAIN, 2)), 5)
    assert [r.status for r in results] == ["ok", "ok", "ok"]


async def test_a_failing_step_takes_only_its_dependents_down(bench: Bench) -> None:
    bench.network.add("ticket", [TRAIN], gone)
    bench.network.add("weather", [WEATHER], answering("晴"))
    results = await bench.run(step(1, TRAIN), step(2, WEATHER), step(3, WEATHER, 1))
    assert [r.status for r in results] == ["failed", "ok", "skipped"]
    assert "火车票服务暂不可用（连接中断）" in (results[0].error or "")
    assert results[2].text == "火车票这次没有查成，天气就先没有查。"


async def test_a_bug_in_one_step_is_that_steps_failure(bench: Bench) -> None:
    async def broken(request: AgentRequest, context: CallContext) -> AgentResponse:
        raise RuntimeError("secret of the house")

    bench.network.add("ticket", [TRAIN], broken)
    bench.network.add("weather", [WEATHER], answering("晴"))
    results = await bench.run(step(1, TRAIN), step(2, WEATHER))
    assert [r.status for r in results] == ["failed", "ok"]
    assert "secret" not in f"{results[0].error}{results[0].text}"


def weather(condition: str) -> Callable[..., Any]:
    async def answer(request: AgentRequest, context: CallContext) -> AgentResponse:
        data = {"kind": "weather", "rows": [{"condition_day": condition, "condition_night": "阴", "city": "杭州"}]}
        return AgentResponse.model_validate({"status": "completed", "observation": condition, "data": data})

    return answer


@pytest.mark.parametrize(
    ("condition", "test", "status"),
    [
        ("小雨", "rain", "ok"),
        ("晴", "rain", "skipped"),
        ("晴", "dry", "ok"),
        ("阵雨", "dry", "skipped"),
        ("晴", "no such", "skipped"),
    ],
)
async def test_a_condition_decides_over_the_result_of_its_step(
    bench: Bench, condition: str, test: str, status: str
) -> None:
    bench.network.add("weather", [WEATHER], weather(condition))
    bench.network.add("ticket", [TRAIN], answering("有票", kind="train"))
    results = await bench.run(step(1, WEATHER), step(2, TRAIN, 1, when=When(of="1", test=test)))
    assert results[1].status == status
    assert len(bench.network.calls) == (2 if status == "ok" else 1)


async def test_a_binding_hands_a_value_on_as_data(bench: Bench) -> None:
    bench.network.add("weather", [WEATHER], weather("晴"))
    bench.network.add("ticket", [TRAIN], answering("有票"))
    await bench.run(step(1, WEATHER), step(2, TRAIN, slots=Slots(from_city="上海"), bind=(Bind("to_city", 1, "city"),)))
    sent = bench.network.calls[1][1].action_code[0]
    assert sent.parameter == {"from_city": "上海", "to_city": "杭州"}
    assert sent.job_desc == "查"


async def test_the_call_carries_identity_deadline_and_trace(bench: Bench) -> None:
    bench.network.add("weather", [WEATHER], answering("晴"))
    bench.clock.advance(10)
    await bench.run(step(1, WEATHER), brief=False)
    context = bench.network.calls[0][2]
    assert (context.user_id, context.session_id, context.wording) == ("u1", "s1", True)
    assert context.remaining_ms == 48_500


async def test_without_time_left_nobody_is_called(bench: Bench) -> None:
    bench.network.add("weather", [WEATHER], answering("晴"))
    bench.clock.advance(59)
    results = await bench.run(step(1, WEATHER))
    assert results[0].status == "failed"
    assert bench.network.calls == []


async def test_an_agent_that_is_down_and_one_that_is_missing_are_told_apart(bench: Bench) -> None:
    async def never(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        return Unreachable(agent="weather", reason="连接中断")

    bench.network.add("weather", [WEATHER], never, healthy=False)
    results = await bench.run(step(1, WEATHER), step(2, "query concert tickets"))
    assert "暂不可用" in (results[0].error or "")
    assert "还没有开通" in (results[1].error or "")


async def test_every_started_step_ends(bench: Bench) -> None:
    bench.network.add("weather", [WEATHER], answering("晴"))
    await bench.run(step(1, WEATHER), step(2, TRAIN), step(3, WEATHER, 2))
    started = [e.step.number for e in bench.events if isinstance(e, StepStarted)]
    ended = [e.result.step.number for e in bench.events if isinstance(e, StepEnded)]
    assert set(started) == {1, 2}
    assert sorted(ended) == [1, 2, 3]

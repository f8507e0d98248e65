"""Every turn leaves its run: what was thought, sent, answered and spent, kept small and masked."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from core.memory.masking import mask
from core.memory.trace_masking import masked_trace
from core.ports.agents import Unreachable
from core.reasoning.tracing_bounds import MOST_CHARACTERS, MOST_OF_A_PROMPT, MOST_ROWS
from core.reasoning.tracing_weakest import weakest_link
from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.trace import Trace
from tests.memory.tables import rows
from tests.model.world import world
from tests.support.model_server import answer, error
from tests.support.network import answering, gone
from tests.traces.runs import Traced, run

PHONE = "13812345678"


async def test_a_round_holds_its_thought_its_action_code_its_call_and_what_came_back() -> None:
    traced = Traced()
    traced.network.add("WeatherQueryAssistant", ["query weather"], answering("上海晴。", rows=7))
    reply, trace = await traced.say("明天上海天气")
    (one,) = trace.rounds
    (step,) = one.steps
    (call,) = step.calls
    _, request, _ = traced.network.calls[0]
    assert call.request == request.model_dump(mode="json")
    assert (one.number, one.thought) == (1, request.thought)
    assert [action["tool_name"] for action in one.action_code] == ["query weather"]
    assert (step.status, step.input["city"], step.output) == ("ok", "上海", "上海晴。")
    assert (call.agent, call.status, call.observation) == ("WeatherQueryAssistant", "completed", "上海晴。")
    assert call.data is not None
    assert (len(as_list(call.data["rows"])), call.data["rows_total"]) == (MOST_ROWS, 7)
    assert (trace.query, trace.reply, trace.status) == ("明天上海天气", reply.answer.text, "answered")
    assert [phase.name for phase in trace.phases] == ["queue", "memory", "understand", "plan", "words"]


async def test_times_are_those_of_the_turn() -> None:
    traced = Traced()

    async def slow(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        traced.clock.advance(2)
        return await answering("上海晴。")(request, context)

    traced.network.add("WeatherQueryAssistant", ["query weather"], slow)
    reply, trace = await traced.say("明天上海天气")
    step = trace.rounds[0].steps[0]
    assert [step.elapsed_ms, step.calls[0].elapsed_ms, trace.rounds[0].elapsed_ms, trace.elapsed_ms] == [2000] * 4
    assert reply.elapsed_ms == trace.elapsed_ms
    assert trace.started_at == traced.clock.now().replace(second=0)


async def test_steps_that_run_at_once_keep_their_calls_apart() -> None:
    traced = Traced()
    traced.network.add("WeatherQueryAssistant", ["query weather"], answering("晴。"))
    traced.network.add("TicketAssistant", ["query train tickets"], gone)
    _, trace = await traced.say("明天北京到上海的高铁，再看看上海天气")
    calls = {step.intent: [call.agent for call in step.calls] for step in trace.rounds[0].steps}
    assert calls == {"query weather": ["WeatherQueryAssistant"], "query train tickets": ["TicketAssistant"]}
    failed = next(step for step in trace.rounds[0].steps if step.intent == "query train tickets")
    assert (failed.status, failed.calls[0].status, failed.calls[0].observation) == ("failed", "unreachable", "连接中断")
    assert trace.calls == ()


async def test_a_follow_up_and_what_is_out_of_scope_leave_a_trace_too() -> None:
    traced = Traced()
    traced.network.add("TicketAssistant", ["query train tickets"], answering("有票。"))
    _, asked = await traced.say("帮我订高铁票查一下")
    _, outside = await traced.say("帮我写一首关于秋天的诗")
    assert (asked.status, asked.rounds) == ("follow_up", ())
    assert (outside.status, outside.rounds) == ("out_of_scope", ())


async def test_the_rounds_inside_an_agent_are_kept_and_whatever_it_sends_stays_small() -> None:
    traced = Traced()

    async def talks(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        action = {"tool_name": "get_weather", "parameter": {"city": "上海"}}
        inner = {"thought": "想" * 5000, "action": action, "observation": "见" * 5000, "elapsed_ms": 3}
        row = {"title": "x" * 9000, "half": "\ud800", "deep": [[[[[[[[1]]]]]]]], "many": list(range(500)), "n": 10**30}
        return AgentResponse.model_validate({
            "status": "completed", "observation": "晴" * 9000, "rounds": [inner] * 50,
            "data": {"kind": "weather", "rows": [row] * 300}, "usage": {"model_calls": 1, "model_tokens": 40},
        })  # fmt: skip

    traced.network.add("WeatherQueryAssistant", ["query weather"], talks)
    _, trace = await traced.say("明天上海天气")
    call = trace.rounds[0].steps[0].calls[0]
    assert len(call.rounds) == 10
    assert len(call.rounds[0].thought) == len(call.observation) == MOST_CHARACTERS
    assert (call.rounds[0].action["tool_name"], call.rounds[0].elapsed_ms) == ("get_weather", 3)
    assert (call.model_calls, call.model_tokens) == (1, 40)
    assert len(TypeAdapter(Trace).dump_json(trace)) < 60_000


async def test_numbers_that_name_a_person_are_masked_wherever_they_stand() -> None:
    traced = Traced()

    async def leaks(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        inner = {"thought": PHONE, "action": {"tool_name": "t", "parameter": {"tel": PHONE}}, "observation": PHONE,
                 "elapsed_ms": 1}  # fmt: skip
        rows = [{"title": f"电话{PHONE}", "phone": int(PHONE), "list": [PHONE], "train_no": "G7505"}]
        return AgentResponse.model_validate({
            "status": "completed", "observation": f"请拨{PHONE}", "rounds": [inner],
            "data": {"kind": "weather", "rows": rows},
        })  # fmt: skip

    traced.network.add("WeatherQueryAssistant", ["query weather"], leaks)
    _, trace = await traced.say(f"我的手机是{PHONE}，查明天上海天气")
    kept = TypeAdapter(Trace).dump_json(trace).decode()
    assert PHONE not in kept
    assert "138****5678" in kept
    assert "G7505" in kept


@pytest.mark.parametrize("said", [said for said, _ in rows("masking.tsv")])
def test_a_run_is_masked_as_a_message_is(said: str) -> None:
    masked = masked_trace(run(query=said, reply=f"{said}{said}"))
    assert (masked.query, masked.reply) == (mask(said), mask(f"{said}{said}"))


async def test_what_the_model_was_asked_is_kept_with_its_cost() -> None:
    async with world() as whole:
        reply = await whole.ask("想找个暖和的海边躺平", answer('{"tasks": [], "follow_up_message": "您想去哪里？"}'))
        trace = await whole.stores.traces.find("u1", reply.message.trace_id)
    assert trace is not None
    (asked,) = trace.asked
    assert (asked.stage, asked.calls, asked.failure, asked.step) == ("intent", 1, None, None)
    assert asked.tokens == trace.model_tokens == reply.model_tokens
    assert trace.model_calls == 1
    assert "您想去哪里" in asked.answer
    assert "躺平" in asked.prompt[-1].content
    assert all(len(part.content) <= MOST_OF_A_PROMPT for part in asked.prompt)


async def test_a_model_that_fails_is_the_weakest_link() -> None:
    async with world() as whole:
        reply = await whole.ask("想找个暖和的海边躺平", *[error(401)] * 3)
        trace = await whole.stores.traces.find("u1", reply.message.trace_id)
    assert trace is not None
    assert [(asked.failure, asked.answer) for asked in trace.asked] == [("rejected", "")]
    weakest = weakest_link(trace)
    assert weakest is not None
    assert (weakest.where, weakest.why, weakest.detail) == (
        "model for intent", "degraded", "rejected: the rules took over",
    )


def as_list(value: Any) -> list[Any]:
    assert isinstance(value, list)
    return value

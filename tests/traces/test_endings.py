"""A turn that ends without an answer leaves its run too: what had been recorded, what was running and for how long."""

import asyncio

import pytest

from core.ports.agents import Unreachable
from core.reasoning.tracing_weakest import weakest_link
from core.service import ChatRequest
from core.shared.call_context import CallContext, trace_id_of
from core.shared.errors import DeadlineExceeded, UpstreamUnavailable
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.events import StepEnded
from core.types.network import AgentView
from core.types.trace import Ending, Trace
from tests.support.network import InMemoryNetwork, answering
from tests.traces.runs import Traced

ASKED = ChatRequest("u1", "s1", "明天北京到上海的高铁，再看看上海天气")
ID = trace_id_of(ASKED.traceparent)


class Stuck:
    """An agent that never answers; `reached` once it was asked."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()

    async def __call__(self, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        self.reached.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody lets it go on")


def half_stuck() -> tuple[Traced, Stuck]:
    """Trains come at once, the weather never."""
    traced, stuck = Traced(), Stuck()
    traced.network.add("TicketAssistant", ["query train tickets"], answering("有票。", kind="train"))
    traced.network.add("WeatherQueryAssistant", ["query weather"], stuck)
    return traced, stuck


async def kept(traced: Traced, user: str = "u1") -> Trace | None:
    assert traced.backend.traces is not None
    return await traced.backend.traces.find(user, ID)


async def after_its_time(traced: Traced, stuck: Stuck) -> Trace:
    asking = asyncio.create_task(traced.backend.turns.chat(ASKED))
    await stuck.reached.wait()
    traced.clock.advance(60)
    with pytest.raises(DeadlineExceeded):
        await asking
    trace = await kept(traced)
    assert trace is not None
    return trace


async def test_the_deadline_leaves_what_was_found_and_names_the_step_that_was_running() -> None:
    trace = await after_its_time(*half_stuck())
    assert trace.ending == Ending("deadline", "step 2 · query weather", 0, 60_000)
    assert (trace.status, trace.outcome, trace.reply) == ("failed", "tasks", "")
    assert trace.intents == ("query train tickets", "query weather")
    done, running = trace.rounds[0].steps
    assert (done.status, done.output) == ("ok", "有票。")
    assert (running.status, running.agent, running.elapsed_ms) == ("unfinished", "WeatherQueryAssistant", 60_000)
    assert [(call.status, call.elapsed_ms) for call in running.calls] == [("unfinished", 60_000)]
    assert [action["tool_name"] for action in trace.rounds[0].action_code] == ["query train tickets", "query weather"]


async def test_what_ran_when_the_time_was_over_is_the_weakest_link() -> None:
    link = weakest_link(await after_its_time(*half_stuck()))
    assert link is not None
    assert (link.where, link.why, link.elapsed_ms) == ("step 2 · query weather", "unfinished", 60_000)


async def test_a_client_that_leaves_leaves_a_run() -> None:
    traced, stuck = half_stuck()
    stream = traced.backend.turns.stream(ASKED)
    async for event in stream:
        if isinstance(event, StepEnded):
            await stuck.reached.wait()
            break
    await stream.aclose()
    trace = await kept(traced)
    assert trace is not None
    assert trace.ending is not None
    assert (trace.ending.why, trace.ending.where, trace.status) == ("cancelled", "step 2 · query weather", "cancelled")


class Lost(InMemoryNetwork):
    """A network whose list of agents is lost some time."""

    lost = False

    def agents(self) -> tuple[AgentView, ...]:
        if self.lost:
            raise UpstreamUnavailable("名册读不到")
        return super().agents()


async def test_an_error_leaves_a_run_that_tells_its_kind_and_where_it_was() -> None:
    network = Lost()
    traced = Traced(network)
    network.lost = True
    with pytest.raises(UpstreamUnavailable):
        await traced.backend.turns.chat(ASKED)
    trace = await kept(traced)
    assert trace is not None
    assert trace.ending is not None
    ending = trace.ending
    assert (ending.why, ending.where, ending.detail) == ("error", "understand", "upstream_unavailable")
    assert trace.outcome == "unknown"


async def test_a_turn_that_ended_is_no_conversation_and_its_place_is_free() -> None:
    traced, stuck = half_stuck()
    await after_its_time(traced, stuck)
    known = await traced.backend.memory.read("u1", "s1")
    assert known.short_term == ()
    traced.network.add("WeatherQueryAssistant", ["query weather"], answering("晴。"))
    reply, trace = await traced.say("明天上海天气")
    assert (reply.answer.status, trace.ending) == ("answered", None)


async def test_of_what_was_erased_meanwhile_no_run_is_left() -> None:
    traced, stuck = half_stuck()
    asking = asyncio.create_task(traced.backend.turns.chat(ASKED))
    await stuck.reached.wait()
    await traced.backend.memory.erase("u1")
    traced.clock.advance(60)
    with pytest.raises(DeadlineExceeded):
        await asking
    assert await kept(traced) is None


async def test_anothers_run_is_like_none() -> None:
    traced, stuck = half_stuck()
    await after_its_time(traced, stuck)
    assert await kept(traced, "u2") is None

"""The twelve model calls of a turn: never more, however many agents are asked at once."""

import asyncio
from datetime import datetime

import pytest

from core.language.slots import Slots
from core.ports.agents import Unreachable
from core.reasoning.executor import KEPT_BACK, LENT, LENT_BRIEF, RoundScope, StepExecutor
from core.reasoning.routing import Router
from core.shared.call_context import CallContext, new_traceparent
from core.shared.clock import SHANGHAI, ManualClock
from core.types.agent_protocol import AgentRequest, AgentResponse, Usage
from core.types.budget import MOST_CALLS, Budget
from core.types.plan import Step
from core.types.turn import Turn, UserMessage
from tests.support.network import Handler, InMemoryNetwork


def _budget(calls: int = MOST_CALLS) -> Budget:
    return Budget(lambda: 60.0, calls)


def test_what_is_lent_to_several_is_never_more_than_there_is() -> None:
    budget = _budget(5)
    assert [budget.lend(2) for _ in range(4)] == [2, 2, 1, 0]
    assert not budget.try_take()


def test_what_is_not_spent_comes_back() -> None:
    budget = _budget(5)
    lent = budget.lend(4)
    budget.settle(lent, 1, 70)
    assert (budget.left, budget.calls, budget.tokens) == (4, 1, 70)


def test_some_are_kept_back() -> None:
    budget = _budget(4)
    assert [budget.lend(2, keep=3), budget.lend(2, keep=3)] == [1, 0]
    assert budget.left == 3


@pytest.mark.parametrize(("claimed", "counted"), [(99, 3), (-5, 0), (3, 3)])
def test_a_claim_counts_within_what_was_lent(claimed: int, counted: int) -> None:
    budget = _budget()
    budget.settle(budget.lend(3), claimed, -1)
    assert (budget.calls, budget.left, budget.tokens) == (counted, MOST_CALLS - counted, 0)


def test_a_turn_that_asks_no_more_gets_nothing_back() -> None:
    budget = _budget()
    lent = budget.lend(3)
    budget.degrade(ask_no_more=True)
    budget.settle(lent, 0, 0)
    assert budget.left == 0


async def _run(network: InMemoryNetwork, steps: int, budget: Budget, *, brief: bool) -> list[int]:
    """Every step at once; how many calls each agent was granted."""
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    message = UserMessage("u1", "s1", "查", new_traceparent())
    turn = Turn(message, clock, clock.monotonic(), clock.monotonic() + 60, budget=budget)
    scope = RoundScope(turn, 1, brief, lambda event: None)
    plan = [Step(n, f"t{n}", "query weather", "查", "查", Slots(city="上海")) for n in range(1, steps + 1)]
    await StepExecutor(network, Router(network, ()), 120_000).run(scope, plan)
    return [context.model_calls_left for _, _, context in network.calls]


def _spending(usage: Usage, together: asyncio.Barrier | None = None) -> Handler:
    async def answer(request: AgentRequest, context: CallContext) -> AgentResponse:
        if together is not None:
            await together.wait()
        return AgentResponse(status="completed", observation="晴。", usage=usage)

    return answer


async def _lost(request: AgentRequest, context: CallContext) -> Unreachable:
    return Unreachable(agent="w", reason="连接中断", sent=True)


async def _not_sent(request: AgentRequest, context: CallContext) -> Unreachable:
    return Unreachable(agent="w", reason="还没有连上", sent=False)


def _network(handler: Handler) -> InMemoryNetwork:
    network = InMemoryNetwork()
    network.add("w", ["query weather"], handler)
    return network


@pytest.mark.parametrize("steps", [2, 4, 12])
async def test_agents_asked_at_once_share_what_there_is(steps: int) -> None:
    budget = _budget()
    together = asyncio.Barrier(steps)
    granted = await _run(_network(_spending(Usage(model_calls=99), together)), steps, budget, brief=True)
    assert sum(granted) <= MOST_CALLS - KEPT_BACK
    assert granted[0] == LENT_BRIEF
    assert budget.calls == sum(granted)
    assert budget.left >= KEPT_BACK


async def test_a_single_agent_may_word_its_result_too() -> None:
    budget = _budget()
    assert await _run(_network(_spending(Usage(model_calls=1, model_tokens=9))), 1, budget, brief=False) == [LENT]
    assert (budget.calls, budget.tokens, budget.left) == (1, 9, MOST_CALLS - 1)


@pytest.mark.parametrize(("handler", "left"), [(_lost, MOST_CALLS - LENT), (_not_sent, MOST_CALLS)])
async def test_an_agent_that_was_lost_may_have_spent_all_it_had(handler: Handler, left: int) -> None:
    budget = _budget()
    await _run(_network(handler), 1, budget, brief=False)
    assert (budget.left, budget.calls) == (left, 0)


async def test_an_agent_that_had_to_do_without_its_model_makes_the_turn_degraded() -> None:
    budget = _budget()
    await _run(_network(_spending(Usage(degraded=True))), 1, budget, brief=False)
    assert budget.degraded

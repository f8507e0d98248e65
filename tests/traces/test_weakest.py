"""The weakest link is the first that failed, else the first that was degraded, else what took longest."""

import pytest

from core.reasoning.tracing_weakest import weakest_link
from core.types.trace import ModelAsked, Trace
from tests.traces.runs import called, inner, run

CASES = [
    (run(called()), "step 1 · TicketAssistant · query train tickets", "slow", "80 of 100 ms (80 %)"),
    (
        run(called(rounds=inner(5, 70))),
        "step 1 · TicketAssistant · query train tickets · inner round 2 (tool 2)", "slow", "80 of 100 ms (80 %)",
    ),
    (
        run(called(), called("Other", started=20, status="failed", code="refused", observation="卖完了")),
        "step 1 · Other · query train tickets", "failed", "failed (refused): 卖完了",
    ),
    (
        run(called(started=30, status="unreachable"), called("Other", started=20, status="failed", observation="不行")),
        "step 1 · Other · query train tickets", "failed", "failed: 不行",
    ),
    (
        run(called(degraded=True)),
        "step 1 · TicketAssistant · query train tickets", "degraded",
        "its rules did what its language model should have done",
    ),
    (
        run(called(took=20), asked=(ModelAsked("intent", 0, 60),)),
        "model for intent", "slow", "60 of 100 ms (60 %)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("trace", "where", "why", "detail"), CASES)
def test_the_weakest_link_is_named_with_its_reason(trace: Trace, where: str, why: str, detail: str) -> None:
    link = weakest_link(trace)
    assert link is not None
    assert (link.where, link.why, link.detail) == (where, why, detail)


def test_a_turn_that_took_no_time_has_none() -> None:
    assert weakest_link(run(rounds=(), phases=(), asked=())) is None

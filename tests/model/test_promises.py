"""What SmartVoyage promises of its model under faults, each promise through the whole turn."""

import asyncio
import itertools
import json
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from core.language.slots import Slots
from core.reasoning.plan_check import ImpossiblePlan, check_plan
from core.types.plan import MAX_STEPS, Step
from core.types.turn import Reply
from tests.llm.test_outputs import outcome
from tests.model.test_outputs import CONDITIONAL, GOOD_PLAN, GOOD_WORDS, TWO
from tests.model.world import World, planned, task, understood
from tests.support.model_server import DONE, UNANSWERED, Act, Pause, chunk, error, streamed

VAGUE = "琢磨琢磨下周五从北京去上海的高铁票"
EVERYTHING = f"整一下，{CONDITIONAL}，再弄几个杭州的景点"
DRIP = streamed(*[part for _ in range(400) for part in (chunk("杭"), Pause(5))])


async def _while_time_passes(whole: World, asking: Awaitable[Reply]) -> Reply:
    """The reply, while nothing but the clock moves, a second at a time."""
    turn = asyncio.ensure_future(asking)
    while not turn.done():
        await asyncio.wait({turn}, timeout=0.005)
        whole.clock.advance(1)
    return await turn


@pytest.mark.parametrize("text", [VAGUE, TWO, CONDITIONAL, EVERYTHING])
@pytest.mark.parametrize("act", [UNANSWERED, DRIP], ids=["hangs", "drips"])
async def test_promise_13_any_turn_ends_with_an_answer_within_sixty_seconds(
    whole: World, text: str, act: Act
) -> None:
    whole.server.plays(act)
    reply = await _while_time_passes(whole, whole.ask(text))
    assert reply.elapsed_ms <= 60_000
    assert reply.answer.text
    assert reply.answer.degraded


@pytest.mark.parametrize("status", [429, 500, 503])
@pytest.mark.parametrize("text", [VAGUE, TWO, CONDITIONAL, EVERYTHING])
async def test_promise_14_a_stage_makes_three_calls_and_a_turn_twelve_at_most(
    whole: World, text: str, status: int
) -> None:
    reply = await whole.ask(text, error(status))
    stages = whole.stages
    assert all(stages.count(stage) <= 3 for stage in set(stages))
    assert reply.model_calls == len(stages) <= 12


async def test_promise_15_retry_after_is_waited_for_where_it_fits(whole: World) -> None:
    began = whole.clock.monotonic()
    good = understood(task("query train tickets", from_city="北京", to_city="上海", date="2026-08-21"))
    reply = await whole.ask(VAGUE, error(429, retry_after="7"), good)
    assert whole.stages == ["intent", "intent"]
    assert whole.clock.monotonic() - began >= 7
    assert not reply.answer.degraded


async def test_promise_15_a_retry_after_beyond_the_turn_is_not_waited_for(whole: World) -> None:
    began = whole.clock.monotonic()
    reply = await whole.ask(VAGUE, error(429, retry_after="600"))
    assert whole.stages == ["intent"]
    assert whole.clock.monotonic() - began < 1
    assert reply.answer.degraded


@pytest.mark.parametrize(
    "act",
    [error(400), error(401), error(403), error(404), error(429, code="insufficient_quota"), error(402)],
    ids=["400", "401", "403", "404", "quota", "402"],
)
async def test_promise_15_what_waiting_cannot_mend_is_asked_once_in_a_turn(whole: World, act: Act) -> None:
    reply = await whole.ask(VAGUE, act)
    assert len(whole.stages) == 1
    assert (reply.answer.status, reply.answer.degraded) == ("answered", True)


async def test_promise_18_after_five_failures_the_rules_answer_without_a_call_until_one_probe(whole: World) -> None:
    whole.server.plays(error(500))
    for number in range(2):
        await whole.ask(VAGUE, session=f"s{number}")
    assert len(whole.stages) == 5
    began = whole.clock.monotonic()
    for number in range(20):
        reply = await whole.ask(VAGUE, session=f"open{number}")
        assert (reply.answer.status, reply.answer.degraded, reply.model_calls) == ("answered", True, 0)
    assert (len(whole.stages), whole.clock.monotonic()) == (5, began)
    whole.clock.advance(30)
    await whole.ask(VAGUE, session="probe")
    await whole.ask(VAGUE, session="after")
    assert len(whole.stages) == 6


async def test_promise_18_a_probe_that_succeeds_brings_the_model_back(whole: World) -> None:
    whole.server.plays(error(500))
    for number in range(2):
        await whole.ask(VAGUE, session=f"s{number}")
    whole.clock.advance(30)
    reply = await whole.ask(TWO, GOOD_WORDS, session="probe")
    assert not reply.answer.degraded
    assert whole.stages[-1] == "summary"


@pytest.mark.parametrize("size", [1, 2, 3, 5])
async def test_promise_22_characters_cut_anywhere_upstream_arrive_whole(whole: World, size: int) -> None:
    words = b"".join(part for part in GOOD_WORDS.parts if isinstance(part, bytes))
    whole.server.plays(streamed(*[words[at : at + size] for at in range(0, len(words), size)], DONE))
    reply = await whole.ask(TWO)
    assert "\ufffd" not in reply.answer.text
    assert "后天杭州多云转小雨。G7505二等座73元" in reply.answer.text
    assert not reply.answer.degraded


async def test_promise_22_a_character_that_was_lost_upstream_is_not_shown(whole: World) -> None:
    lost = streamed(chunk("后天杭州多云\ufffd转小雨。G7505二等座73元。", finish="stop"), DONE)
    reply = await whole.ask(TWO, lost)
    assert "\ufffd" not in reply.answer.text


def test_promise_24_of_repairable_outputs_95_percent_are_read_and_of_the_others_none() -> None:
    folder = Path(__file__).parents[1] / "llm" / "cases"
    lines = (line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines())
    cases = [case for line in lines if (case := json.loads(line)).get("stage") in ("intent", "plan")]
    readable = [case for case in cases if case["expect"]["action"] == "parse"]
    refused = [case for case in cases if case["expect"]["action"] in ("reask", "fail")]
    read = [case for case in readable if outcome(case)[0] == "parse"]
    assert len(read) >= 0.95 * len(readable) > 60
    assert len(refused) > 60
    assert [case["id"] for case in refused if outcome(case)[0] == "parse"] == []


IMPOSSIBLE: dict[str, list[dict[str, Any]]] = {
    "itself": [{"step": 1, "depends_on": 1}],
    "one another": [{"step": 1, "depends_on": 2}, {"step": 2, "depends_on": 1}],
    "a ring": [{"step": n, "depends_on": n % 5 + 1} for n in range(1, 6)],
    "nobody": [{"step": 1, "depends_on": 9}],
    "too many": [{"step": n, "depends_on": 0} for n in range(1, 60)],
    "twice": [{"step": 1, "depends_on": 0}, {"step": 1, "depends_on": 0}],
}


@pytest.mark.parametrize("kind", IMPOSSIBLE)
async def test_promise_25_an_impossible_plan_is_refused_before_any_call(whole: World, kind: str) -> None:
    plan = planned(*[{"task": "t1", "intent": "query weather", "action": "", **step} for step in IMPOSSIBLE[kind]])
    asked_when_planned: list[int] = []
    whole.agent.watch = lambda: asked_when_planned.append(whole.stages.count("plan"))
    reply = await whole.ask(CONDITIONAL, plan, GOOD_PLAN, GOOD_WORDS)
    assert set(asked_when_planned) == {2}
    assert whole.stages[:2] == ["plan", "plan"]
    assert reply.answer.status == "answered"


def test_promise_25_every_graph_of_four_steps_is_accepted_or_refused_and_never_hangs() -> None:
    numbers = range(1, 5)
    for waits in itertools.product(range(6), repeat=4):
        steps = [step(number, of) for number, of in zip(numbers, waits, strict=True)]
        assert _is_possible(steps) == _ends(dict(zip(numbers, waits, strict=True)))
    assert not _is_possible([step(number, 0) for number in range(1, MAX_STEPS + 2)])


def step(number: int, waits_for: int) -> Step:
    depends_on = (waits_for,) if waits_for else ()
    return Step(number, f"t{number}", "query weather", "", "", Slots(), depends_on=depends_on)


def _is_possible(steps: list[Step]) -> bool:
    try:
        check_plan(steps)
    except ImpossiblePlan:
        return False
    return True


def _ends(waits: dict[int, int]) -> bool:
    """Whether following what each step waits for leads from every step to one that waits for nothing."""
    for start in waits:
        step, seen = start, set[int]()
        while step and step not in seen and step in waits:
            seen.add(step)
            step = waits[step]
        if step:
            return False
    return True

"""Makes the record of a turn from its log: when its answer is there, or when it ends without one."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from core.reasoning.tracing import Decided, TurnLog
from core.reasoning.tracing_bounds import bounded_object, cut, excerpt
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action
from core.types.events import StepStarted
from core.types.plan import Step, StepResult
from core.types.trace import AgentCalled, Ending, RoundTrace, StepTrace, Trace
from core.types.turn import Answer, CacheLevel
from core.types.understanding import Understanding

log = logging.getLogger(__name__)

MOST_WORDS = 4_000
"""Characters kept of the message and of the reply: a message has no more."""


def trace_of(seen: TurnLog, answer: Answer, level: CacheLevel | None) -> Trace | None:
    """The turn's record; None where it cannot be made, which must never cost the person their answer."""
    return _without_failing(lambda: _answered(seen, answer, level))


def unanswered(seen: TurnLog, why: str, detail: str = "") -> Trace | None:
    """The record of a turn that ended without an answer: what had been written of it, and what was going on."""
    return _without_failing(lambda: _ended(seen, why, detail))


def _without_failing(make: Callable[[], Trace]) -> Trace | None:
    try:
        return make()
    except Exception:  # the edge of what nobody waits for
        log.exception("the turn leaves no trace")
        return None


def _answered(seen: TurnLog, answer: Answer, level: CacheLevel | None) -> Trace:
    seen.phase("words")
    made = _made(seen, answer.understanding)
    return replace(
        made,
        reply=cut(answer.text, MOST_WORDS),
        status=answer.status,
        cache_level=level,
        degraded=answer.degraded,
    )


def _ended(seen: TurnLog, why: str, detail: str) -> Trace:
    where, since = seen.now()
    if not seen.running:
        seen.phase(where)
    ending = Ending(why, where, since, seen.turn.elapsed_ms() - since, cut(detail))
    status = "cancelled" if why == "cancelled" else "failed"
    return replace(_made(seen, seen.understood), status=status, ending=ending)


def _made(seen: TurnLog, understood: Understanding | None) -> Trace:
    turn, message = seen.turn, seen.turn.message
    elapsed = turn.elapsed_ms()
    return Trace(
        trace_id=message.trace_id,
        session_id=message.session_id,
        started_at=turn.clock.now() - timedelta(milliseconds=elapsed),
        elapsed_ms=elapsed,
        query=cut(message.text, MOST_WORDS),
        reply="",
        status="",
        outcome=understood.outcome if understood else "unknown",
        intents=tuple(dict.fromkeys(cut(task.intent) for task in understood.tasks)) if understood else (),
        degraded=turn.budget.degraded,
        model_calls=turn.budget.calls,
        model_tokens=turn.budget.tokens,
        phases=tuple(seen.phases),
        rounds=_rounds(seen),
        calls=tuple(call for step, call in seen.calls if step is None),
        asked=tuple(seen.asked),
    )


def _rounds(seen: TurnLog) -> tuple[RoundTrace, ...]:
    calls: dict[int, list[AgentCalled]] = {}
    for number, call in seen.calls:
        if number is not None:
            calls.setdefault(number, []).append(call)
    results = {result.step.number: result for result in seen.results}
    now = seen.turn.elapsed_ms()
    results |= {number: _so_far(started, now) for number, started in seen.running.items()}
    last = {step.number: place for place, decided in enumerate(seen.decided) for step in decided.steps}
    return tuple(
        _round(decided, {n: r for n, r in results.items() if last.get(n) == place}, calls, set(seen.running))
        for place, decided in enumerate(seen.decided)
    )


def _so_far(started: StepStarted, now: int) -> StepResult:
    took = now - started.started_ms
    return StepResult(
        started.step, "failed", started.round, agent=started.agent, started_ms=started.started_ms, elapsed_ms=took
    )


def _round(
    decided: Decided, results: Mapping[int, StepResult], calls: Mapping[int, list[AgentCalled]], running: set[int]
) -> RoundTrace:
    ended = [results[step.number] for step in decided.steps if step.number in results]
    last = max((result.started_ms + result.elapsed_ms for result in ended), default=decided.at_ms)
    steps = (_step(result, calls.get(result.step.number, ())) for result in ended)
    return RoundTrace(
        number=decided.round,
        thought=cut(decided.thought or "；".join(step.action for step in decided.steps)),
        action_code=tuple(_action(step) for step in decided.steps),
        started_ms=decided.at_ms,
        elapsed_ms=max(0, last - decided.at_ms),
        steps=tuple(replace(step, status="unfinished") if step.number in running else step for step in steps),
        considered=decided.considered,
    )


def _action(step: Step) -> JsonObject:
    """The step in the form of the message between agents."""
    action = Action.model_construct(
        tool_name=step.intent, parameter=step.slots.to_json(), job_desc=step.query, trust_mode=step.trust_mode
    )
    return bounded_object(action.model_dump(mode="json"))


def _step(result: StepResult, calls: Sequence[AgentCalled]) -> StepTrace:
    step = result.step
    return StepTrace(
        number=step.number,
        task=cut(step.task),
        intent=cut(step.intent),
        action=cut(step.action),
        agent=result.agent,
        depends_on=step.depends_on,
        status=result.status,
        input=bounded_object(step.slots.to_json()),
        output=cut(result.text),
        started_ms=result.started_ms,
        elapsed_ms=result.elapsed_ms,
        data=None if calls else excerpt(result.data),
        error=None if result.error is None else cut(result.error),
        incomplete=result.incomplete,
        calls=tuple(calls),
    )

"""Makes the record of a turn from its log, when its answer is there."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from core.reasoning.tracing import Decided, TurnLog
from core.reasoning.tracing_bounds import bounded_object, cut, excerpt
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action
from core.types.plan import Step, StepResult
from core.types.trace import AgentCalled, RoundTrace, StepTrace, Trace
from core.types.turn import Answer, CacheLevel

log = logging.getLogger(__name__)

MOST_WORDS = 4_000
"""Characters kept of the message and of the reply: a message has no more."""


def trace_of(seen: TurnLog, answer: Answer, level: CacheLevel | None) -> Trace | None:
    """The turn's record; None where it cannot be made, which must never cost the person their answer."""
    try:
        return _made(seen, answer, level)
    except Exception:  # the edge of what nobody waits for
        log.exception("the turn leaves no trace")
        return None


def _made(seen: TurnLog, answer: Answer, level: CacheLevel | None) -> Trace:
    seen.phase("words")
    turn, message = seen.turn, seen.turn.message
    elapsed = turn.elapsed_ms()
    return Trace(
        trace_id=message.trace_id,
        session_id=message.session_id,
        started_at=turn.clock.now() - timedelta(milliseconds=elapsed),
        elapsed_ms=elapsed,
        query=cut(message.text, MOST_WORDS),
        reply=cut(answer.text, MOST_WORDS),
        status=answer.status,
        outcome=answer.understanding.outcome,
        intents=tuple(dict.fromkeys(cut(task.intent) for task in answer.understanding.tasks)),
        cache_level=level,
        degraded=answer.degraded,
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
    return tuple(_round(decided, results, calls) for decided in seen.decided)


def _round(decided: Decided, results: dict[int, StepResult], calls: dict[int, list[AgentCalled]]) -> RoundTrace:
    ended = [results[step.number] for step in decided.steps if step.number in results]
    last = max((result.started_ms + result.elapsed_ms for result in ended), default=decided.at_ms)
    return RoundTrace(
        number=decided.round,
        thought=cut("；".join(step.action for step in decided.steps)),
        action_code=tuple(_action(step) for step in decided.steps),
        started_ms=decided.at_ms,
        elapsed_ms=max(0, last - decided.at_ms),
        steps=tuple(_step(result, calls.get(result.step.number, ())) for result in ended),
    )


def _action(step: Step) -> JsonObject:
    """The step in the form of the message between agents."""
    action = Action.model_construct(tool_name=step.intent, parameter=step.slots.to_json(), job_desc=step.query)
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

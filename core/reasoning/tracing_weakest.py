"""The weakest link of a run: errors add up along a chain, so the first that failed counts, else what took longest."""

from collections.abc import Iterator

from core.types.trace import AgentCalled, Phase, StepTrace, Trace, WeakLink

_FAILED = ("failed", "unreachable")


def weakest_link(trace: Trace) -> WeakLink | None:
    """What ran when the time was over; else what failed first, else what was degraded first, else the slowest.

    None for a turn that took no time.
    """
    if (end := trace.ending) is not None and end.why != "cancelled":
        why = "unfinished" if end.why == "deadline" else "failed"
        said = f"{end.elapsed_ms} ms, then the turn's time was over" if end.why == "deadline" else end.detail
        return WeakLink(end.where, why, said, end.started_ms, end.elapsed_ms)
    if failed := _first(_failed(trace)):
        return failed
    if degraded := _first(_degraded(trace)):
        return degraded
    slowest = max(_links(trace), key=lambda link: link.elapsed_ms, default=None)
    return slowest if slowest is not None and slowest.elapsed_ms > 0 else None


def _first(links: Iterator[WeakLink]) -> WeakLink | None:
    return min(links, key=lambda link: link.started_ms, default=None)


def _failed(trace: Trace) -> Iterator[WeakLink]:
    for step, call in _calls(trace):
        if call.status in _FAILED:
            code = f" ({call.code})" if call.code else ""
            said = f"{call.status}{code}: {call.observation}"
            yield WeakLink(_place(step, call), "failed", said, call.started_ms, call.elapsed_ms)
    for step in _steps(trace):
        if step.status == "failed" and not any(call.status in _FAILED for call in step.calls):
            yield WeakLink(_of(step), "failed", step.error or step.output, step.started_ms, step.elapsed_ms)


def _degraded(trace: Trace) -> Iterator[WeakLink]:
    for step, call in _calls(trace):
        if call.degraded:
            said = "its rules did what its language model should have done"
            yield WeakLink(_place(step, call), "degraded", said, call.started_ms, call.elapsed_ms)
    for step in _steps(trace):
        if step.incomplete:
            said = "somebody who was asked was not heard"
            yield WeakLink(_of(step), "degraded", said, step.started_ms, step.elapsed_ms)
    for asked in trace.asked if trace.degraded else ():
        if asked.failure is not None:
            where, said = f"model for {asked.stage}", f"{asked.failure}: the rules took over"
            yield WeakLink(where, "degraded", said, asked.started_ms, asked.elapsed_ms)


def _links(trace: Trace) -> Iterator[WeakLink]:
    """Everything that took time, by itself: what was asked within a phase is not counted twice."""
    for step, call in _calls(trace):
        yield _slow(_place(step, call), call.started_ms, call.elapsed_ms, trace)
    for step in _steps(trace):
        if not step.calls:
            yield _slow(_of(step), step.started_ms, step.elapsed_ms, trace)
    for asked in trace.asked:
        yield _slow(f"model for {asked.stage}", asked.started_ms, asked.elapsed_ms, trace)
    for phase in trace.phases:
        yield _slow(phase.name, phase.started_ms, _by_itself(phase, trace), trace)


def _by_itself(phase: Phase, trace: Trace) -> int:
    within = range(phase.started_ms, phase.started_ms + phase.elapsed_ms + 1)
    others = [(asked.started_ms, asked.elapsed_ms) for asked in trace.asked]
    others += [(call.started_ms, call.elapsed_ms) for call in trace.calls]
    return max(0, phase.elapsed_ms - sum(took for started, took in others if started in within))


def _slow(where: str, started: int, took: int, trace: Trace) -> WeakLink:
    share = round(100 * took / trace.elapsed_ms) if trace.elapsed_ms else 0
    return WeakLink(where, "slow", f"{took} of {trace.elapsed_ms} ms ({share} %)", started, took)


def _steps(trace: Trace) -> Iterator[StepTrace]:
    return (step for one in trace.rounds for step in one.steps)


def _calls(trace: Trace) -> Iterator[tuple[StepTrace | None, AgentCalled]]:
    yield from ((None, call) for call in trace.calls)
    yield from ((step, call) for step in _steps(trace) for call in step.calls)


def _of(step: StepTrace) -> str:
    return f"step {step.number} · {step.intent}"


def _place(step: StepTrace | None, call: AgentCalled) -> str:
    """The call, down to the inner round that took most of it."""
    tool = call.request.get("action_code")
    first = tool[0] if isinstance(tool, list) and tool else None
    name = first.get("tool_name") if isinstance(first, dict) else None
    where = f"{f'step {step.number} · ' if step else ''}{call.agent} · {name or '?'}"
    longest = max(enumerate(call.rounds, 1), key=lambda pair: pair[1].elapsed_ms, default=None)
    if longest is None or len(call.rounds) < 2 or longest[1].elapsed_ms * 2 < call.elapsed_ms:
        return where
    return f"{where} · inner round {longest[0]} ({longest[1].action.get('tool_name')})"

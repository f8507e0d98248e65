"""Runs a plan as a true DAG: a step starts the moment what it needs is done, and its failure stays its own."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.language.slots import SLOT_NAMES, slots_from_json
from core.ports.agents import AgentNetwork, Unreachable
from core.reasoning.conditions import passes
from core.reasoning.guard_words import without_links
from core.reasoning.labels import label
from core.reasoning.left_out import why_not
from core.reasoning.merging import merged
from core.reasoning.plan_check import check_plan, needs
from core.reasoning.routing import Route, Router
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action, AgentRequest, AgentResponse
from core.types.budget import Budget
from core.types.events import Emit, Planned, StepEnded, StepStarted
from core.types.plan import MAX_ROUNDS, MAX_STEPS, AgentQuote, Bind, Plan, Step, StepResult, StepStatus
from core.types.turn import Turn

log = logging.getLogger(__name__)

NextTask = Callable[[Step, tuple[StepResult, ...], int], Awaitable[Plan]]
"""From a step, what it has waited for and the first free number to what is to run in its place."""

# Kept back from the turn's time so that a slow agent still leaves room for saying what the others found.
RESERVE_MS = 1_500

LENT, LENT_BRIEF = 4, 2
"""Model calls that one agent may make: for its parameters and, where its words stand alone, for those."""

KEPT_BACK = 3
"""Model calls that agents asked together leave to the stage that words what they bring."""

_STATUS: dict[str, StepStatus] = {"completed": "ok", "failed": "failed", "input_required": "input_required"}


@dataclass(frozen=True, slots=True)
class RoundScope:
    """What all steps of one round share. `brief`: several results will be worded together, so each is kept short.

    `next_task` predicts anew what waited for a step with trust_mode 0; without it all runs as it was planned.
    """

    turn: Turn
    number: int
    brief: bool
    emit: Emit
    next_task: NextTask | None = None


@dataclass(slots=True)
class _Run:
    """The steps of one call of `run` and those added on the way: the free number, and how many there are."""

    free: int
    count: int
    added: dict[int, list[StepResult]] = field(default_factory=dict)
    """By the number of the step before which they ran."""


class StepExecutor:
    """Carries steps out over the network and the core's own skills. Holds no state of any turn."""

    def __init__(self, network: AgentNetwork, router: Router, agent_call_ms: int) -> None:
        self._network = network
        self._router = router
        self._agent_call_ms = agent_call_ms

    async def run(
        self, scope: RoundScope, steps: Sequence[Step], earlier: Sequence[StepResult] = ()
    ) -> tuple[StepResult, ...]:
        """Results in the order of `steps`. Raises ImpossiblePlan before the first call."""
        done = {result.step.number: result for result in earlier}
        check_plan(steps, done)
        run = _Run(max([*done, *(step.number for step in steps)], default=0) + 1, len(done) + len(steps))
        running: dict[int, asyncio.Task[StepResult]] = {}
        async with asyncio.TaskGroup() as group:
            for step in _dependencies_first(steps):
                waits = {n: running[n] for n in needs(step) if n in running}
                known = {n: done[n] for n in needs(step) if n in done}
                running[step.number] = group.create_task(self._when_ready(run, scope, step, waits, known))
        return tuple(
            result for step in steps for result in (*run.added.get(step.number, ()), running[step.number].result())
        )

    async def _when_ready(
        self,
        run: _Run,
        scope: RoundScope,
        step: Step,
        waits: Mapping[int, asyncio.Task[StepResult]],
        known: Mapping[int, StepResult],
    ) -> StepResult:
        before = {**known, **{number: await task for number, task in waits.items()}}
        foreseen = await self._foreseen(run, scope, step, before)
        return await self._done(foreseen.scope, foreseen.step, foreseen.before, foreseen.reason)

    async def _done(
        self, scope: RoundScope, step: Step, before: Mapping[int, StepResult], reason: str = ""
    ) -> StepResult:
        started = scope.turn.elapsed_ms()
        if reason := reason or why_not(step, before, self._name):
            blank = StepResult(step=step, status="skipped", round=scope.number, title=self._name(step.intent))
            result = replace(blank, text=reason, started_ms=started)
        else:
            result = await self._guarded(scope, _bound(step, before), started)
        scope.emit(StepEnded(result))
        return result

    async def _foreseen(
        self, run: _Run, scope: RoundScope, step: Step, before: Mapping[int, StepResult]
    ) -> "_Foreseen":
        """What is to be done now, after what has to be done first; every change of the plan is a round of its own."""
        number, now = step.number, _Foreseen(scope, step, before)
        while now.is_open and (plan := await _predicted(run, now)) is not None:
            if not plan.steps:
                return replace(now, reason=plan.thought)
            run.free, run.count = run.free + len(plan.steps) - 1, run.count + len(plan.steps) - 1
            scope.emit(Planned(now.scope.number + 1, plan.steps, plan.thought, plan.considered))
            now = replace(now, scope=replace(now.scope, number=now.scope.number + 1), step=plan.steps[-1])
            found = {n: result for n, result in now.before.items()}
            for first in plan.steps[:-1]:
                found[first.number] = await self._done(now.scope, first, {n: found[n] for n in needs(first)})
                run.added.setdefault(number, []).append(found[first.number])
            if len(plan.steps) == 1:
                break
            now = replace(now, before={n: found[n] for n in needs(now.step)})
        return now

    async def _guarded(self, scope: RoundScope, step: Step, started: int) -> StepResult:
        route = self._router.route(step.intent)
        scope.emit(StepStarted(step=step, agent=route.name, round=scope.number, started_ms=started))
        blank = StepResult(step=step, status="failed", round=scope.number, agent=route.name, started_ms=started)
        blank = replace(blank, title=self._name(step.intent))
        try:
            result = await self._carry_out(scope, step, route, blank)
        except Exception:  # the edge of a step: a bug in one must not take the others down
            log.exception("step failed", extra={"step": step.number, "intent": step.intent})
            result = replace(blank, error=f"{blank.title}处理时出了差错，没有办成。")
        return replace(result, elapsed_ms=scope.turn.elapsed_ms() - started)

    async def _carry_out(self, scope: RoundScope, step: Step, route: Route, blank: StepResult) -> StepResult:
        if route.local is not None:
            found = await route.local.run(scope.turn, step, brief=scope.brief)
            return replace(blank, status="ok", text=without_links(found.text), data=found.data)
        if route.standing == "not_offered":
            return replace(blank, error=f"{blank.title}目前还没有开通。")
        if not route.agents:
            return replace(blank, error=f"{blank.title}服务暂不可用，请稍后再试。")
        asked = (self._ask(scope, step, agent, replace(blank, agent=agent)) for agent in route.agents)
        return merged(await asyncio.gather(*asked), blank)

    async def _ask(self, scope: RoundScope, step: Step, agent: str, blank: StepResult) -> StepResult:
        response = await self._call(scope, step, agent)
        if isinstance(response, Unreachable):
            return replace(blank, error=f"{blank.title}服务暂不可用（{response.reason}），请稍后再试。")
        return _from_response(response, blank)

    def _name(self, intent: str) -> str:
        return label(intent, self._router.skills())

    async def _call(self, scope: RoundScope, step: Step, agent: str) -> AgentResponse | Unreachable:
        remaining = min(self._agent_call_ms, scope.turn.remaining_ms() - RESERVE_MS)
        if remaining <= 0:
            return Unreachable(agent=agent, reason="这一轮的时间已经用完")
        parameter: JsonObject = {**dict(step.extra), **step.slots.to_json()}
        action = Action(
            tool_name=step.intent, parameter=parameter, job_desc=step.query, trust_mode=step.trust_mode
        )
        request = AgentRequest(thought=step.action, action_code=[action])
        budget = scope.turn.budget
        lent = budget.lend(LENT_BRIEF, keep=KEPT_BACK) if scope.brief else budget.lend(LENT)
        context = scope.turn.call_context(remaining_ms=remaining, wording=not scope.brief, model_calls=lent)
        response = await self._network.call(agent, request, context)
        _settle(budget, lent, response)
        return response


@dataclass(frozen=True, slots=True)
class _Foreseen:
    """A step about to run and what it waited for; or the reason why it does not."""

    scope: RoundScope
    step: Step
    before: Mapping[int, StepResult]
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether what came is to be reasoned over: not where a condition was not met, which settles it."""
        when = self.step.when
        if when is not None and not passes(when.test, self.before[int(when.of)]):
            return False
        return any(result.step.trust_mode == 0 for result in self.before.values())


async def _predicted(run: _Run, now: _Foreseen) -> Plan | None:
    """Another plan for what is to follow; None where it stays, or where no round or no step is left for another."""
    if now.scope.next_task is None:
        return None
    try:
        plan = await now.scope.next_task(now.step, tuple(now.before.values()), run.free)
    except Exception:  # a bug in foresight must not take down what was planned
        log.exception("the next task was not predicted", extra={"step": now.step.number})
        return None
    more = max(0, len(plan.steps) - 1)
    full = now.scope.number >= MAX_ROUNDS or run.count + more > MAX_STEPS
    return None if plan.steps == (now.step,) or (plan.steps and full) else plan


def _settle(budget: Budget, lent: int, response: AgentResponse | Unreachable) -> None:
    """What an agent leaves over is given back; by one that got the request and never answered all may be spent."""
    if isinstance(response, AgentResponse):
        budget.settle(lent, response.usage.model_calls, response.usage.model_tokens)
        if response.usage.degraded:
            budget.degrade()
    elif not response.sent:
        budget.settle(lent, 0, 0)


def _from_response(response: AgentResponse, blank: StepResult) -> StepResult:
    status, text = _STATUS[response.status], without_links(response.observation)
    return replace(
        blank,
        status=status,
        text=text,
        data=response.data,
        usage=response.usage,
        error=text if status == "failed" else None,
        quotes=tuple(AgentQuote(blank.agent or "", quote) for quote in response.quotes),
    )


def _dependencies_first(steps: Sequence[Step]) -> list[Step]:
    """An order in which every step comes after what it needs; check_plan has made sure that there is one."""
    numbers = {step.number for step in steps}
    placed: dict[int, Step] = {}
    while len(placed) < len(steps):
        for step in steps:
            if step.number not in placed and all(n in placed for n in needs(step) if n in numbers):
                placed[step.number] = step
    return list(placed.values())


def _bound(step: Step, before: Mapping[int, StepResult]) -> Step:
    """The step with its bindings filled from the first rows of what it waited for."""
    if not step.bind:
        return step
    taken: JsonObject = {bind.slot: _value(before[bind.step], bind) for bind in step.bind}
    beyond = tuple((name, value) for name, value in taken.items() if name not in SLOT_NAMES and value is not None)
    return replace(step, slots=slots_from_json({**step.slots.to_json(), **taken}), extra=beyond)


def _value(result: StepResult, bind: Bind) -> Any:
    rows = result.data.rows if result.data else []
    return rows[bind.row].get(bind.field) if bind.row < len(rows) else None

"""Runs a plan as a true DAG: a step starts the moment what it needs is done, and its failure stays its own."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.language.slots import SLOT_NAMES, slots_from_json
from core.ports.agents import AgentNetwork, Unreachable
from core.reasoning.guard_words import without_links
from core.reasoning.labels import label
from core.reasoning.left_out import why_not
from core.reasoning.merging import merged
from core.reasoning.plan_check import check_plan, needs
from core.reasoning.routing import Route, Router
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action, AgentRequest, AgentResponse
from core.types.budget import Budget
from core.types.events import Emit, StepEnded, StepStarted
from core.types.plan import AgentQuote, Step, StepResult, StepStatus
from core.types.turn import Turn

log = logging.getLogger(__name__)

# Kept back from the turn's time so that a slow agent still leaves room for saying what the others found.
RESERVE_MS = 1_500

LENT, LENT_BRIEF = 4, 2
"""Model calls that one agent may make: for its parameters and, where its words stand alone, for those."""

KEPT_BACK = 3
"""Model calls that agents asked together leave to the stage that words what they bring."""

_STATUS: dict[str, StepStatus] = {"completed": "ok", "failed": "failed", "input_required": "input_required"}


@dataclass(frozen=True, slots=True)
class RoundScope:
    """What all steps of one round share. `brief`: several results will be worded together, so each is kept short."""

    turn: Turn
    number: int
    brief: bool
    emit: Emit


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
        running: dict[int, asyncio.Task[StepResult]] = {}
        async with asyncio.TaskGroup() as group:
            for step in _dependencies_first(steps):
                waits = {n: running[n] for n in needs(step) if n in running}
                known = {n: done[n] for n in needs(step) if n in done}
                running[step.number] = group.create_task(self._when_ready(scope, step, waits, known))
        return tuple(running[step.number].result() for step in steps)

    async def _when_ready(
        self,
        scope: RoundScope,
        step: Step,
        waits: Mapping[int, asyncio.Task[StepResult]],
        known: Mapping[int, StepResult],
    ) -> StepResult:
        before = {**known, **{number: await task for number, task in waits.items()}}
        started = scope.turn.elapsed_ms()
        if reason := why_not(step, before, self._name):
            blank = StepResult(step=step, status="skipped", round=scope.number, title=self._name(step.intent))
            result = replace(blank, text=reason, started_ms=started)
        else:
            result = await self._guarded(scope, _bound(step, before), started)
        scope.emit(StepEnded(result))
        return result

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
        action = Action(tool_name=step.intent, parameter=parameter, job_desc=step.query)
        request = AgentRequest(thought=step.action, action_code=[action])
        budget = scope.turn.budget
        lent = budget.lend(LENT_BRIEF, keep=KEPT_BACK) if scope.brief else budget.lend(LENT)
        context = scope.turn.call_context(remaining_ms=remaining, wording=not scope.brief, model_calls=lent)
        response = await self._network.call(agent, request, context)
        _settle(budget, lent, response)
        return response


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
    taken: JsonObject = {bind.slot: _first_value(before[bind.step], bind.field) for bind in step.bind}
    beyond = tuple((name, value) for name, value in taken.items() if name not in SLOT_NAMES and value is not None)
    return replace(step, slots=slots_from_json({**step.slots.to_json(), **taken}), extra=beyond)


def _first_value(result: StepResult, field: str) -> Any:
    rows = result.data.rows if result.data else []
    return rows[0].get(field) if rows else None

"""TravelAgent: what every agent of the house does with a task, from request to answer."""

from dataclasses import dataclass, replace

from a2a_servers.action_runner import ActionRunner
from a2a_servers.asking import ask_what, explain
from a2a_servers.extraction import ParameterExtractor, Wish
from a2a_servers.outcome import TOOLS_AWAY, Errand, Outcome
from a2a_servers.results import merged
from a2a_servers.task import AgentTask, Budget, allowance_of, budget_of
from a2a_servers.tools import ToolBox, find_tool
from core.adapters.llm.allowance import Allowance
from core.shared.call_context import CallContext
from core.shared.clock import Clock
from core.types.agent_protocol import (
    MAX_ACTIONS,
    UNAVAILABLE,
    UNKNOWN_OUTCOME,
    Action,
    AgentRequest,
    AgentResponse,
    Round,
)

# How long a first request waits for the tool server of an agent that has only just started.
_WAIT_FOR_TOOLS_S = 2.0


@dataclass(frozen=True, slots=True)
class _Done:
    """One action with its outcome. `elapsed_ms` is its own time."""

    action: Action
    outcome: Outcome
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class _Terms:
    """Under what a task's actions run: for whom, how long, and with how much of the model."""

    context: CallContext
    budget: Budget
    allowance: Allowance


class TravelAgent:
    """The work behind the wire: no protocol type enters here and no state of a request stays here."""

    def __init__(self, toolbox: ToolBox, extractor: ParameterExtractor, runner: ActionRunner, clock: Clock) -> None:
        self._toolbox = toolbox
        self._extractor = extractor
        self._runner = runner
        self._clock = clock

    async def handle_task(self, task: AgentTask) -> AgentResponse:
        """Do what the task asks, within its time. The answer's observation can be shown as it is, in every status."""
        budget = budget_of(task.context, self._clock)
        allowance = allowance_of(task.context, budget)
        if not self._toolbox.tools():
            await self._toolbox.ready(min(_WAIT_FOR_TOOLS_S, budget.remaining_ms() / 1000))
        if task.request is not None:
            response = await self._run_request(task.request, _Terms(task.context, budget, allowance))
        else:
            response = await self._run_text(task.text, _Terms(task.context, budget, allowance))
        return response.model_copy(update={"usage": allowance.usage()})

    async def _run_request(self, request: AgentRequest, terms: _Terms) -> AgentResponse:
        done = [await self._run(action, terms) for action in request.action_code]
        return _response(request.thought, done)

    async def _run_text(self, text: str, terms: _Terms) -> AgentResponse:
        tools = self._toolbox.tools()
        if not tools:
            return AgentResponse(status="failed", observation=TOOLS_AWAY, code=UNAVAILABLE)
        wishes = await self._extractor.wishes(text, tools, terms.allowance)
        if not wishes:
            return AgentResponse(status="input_required", observation=ask_what(tools))
        # A yes is given to an offer, by its id and with its parameters; words alone never place anything.
        looking = replace(terms, context=replace(terms.context, offer_id=None, idempotency_key=None))
        # Of a single wish the whole text is handed on: its rewriting may have lost a word, such as the kind of order.
        whole = text if len(wishes) == 1 else None
        done = [await self._grant(wish, whole or wish.query, looking) for wish in wishes[:MAX_ACTIONS]]
        return _response(text[:4000], done)

    async def _grant(self, wish: Wish, words: str, terms: _Terms) -> _Done:
        action = Action(tool_name=wish.intent, parameter=wish.parameter, job_desc=words[:4000])
        for trouble in wish.troubles:
            if trouble.kind != "missing":  # what is missing shows against the tool's own required parameters
                tool = find_tool(self._toolbox.tools(), wish.intent)
                words = explain(trouble, tool.kind if tool else "")
                return _Done(action, Outcome("input_required", words), 0)
        return await self._run(action, terms)

    async def _run(self, action: Action, terms: _Terms) -> _Done:
        began = self._clock.monotonic()
        outcome = await self._runner.run(Errand(action, terms.context, terms.budget, terms.allowance))
        return _Done(action, outcome, int((self._clock.monotonic() - began) * 1000))


def _response(thought: str, done: list[_Done]) -> AgentResponse:
    statuses = [one.outcome.status for one in done]
    return AgentResponse.model_validate({
        "status": next(status for status in ("input_required", "completed", "failed") if status in statuses),
        "observation": "\n\n".join(one.outcome.observation for one in done),
        "data": merged([one.outcome.data for one in done if one.outcome.data is not None]),
        "quotes": [quote for one in done for quote in one.outcome.quotes],
        "rounds": [
            Round(thought=thought, action=one.action, observation=one.outcome.observation, elapsed_ms=one.elapsed_ms)
            for one in done
        ],
        "code": _code(done),
    })


def _code(done: list[_Done]) -> str | None:
    """Why the first one failed; one whose outcome is not known counts before all others."""
    codes = [one.outcome.code for one in done if one.outcome.code is not None]
    return UNKNOWN_OUTCOME if UNKNOWN_OUTCOME in codes else next(iter(codes), None)

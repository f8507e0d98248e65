"""TravelAgent: what every agent of the house does with a task, from request to answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from a2a_servers.action_runner import ActionRunner
from a2a_servers.asking import ask_what, explain
from a2a_servers.caller import has_gone
from a2a_servers.conversation import past_of
from a2a_servers.extraction import ParameterExtractor, Wish
from a2a_servers.outcome import TOOLS_AWAY, Actions, Errand, Outcome
from a2a_servers.peers import refusal_of
from a2a_servers.results import merged
from a2a_servers.task import AgentTask, Budget, allowance_of, budget_of
from a2a_servers.tools import ToolBox, find_tool
from core.adapters.llm.allowance import Allowance
from core.ports.agent_memory import AgentMemory
from core.shared.call_context import CallContext
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.agent_memory import NO_PAST, Conversation
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
    """Under what a task's actions run: for whom, how long, with how much of the model, in how many actions."""

    context: CallContext
    budget: Budget
    allowance: Allowance
    actions: Actions

    def shared_by(self, count: int) -> "_Terms":
        """For so many actions that were asked for: what one of them takes beyond itself, the others do not have."""
        return replace(self, actions=Actions(MAX_ACTIONS - count + 1))


class TravelAgent:
    """The work behind the wire: no protocol type enters here. Of a request stays only what a follow-up leans on."""

    def __init__(
        self, name: str, toolbox: ToolBox, extractor: ParameterExtractor, runner: ActionRunner, clock: Clock,
        memory: AgentMemory,
    ) -> None:  # fmt: skip
        self._name = name
        self._toolbox = toolbox
        self._extractor = extractor
        self._runner = runner
        self._clock = clock
        self._memory = memory

    async def handle_task(self, task: AgentTask) -> AgentResponse:
        """Do what the task asks, within its time. The answer's observation can be shown as it is, in every status."""
        if refused := refusal_of(self._name, task.context):
            return refused
        budget = budget_of(task.context, self._clock)
        allowance = allowance_of(task.context, budget)
        if not self._toolbox.tools():
            await self._toolbox.ready(min(_WAIT_FOR_TOOLS_S, budget.remaining_ms() / 1000))
        terms = _Terms(task.context, budget, allowance, Actions())
        if task.request is not None:
            response = await self._run_request(task.request, terms)
            wishes = [(action.tool_name, action.parameter) for action in task.request.action_code]
            await self._remember(task, wishes, response)
        else:
            response = await self._run_text(task, terms)
        return response.model_copy(update={"usage": allowance.usage()})

    async def _run_request(self, request: AgentRequest, terms: _Terms) -> AgentResponse:
        shared = terms.shared_by(len(request.action_code))
        done = [await self._run(action, shared) for action in request.action_code]
        return _response(request.thought, done)

    async def _run_text(self, task: AgentTask, terms: _Terms) -> AgentResponse:
        tools, text = self._toolbox.tools(), task.text
        if not tools:
            return AgentResponse(status="failed", observation=TOOLS_AWAY, code=UNAVAILABLE)
        past = NO_PAST if task.continues else await self._memory.past(self._conversation(task))
        wishes = await self._extractor.wishes(text, tools, terms.allowance, past)
        if not wishes:
            return AgentResponse(status="input_required", observation=ask_what(tools))
        # A yes is given to an offer, by its id and with its parameters; words alone never place anything.
        looking = replace(terms, context=replace(terms.context, offer_id=None, idempotency_key=None))
        looking = looking.shared_by(min(len(wishes), MAX_ACTIONS))
        # Of a single wish the whole text is handed on: its rewriting may have lost a word, such as the kind of order.
        whole = text if len(wishes) == 1 else None
        done = [await self._grant(wish, whole or wish.query, looking) for wish in wishes[:MAX_ACTIONS]]
        response = _response(text[:4000], done)
        await self._remember(task, [(wish.intent, wish.parameter) for wish in wishes], response)
        return response

    async def _remember(
        self, task: AgentTask, wishes: Sequence[tuple[str, JsonObject]], response: AgentResponse
    ) -> None:
        """Before the answer is given: what erases a turn finds all of it. Who has left may have been erased since."""
        past = past_of(wishes, response)
        if past is not None and not has_gone():
            await self._memory.remember(self._conversation(task), past)

    def _conversation(self, task: AgentTask) -> Conversation:
        return Conversation(self._name, task.context.user_id, task.context_id, task.context.session_id)

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
        outcome = await self._runner.run(Errand(action, terms.context, terms.budget, terms.allowance, terms.actions))
        return _Done(action, outcome, int((self._clock.monotonic() - began) * 1000))


def _response(thought: str, done: list[_Done]) -> AgentResponse:
    statuses = [one.outcome.status for one in done]
    return AgentResponse.model_validate({
        "status": next(status for status in ("input_required", "completed", "failed") if status in statuses),
        "observation": "\n\n".join(one.outcome.observation for one in done),
        "data": merged([one.outcome.data for one in done if one.outcome.data is not None]),
        "quotes": [quote for one in done for quote in one.outcome.quotes],
        "rounds": [round_ for one in done for round_ in one.outcome.rounds or (_only_round(thought, one),)],
        "code": _code(done),
    })


def _only_round(thought: str, one: _Done) -> Round:
    """That of an action that took no loop."""
    return Round(thought=thought, action=one.action, observation=one.outcome.observation, elapsed_ms=one.elapsed_ms)


def _code(done: list[_Done]) -> str | None:
    """Why the first one failed; one whose outcome is not known counts before all others."""
    codes = [one.outcome.code for one in done if one.outcome.code is not None]
    return UNKNOWN_OUTCOME if UNKNOWN_OUTCOME in codes else next(iter(codes), None)

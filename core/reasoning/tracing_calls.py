"""Calls of agents and questions to the model pass through here and are written to the log of their turn."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping

from core.ports.agents import AgentNetwork, Unreachable
from core.ports.language_model import CallBudget, Completion, LanguageModel, ModelAsk, ModelFailure
from core.reasoning.tracing import TurnLog, current, current_step
from core.reasoning.tracing_bounds import MOST_OF_A_PROMPT, MOST_ROUNDS, bounded_object, cut, excerpt
from core.shared.call_context import CallContext
from core.shared.json_types import JsonObject
from core.types.agent_protocol import AgentRequest, AgentResponse, Round
from core.types.network import AgentView
from core.types.trace import AgentCalled, InnerRound, ModelAsked, PromptPart


class TracedNetwork:
    """Implements the port AgentNetwork around another one."""

    def __init__(self, inner: AgentNetwork) -> None:
        self._inner = inner

    def agents(self) -> tuple[AgentView, ...]:
        return self._inner.agents()

    async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        if (log := current()) is None:
            return await self._inner.call(agent, request, context)
        started = log.turn.elapsed_ms()
        try:
            response = await self._inner.call(agent, request, context)
        except asyncio.CancelledError:
            log.calls.append((current_step(), _unfinished(agent, request, started, log.turn.elapsed_ms() - started)))
            raise
        took = log.turn.elapsed_ms() - started
        log.calls.append((current_step(), _called(agent, request, response, started, took)))
        return response


class TracedModel:
    """Implements the port LanguageModel around another one."""

    def __init__(self, inner: LanguageModel) -> None:
        self._inner = inner

    async def complete(self, ask: ModelAsk, budget: CallBudget) -> Completion:
        if (log := current()) is None:
            return await self._inner.complete(ask, budget)
        with _Asking(log, ask, budget) as asking:
            completion = await self._inner.complete(ask, asking)
            asking.words.append(completion.text)
            return completion

    async def stream(self, ask: ModelAsk, budget: CallBudget) -> AsyncGenerator[str]:
        log = current()
        asking = _Asking(log, ask, budget) if log is not None else contextlib.nullcontext(None)
        with asking as heard:
            async with contextlib.aclosing(self._inner.stream(ask, heard or budget)) as pieces:
                async for piece in pieces:
                    if heard is not None:
                        heard.words.append(piece)
                    yield piece

    def health(self) -> Mapping[str, str]:
        return self._inner.health()


class _Asking:
    """One question while it is asked. Implements the port CallBudget around the turn's, and counts along."""

    def __init__(self, log: TurnLog, ask: ModelAsk, budget: CallBudget) -> None:
        self._log = log
        self._ask = ask
        self._budget = budget
        self._started = log.turn.elapsed_ms()
        self._step = current_step()
        self._calls = self._tokens = 0
        self.words: list[str] = []

    def take(self) -> None:
        self._budget.take()
        self._calls += 1

    def spent(self, tokens: int) -> None:
        self._budget.spent(tokens)
        self._tokens += tokens

    def remaining_s(self) -> float:
        return self._budget.remaining_s()

    def __enter__(self) -> "_Asking":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        failure = error.kind if isinstance(error, ModelFailure) else type(error).__name__ if error else None
        messages = self._ask.messages
        self._log.asked.append(
            ModelAsked(
                stage=self._ask.stage,
                started_ms=self._started,
                elapsed_ms=self._log.turn.elapsed_ms() - self._started,
                calls=self._calls,
                tokens=self._tokens,
                failure=failure,
                step=self._step,
                prompt=tuple(PromptPart(part.role, cut(part.content, MOST_OF_A_PROMPT)) for part in messages[-4:]),
                answer=cut("".join(self.words), MOST_OF_A_PROMPT),
            )
        )


def _unfinished(agent: str, request: AgentRequest, started: int, took: int) -> AgentCalled:
    return AgentCalled(agent, _sent(request), "unfinished", "", started, took)


def _sent(request: AgentRequest) -> JsonObject:
    return bounded_object(request.model_dump(mode="json"), depth=7)


def _called(
    agent: str, request: AgentRequest, response: AgentResponse | Unreachable, started: int, took: int
) -> AgentCalled:
    sent = _sent(request)
    if isinstance(response, Unreachable):
        return AgentCalled(agent, sent, "unreachable", cut(response.reason), started, took)
    return AgentCalled(
        agent=agent,
        request=sent,
        status=response.status,
        observation=cut(response.observation),
        started_ms=started,
        elapsed_ms=took,
        data=excerpt(response.data),
        quotes=len(response.quotes),
        code=None if response.code is None else cut(response.code),
        model_calls=response.usage.model_calls,
        model_tokens=response.usage.model_tokens,
        degraded=response.usage.degraded,
        rounds=tuple(_inner(one) for one in response.rounds[:MOST_ROUNDS]),
    )


def _inner(one: Round) -> InnerRound:
    action = bounded_object(one.action.model_dump(mode="json"))
    return InnerRound(
        cut(one.thought), action, cut(one.observation), one.elapsed_ms, cut(one.agent), max(0, one.model_calls)
    )

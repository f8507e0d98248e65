"""The language model behind any OpenAI-compatible address. Implements the port LanguageModel."""

import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import TYPE_CHECKING

from core.adapters.llm.breaker import Breaker, Permit
from core.adapters.llm.course import Course
from core.adapters.llm.exchange import Exchange, Habits
from core.adapters.llm.failures import TryFailed
from core.adapters.llm.timed import timed
from core.ports.language_model import CallBudget, Completion, ModelAsk, ModelFailure
from core.shared.clock import Clock
from core.shared.settings import LlmSettings, StageSettings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

logger = logging.getLogger(__name__)

# A try that was given less than this and ran out of time says nothing about the address.
FAIR_S = 10.0
_PLAIN_STAGE = StageSettings()


class OpenAICompatibleModel:
    """One for a process: it shares its connections, its breaker and what it learnt of the address among all turns."""

    def __init__(self, client: "AsyncOpenAI", settings: LlmSettings, clock: Clock) -> None:
        self._client = client
        self._settings = settings
        self._clock = clock
        self._breaker = Breaker(clock)
        self._habits: dict[str, Habits] = {}

    async def complete(self, ask: ModelAsk, budget: CallBudget) -> Completion:
        course = self._course(budget)
        while True:
            exchange = self._exchange(ask, stream=False, plain=course.without_json_mode)
            try:
                async with contextlib.aclosing(self._one_try(exchange, exchange.whole, budget)) as pieces:
                    text = "".join([piece async for piece in pieces])
                return Completion(text, exchange.reading.tokens)
            except ModelFailure as failure:
                await course.after(failure)

    async def stream(self, ask: ModelAsk, budget: CallBudget) -> AsyncGenerator[str]:
        course = self._course(budget)
        given_out = False
        while True:
            exchange = self._exchange(ask, stream=True, plain=course.without_json_mode)
            try:
                async with contextlib.aclosing(self._one_try(exchange, exchange.shown, budget)) as pieces:
                    async for piece in pieces:
                        given_out = True
                        yield piece
                return
            except ModelFailure as failure:
                await course.after(failure, given_out=given_out)

    def health(self) -> Mapping[str, str]:
        model = self._settings.model
        if self._breaker.is_open:
            return {"status": "down", "detail": f"{model}: {self._breaker.failures} calls failed in a row"}
        if self._breaker.failures:
            return {"status": "degraded", "detail": f"{model}: the last {self._breaker.failures} call(s) failed"}
        return {"status": "ok", "detail": model}

    def _course(self, budget: CallBudget) -> Course:
        return Course(self._clock, budget, 1 + self._settings.max_retries)

    def _exchange(self, ask: ModelAsk, *, stream: bool, plain: bool) -> Exchange:
        stage = self._settings.stages.get(ask.stage, _PLAIN_STAGE)
        model = self._settings.model if ask.raised else stage.model or self._settings.model
        habits = self._habits.setdefault(model, self._new_habits())
        temperature = self._settings.temperature if stage.temperature is None else stage.temperature
        limit = stage.max_tokens or ask.max_tokens
        body = habits.dialect.body(ask, stream=stream, temperature=temperature, limit=limit, plain=plain)
        return Exchange(ask, model, body, habits)

    def _new_habits(self) -> Habits:
        return Habits(holds={"auto": None, "hold": True, "show": False}[self._settings.thinking_tags])

    async def _one_try(
        self, exchange: Exchange, pieces: Callable[["AsyncOpenAI", Clock], AsyncGenerator[str]], budget: CallBudget
    ) -> AsyncGenerator[str]:
        """One call, bounded by time, seen by the breaker and the log, counted in the budget."""
        permit = self._breaker.enter()
        began = self._clock.monotonic()
        outcome: ModelFailure | str = "cancelled"
        try:
            budget.take()
            seconds = min(self._settings.timeout_s, budget.remaining_s())
            timely = timed(self._clock, seconds, pieces(self._client, self._clock))
            try:
                async with contextlib.aclosing(timely):
                    async for piece in timely:
                        yield piece
            except TimeoutError:
                raise _timed_out(seconds, fair=seconds >= min(FAIR_S, self._settings.timeout_s)) from None
            outcome = "ok"
        except ModelFailure as failure:
            outcome = failure
            raise
        finally:
            self._judge(permit, outcome)
            budget.spent(exchange.reading.tokens)
            self._log(exchange, outcome, self._clock.monotonic() - began)

    def _judge(self, permit: Permit, outcome: ModelFailure | str) -> None:
        if outcome == "cancelled" or (isinstance(outcome, ModelFailure) and outcome.kind == "budget"):
            self._breaker.abandoned(permit)
        elif isinstance(outcome, TryFailed) and outcome.against:
            self._breaker.failed(permit)
        else:
            self._breaker.succeeded(permit)

    def _log(self, exchange: Exchange, outcome: ModelFailure | str, seconds: float) -> None:
        failed = isinstance(outcome, ModelFailure)
        if isinstance(outcome, ModelFailure) and outcome.kind == "budget":
            return  # no call was made
        logger.log(
            logging.WARNING if failed else logging.INFO, "model call", extra={
                "stage": exchange.ask.stage, "model": exchange.model, "prompt_version": exchange.ask.prompt_version,
                "ms": round(seconds * 1000), "tokens": exchange.reading.tokens,
                "outcome": outcome.kind if isinstance(outcome, ModelFailure) else outcome,
                "reason": str(outcome) if failed else "",
            },
        )  # fmt: skip


def _timed_out(seconds: float, *, fair: bool) -> TryFailed:
    return TryFailed("unavailable", f"no end within {seconds:g} s", again=True, against=fair)

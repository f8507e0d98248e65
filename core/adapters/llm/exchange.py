"""One try: the request as this address understands it, and its answer's words, without thinking."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.adapters.llm.dialect import Dialect, messages_of
from core.adapters.llm.failures import adapted, came_back_empty
from core.adapters.llm.reading import Reading
from core.adapters.llm.refusals import complaint_of
from core.adapters.llm.wire import Refused, payloads
from core.ports.language_model import ModelAsk, ModelFailure
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.shared.tolerant_thinking import ThinkingFilter, without_thinking

if TYPE_CHECKING:
    from openai import AsyncOpenAI

# An address that neither counts tokens nor closes keeps nobody waiting: the words are complete.
TAIL_S = 1.0
_LOST = "\ufffd"


@dataclass
class Habits:
    """What is known of a model at its address: the parameters it takes, and whether its thinking ends without a begin.

    `holds`: a streamed answer is shown only when its thinking is over; None while no streamed answer has told.
    """

    dialect: Dialect = field(default_factory=Dialect)
    holds: bool | None = None


@dataclass
class Exchange:
    """`pieces` may be run once; `reading` tells afterwards what it took."""

    ask: ModelAsk
    model: str
    body: JsonObject
    habits: Habits
    reading: Reading = field(default_factory=Reading)

    async def words(self, client: "AsyncOpenAI", clock: Clock) -> AsyncGenerator[str]:
        """Content as it comes, thinking and all. Raises ModelFailure when the whole is no answer."""
        request: dict[str, Any] = {"model": self.model, "messages": messages_of(self.ask, self.body)}
        request["stream"] = self.body["stream"]
        request["extra_body"] = {key: value for key, value in self.body.items() if key != "stream"}
        try:
            async with contextlib.aclosing(payloads(client, clock, request)) as answer:
                async for payload in answer:
                    if words := self.reading.take(payload):
                        yield words
                    if self.reading.is_finished:
                        await self._tail(answer)
        except Refused as refused:
            raise self._meaning(refused) from None
        except ModelFailure:
            # What ended as it should is complete, whatever the connection did afterwards.
            if not self.reading.is_finished:
                raise
        if failure := self.reading.failure():
            raise failure

    async def _tail(self, answer: AsyncGenerator[JsonObject]) -> None:
        """What comes behind the end: the count of tokens, if the address tells it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TAIL_S):
                async for payload in answer:
                    self.reading.take(payload)

    async def shown(self, client: "AsyncOpenAI", clock: Clock) -> AsyncGenerator[str]:
        """The words for the reader, as they come. Raises ModelFailure, also when there were none."""
        thinking = ThinkingFilter(hold=self.habits.holds is not False)
        given = False
        async with contextlib.aclosing(self.words(client, clock)) as words:
            async for piece in words:
                shown = thinking.feed(piece.replace(_LOST, ""))
                if thinking.hold and self._is_over(thinking):
                    thinking.hold = False
                    shown = thinking.feed("")
                if thinking.leaked:
                    self.habits.holds = True
                    raise ModelFailure("unusable", "thinking without a beginning was shown")
                given = given or bool(shown)
                if shown:
                    yield shown
        if last := thinking.finish():
            yield last
        elif not given:
            raise ModelFailure("unusable", "no words")
        if self.habits.holds is None:
            self.habits.holds = thinking.closed_unopened

    async def whole(self, client: "AsyncOpenAI", clock: Clock) -> AsyncGenerator[str]:
        """The whole answer as one piece. JSON keeps what stands around it: only its reader can tell it from values."""
        async with contextlib.aclosing(self.words(client, clock)) as words:
            text = "".join([piece async for piece in words])
        if self.ask.schema is None:
            text = without_thinking(text.replace(_LOST, ""))
        if text.strip():
            yield text
        elif "response_format" in self.body:
            raise came_back_empty("JSON mode brought nothing")
        else:
            raise ModelFailure("unusable", "no words")

    def _is_over(self, thinking: ThinkingFilter) -> bool:
        """Whether nothing more of this answer can turn out to be thinking: its end was seen, or it comes apart."""
        return thinking.closed or (self.reading.reasoned and self.habits.holds is None)

    def _meaning(self, refused: Refused) -> ModelFailure:
        words = complaint_of(refused.body).words
        if refused.failed.kind == "rejected" and refused.status in (400, 404, 405, 422, 501):
            if self.habits.dialect.adapt(self.body, words):
                return adapted(f"status {refused.status}: a parameter was refused and left out")
        elif refused.status == 500 and "response_format" in self.body and "grammar" in words:
            self.habits.dialect.adapt(self.body, words)
        return refused.failed

"""Behind the facade: one turn from request to reply, with its deadline and its events."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace

from core.cache.cache_manager import CacheManager
from core.cache.front import CacheFront, Served
from core.chat_service_core import VoyageChatCore
from core.endings import Endings
from core.memory.afterthoughts import Afterthoughts
from core.memory.memory_manager import ConversationMemory
from core.memory.recollection import record_of
from core.orders.desk import OrderDesk
from core.orders.ledger import OrderLedger
from core.ports.agents import AgentNetwork
from core.ports.database import DatabaseState
from core.ports.kept_responses import KeptResponses
from core.ports.language_model import LanguageModel
from core.ports.memory import Learner
from core.ports.session_order import Place, SessionOrder
from core.ports.traces import TraceStore
from core.reasoning.tracing import TurnLog, watch
from core.reasoning.tracing_record import trace_of
from core.shared.call_context import new_traceparent
from core.shared.clock import Clock
from core.shared.errors import DeadlineExceeded
from core.shared.logging import trace_id
from core.shared.waiting import within
from core.types.budget import Budget
from core.types.events import Began, Done, Emit, Event
from core.types.turn import Reply, Turn, UserMessage

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a caller wants answered. Ids have been checked by whoever let them in; the trace may be the caller's own."""

    user_id: str
    session_id: str
    query: str
    traceparent: str = field(default_factory=new_traceparent)


class TurnService:
    """Runs turns: one after another in a session, remembered before they are given back, ended by their deadline.

    `turn_ms` is the deadline of an interactive turn; waiting for the session's earlier messages counts.
    """

    def __init__(
        self, core: VoyageChatCore, memory: ConversationMemory, order: SessionOrder, clock: Clock, turn_ms: int,
        learner: Learner | None = None, cache: CacheFront | None = None,
    ) -> None:  # fmt: skip
        self._core = core
        self._memory = memory
        self._order = order
        self._clock = clock
        self._turn_ms = turn_ms
        self._cache = cache
        self._afterthoughts = Afterthoughts(learner, memory, order, clock)
        self._endings = Endings(memory, clock)

    async def settled(self) -> None:
        """Wait until nothing is being learned of earlier turns."""
        await self._afterthoughts.settled()

    async def close(self) -> None:
        """End what goes on behind answered turns."""
        await self._afterthoughts.close()

    async def chat(self, request: ChatRequest) -> Reply:
        """The stream read to its end. Raises SmartVoyageError for an expected failure."""
        reply: Reply | None = None
        async with contextlib.aclosing(self.stream(request)) as events:
            async for event in events:
                if isinstance(event, Done):
                    reply = event.reply
        if reply is None:
            raise RuntimeError("a turn ended without its reply")
        return reply

    async def stream(self, request: ChatRequest) -> AsyncGenerator[Event]:
        """The turn's events in order, the last one Done. Closing the iterator ends the turn."""
        async with self._order.queue(request.user_id, request.session_id) as place:
            turn = self._begin(request)
            events: asyncio.Queue[Event | None] = asyncio.Queue()
            running = asyncio.create_task(self._run(turn, place, events), name=f"turn {turn.message.trace_id}")
            try:
                yield Began(trace_id=turn.message.trace_id, session_id=request.session_id)
                while (event := await events.get()) is not None:
                    yield event
                await running
            finally:
                running.cancel()
                await asyncio.wait({running})

    def _begin(self, request: ChatRequest) -> Turn:
        message = UserMessage(request.user_id, request.session_id, request.query, request.traceparent)
        now = self._clock.monotonic()
        deadline = now + self._turn_ms / 1000
        budget = Budget(lambda: max(0.0, deadline - self._clock.monotonic()))
        return Turn(message=message, clock=self._clock, started=now, deadline=deadline, budget=budget)

    async def _run(self, turn: Turn, place: Place, events: asyncio.Queue[Event | None]) -> None:
        trace_id.set(turn.message.trace_id)
        seen = watch(turn)
        try:
            async with self._endings.traced(seen, place):
                answering = self._answer(turn, place, seen, events.put_nowait)
                reply = await within(self._clock, self._turn_ms / 1000, answering)
            _log_turn(reply)
            await self._afterthoughts.begin(turn)
            events.put_nowait(Done(reply))
        except TimeoutError as error:
            raise DeadlineExceeded("这次查询超过了限定时间，请稍后再试。") from error
        finally:
            events.put_nowait(None)

    async def _answer(self, turn: Turn, place: Place, seen: TurnLog, emit: Emit) -> Reply:
        await place.reached()
        seen.phase("queue")  # until here the turn waited for the session's earlier ones
        known = await self._memory.read(turn.message.user_id, turn.message.session_id)
        seen.phase("memory")
        turn = replace(turn, memory=known)
        served = await self._served(turn, seen.telling(emit))
        record = record_of(turn, served.answer, place.holder)
        await self._memory.record(replace(record, trace=trace_of(seen, served.answer, served.level)))
        place.given_back()
        spent, took = turn.budget, turn.elapsed_ms()
        return Reply(turn.message, served.answer, took, spent.calls, spent.tokens, served.level, served.as_of)

    async def _served(self, turn: Turn, emit: Emit) -> Served:
        if self._cache is None:
            return Served(await self._core.answer(turn, emit))
        return await self._cache.answer(turn, emit, self._core.answer)


@dataclass(frozen=True, slots=True)
class Backend:
    """What the gateway serves from; bootstrap makes it."""

    turns: TurnService
    network: AgentNetwork
    desk: OrderDesk
    ledger: OrderLedger
    memory: ConversationMemory
    kept: KeptResponses
    clock: Clock
    model: LanguageModel | None = None
    """None: no model is configured, the rules answer alone."""
    database: DatabaseState | None = None
    """None: the stores need none."""
    cache: CacheManager | None = None
    """None: every answer is made anew."""
    traces: TraceStore | None = None
    """None: runs are not read back."""


def _log_turn(reply: Reply) -> None:
    answer = reply.answer
    log.info(
        "turn",
        extra={
            "status": answer.status,
            "intents": [task.intent for task in answer.understanding.tasks],
            "steps": len(answer.results),
            "rounds": answer.rounds,
            "model_calls": reply.model_calls,
            "model_tokens": reply.model_tokens,
            "degraded": answer.degraded,
            "cache": reply.cache_level,
            "elapsed_ms": reply.elapsed_ms,
        },
    )

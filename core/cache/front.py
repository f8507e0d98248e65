"""The cache in front of a run: answered from it, shared with an equal question under way, or run and laid down."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime

from core.cache.cache_manager import Asked, CacheManager, Hit
from core.cache.flights import Flights
from core.cache.policy import is_shareable, may_write
from core.cache.question import Question, QuestionReader
from core.shared.clock import Clock
from core.types.events import Cached, Delta, Emit, Event, Understood
from core.types.turn import Answer, CacheLevel, Turn

BOUND_S = 20.0
"""How long a replica may keep equal questions of the others waiting; a run that takes longer is run twice."""
LOOK_EVERY_S = 0.05

Run = Callable[[Turn, Emit], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Served:
    """An answer and where it came from: `level` and `as_of` are None for one that was just made."""

    answer: Answer
    level: CacheLevel | None = None
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Landed:
    """A run's outcome and what was told while it ran, for those who joined it."""

    served: Served
    events: tuple[Event, ...]


class CacheFront:
    """Answers turns. What happens on the way is told to `emit`: first of all whether the cache had it."""

    def __init__(self, manager: CacheManager, reader: QuestionReader, clock: Clock) -> None:
        self._manager = manager
        self._reader = reader
        self._clock = clock
        self._flights: Flights[_Landed] = Flights()

    async def answer(self, turn: Turn, emit: Emit, run: Run) -> Served:
        """The answer to the turn's message, from the cache or by `run`."""
        if (question := self._reader.question(turn)) is None:
            return await _run(turn, emit, run)
        asked = Asked(question, turn.message.user_id, self._clock.now().timestamp())
        checked = await self._manager.check_cache(asked)
        if checked.hit is not None:
            return _told(checked.hit, question, emit)
        if checked.versions is None or question.elliptic or question.sees_history:
            return await _run(turn, emit, run)
        return await self._shared(turn, emit, run, asked, checked.versions)

    async def _shared(self, turn: Turn, emit: Emit, run: Run, asked: Asked, versions: str) -> Served:
        name = f"{asked.question.key}:{versions}"
        if not self._flights.is_under_way(name):
            landed = await self._flights.begin(name, self._fly(turn, emit, run, asked, versions))
            return landed.served
        landed = await self._flights.join(name)
        if not is_shareable(landed.served.answer):
            return await _run(turn, emit, run)
        for event in landed.events:
            emit(event)
        return landed.served

    async def _fly(self, turn: Turn, emit: Emit, run: Run, asked: Asked, versions: str) -> _Landed:
        events: list[Event] = []

        def tell(event: Event) -> None:
            events.append(event)
            emit(event)

        holder, name = secrets.token_hex(8), f"{asked.question.key}:{versions}"
        is_ours = await self._manager.claim(name, holder, BOUND_S)
        if not is_ours and (hit := await self._from_elsewhere(asked, name)) is not None:
            return _Landed(_told(hit, asked.question, tell), tuple(events))
        try:
            served = await _run(turn, tell, run)
            if may_write(served.answer):
                self._manager.write_behind(asked, versions, served.answer)
        finally:
            self._manager.release_behind(asked, name, holder)
        return _Landed(served, tuple(events))

    async def _from_elsewhere(self, asked: Asked, name: str) -> Hit | None:
        """What another replica lays down while it has the run; None when it gives up or takes too long."""
        ends = self._clock.monotonic() + BOUND_S
        while self._clock.monotonic() < ends:
            await self._clock.sleep(LOOK_EVERY_S)
            claimed = await self._manager.claimed(name)
            checked = await self._manager.check_cache(asked)
            if checked.hit is not None or not claimed:
                return checked.hit
        return None


async def _run(turn: Turn, emit: Emit, run: Run) -> Served:
    emit(Cached(hit=False))
    return Served(await run(turn, emit))


def _told(hit: Hit, question: Question, emit: Emit) -> Served:
    """A hit is told like any other answer: what was understood, then its words."""
    understanding = replace(hit.answer.understanding, leaned=question.elliptic)
    answer = replace(hit.answer, understanding=understanding)
    emit(Cached(hit=True, level=hit.level))
    emit(Understood(understanding))
    emit(Delta(answer.text))
    return Served(answer, hit.level, hit.as_of)

"""What is learned of a person when the answer has left: in the background, one message of a person after another."""

import asyncio
import contextlib
import logging

from core.memory.memory_manager import ConversationMemory
from core.ports.memory import Learner
from core.ports.session_order import SessionOrder
from core.shared.clock import Clock
from core.shared.errors import SmartVoyageError
from core.shared.waiting import within
from core.types.memory import TurnRecord
from core.types.turn import Turn

log = logging.getLogger(__name__)

OF_THE_PERSON = ""
"""The queue of what belongs to a person and to no session: an erasure takes its places away as well."""

GRACE_S = 3.0
"""What is running when the process ends may take so long."""


class Afterthoughts:
    """Starts what nobody waits for. `close` ends it all; nothing is left running."""

    def __init__(self, learner: Learner | None, memory: ConversationMemory, order: SessionOrder, clock: Clock) -> None:
        self._learner = learner
        self._memory = memory
        self._order = order
        self._clock = clock
        self._running: set[asyncio.Task[None]] = set()

    async def begin(self, turn: Turn) -> None:
        """Returns when the place is taken, and with it a later erasure sure to be seen; the rest runs on."""
        if self._learner is None or turn.budget.left <= 0 or not self._learner.is_worth_asking(turn.message.text):
            return
        placed = asyncio.Event()
        task = asyncio.create_task(self._guarded(self._learner, turn, placed), name=f"memory {turn.message.trace_id}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        await placed.wait()

    async def settled(self) -> None:
        """Wait until nothing is running."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def close(self) -> None:
        """Let what runs come to its end within GRACE_S, then end it."""
        with contextlib.suppress(TimeoutError):
            await within(self._clock, GRACE_S, self.settled())
        for task in self._running:
            task.cancel()
        await self.settled()

    async def _guarded(self, learner: Learner, turn: Turn, placed: asyncio.Event) -> None:
        try:
            await self._learn(learner, turn, placed)
        except SmartVoyageError as error:  # too many at once, or no database: nothing is learned
            log.info("nothing was learned", extra={"reason": type(error).__name__})
        except Exception:  # the edge of a task that nobody waits for
            log.exception("learning from a message failed")
        finally:
            placed.set()

    async def _learn(self, learner: Learner, turn: Turn, placed: asyncio.Event) -> None:
        user_id = turn.message.user_id
        async with self._order.queue(user_id, OF_THE_PERSON) as place:
            placed.set()
            await place.reached()
            learned = await learner.learned(turn)
            if learned.profile or learned.facts:
                record = TurnRecord(user_id, OF_THE_PERSON, (), None, learned.profile, learned.facts, place.holder)
                await self._memory.record(record)

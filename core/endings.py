"""Turns that end without an answer (by deadline, by an error, as nobody waits any more): they leave a trace too."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator

from core.memory.memory_manager import ConversationMemory
from core.ports.session_order import Place
from core.reasoning.tracing import TurnLog
from core.reasoning.tracing_record import unanswered
from core.shared.clock import Clock
from core.shared.errors import SmartVoyageError
from core.shared.waiting import within
from core.types.memory import TurnRecord
from core.types.trace import Trace

log = logging.getLogger(__name__)

PATIENCE_S = 1.0
"""How long the end of a turn may wait for its trace to be written."""


class Endings:
    """Writes the trace with which a turn ends, in the place that the turn still holds: an erasure is seen."""

    def __init__(self, memory: ConversationMemory, clock: Clock) -> None:
        self._memory = memory
        self._clock = clock

    @contextlib.asynccontextmanager
    async def traced(self, seen: TurnLog, place: Place) -> AsyncGenerator[None]:
        """What ends the block by an error goes on; nothing is written of a turn that was recorded."""
        try:
            yield
        except TimeoutError:
            await self._write(place, unanswered(seen, "deadline"), seen)
            raise
        except asyncio.CancelledError:
            await self._write(place, unanswered(seen, "cancelled"), seen)
            raise
        except Exception as error:
            detail = error.code if isinstance(error, SmartVoyageError) else type(error).__name__
            await self._write(place, unanswered(seen, "error", detail), seen)
            raise

    async def _write(self, place: Place, trace: Trace | None, seen: TurnLog) -> None:
        if trace is None:
            return
        message = seen.turn.message
        record = TurnRecord(message.user_id, message.session_id, (), None, place=place.holder, trace=trace)
        try:
            await within(self._clock, PATIENCE_S, self._memory.record(record))
            place.given_back()
        except (SmartVoyageError, TimeoutError):
            log.info("a turn that ended leaves no trace")
        except Exception:  # the turn has an ending of its own to tell
            log.exception("a turn that ended leaves no trace")

"""Runs of turns in the database: read back by their id, and let go of after their time."""

import logging
from datetime import datetime, timedelta

from core.adapters.stores.database import Database
from core.adapters.stores.trace_rows import find_trace, sweep_traces
from core.shared.clock import Clock
from core.shared.errors import UpstreamUnavailable
from core.types.trace import Trace

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)

SWEEP_EVERY_S = 3_600.0


class SqlTraceStore:
    """Implements the port TraceStore. What is older than `kept` is not shown, and deleted by the next sweep."""

    def __init__(self, database: Database, clock: Clock, kept: timedelta = KEPT) -> None:
        self._database = database
        self._clock = clock
        self._kept = kept
        self._next_sweep = clock.monotonic()

    async def find(self, user_id: str, trace_id: str) -> Trace | None:
        since = self._oldest()
        return await self._database.run(lambda connection: find_trace(connection, user_id, trace_id, since))

    async def sweep(self) -> None:
        """At most once in SWEEP_EVERY_S, unless there was more than one sweep deletes. Never raises for an outage."""
        now = self._clock.monotonic()
        if now < self._next_sweep:
            return
        self._next_sweep = now + SWEEP_EVERY_S
        before = self._oldest()
        try:
            if await self._database.run(lambda connection: sweep_traces(connection, before)):
                self._next_sweep = now
        except UpstreamUnavailable:  # the turn that asked for it is written already
            log.info("old traces could not be deleted")

    def _oldest(self) -> datetime:
        return self._clock.now() - self._kept

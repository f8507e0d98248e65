"""An agent's memory in the database, opened beside the agent: while it is away the agent goes on without."""

import asyncio
import contextlib
import importlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from core.adapters.stores.agent_past import Masked
from core.ports.agent_memory import AgentMemory
from core.shared.clock import Clock
from core.shared.errors import UpstreamUnavailable
from core.shared.waiting import within
from core.types.agent_memory import NO_PAST, Conversation, Past

T = TypeVar("T")

log = logging.getLogger(__name__)

PATIENCE_S = 1.0
"""How long a request waits for what is remembered."""

PAUSE_S = 5.0
"""How long nobody tries after that."""

TOLD_EVERY_S = 60.0

_THREADS = 4
"""And connections. A database that hangs takes these, and none in which the agent has other work."""


class SpareMemory:
    """A memory that may be away. Implements AgentMemory: nothing is raised, and nobody waits longer than PATIENCE_S."""

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[AgentMemory]], clock: Clock) -> None:
        self._opening = opening
        self._clock = clock
        self._resumes_at = float("-inf")
        self._tells_at = float("-inf")
        self._memory: AgentMemory | None = None

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Until the context ends. Nobody waits for the opening: before it is done nothing is remembered."""
        keeping = asyncio.create_task(self._keep(), name="agent memory")
        try:
            yield
        finally:
            self._memory = None
            keeping.cancel()
            await asyncio.wait({keeping})

    async def past(self, conversation: Conversation) -> Past:
        return await self._tried(lambda memory: memory.past(conversation), NO_PAST)

    async def remember(self, conversation: Conversation, past: Past) -> None:
        await self._tried(lambda memory: memory.remember(conversation, past), None)

    async def _keep(self) -> None:
        try:
            async with self._opening() as self._memory:
                await asyncio.get_running_loop().create_future()
        except Exception:  # a bug here must not end the agent
            log.exception("an agent's memory could not be opened")

    async def _tried(self, asking: Callable[[AgentMemory], Awaitable[T]], otherwise: T) -> T:
        if self._memory is None or self._clock.monotonic() < self._resumes_at:
            return otherwise
        try:
            return await within(self._clock, PATIENCE_S, _awaited(asking(self._memory)))
        except (UpstreamUnavailable, TimeoutError) as error:
            self._resumes_at = self._clock.monotonic() + PAUSE_S
            self._tell(error)
        except Exception:  # what was found or ordered is worth more than what a follow-up might lean on
            log.exception("what an agent remembers could not be used")
        return otherwise

    def _tell(self, error: Exception) -> None:
        now = self._clock.monotonic()
        if now >= self._tells_at:
            log.warning("an agent goes on without its memory", extra={"why": str(error)})
            self._tells_at = now + TOLD_EVERY_S


async def _awaited(asking: Awaitable[T]) -> T:
    return await asking


@contextlib.asynccontextmanager
async def open_sql_memory(url: str, clock: Clock, masked: Masked) -> AsyncIterator[AgentMemory]:
    """In the database at `url`, over connections and threads of its own."""
    threads = ThreadPoolExecutor(_THREADS, "agent memory")
    try:
        # In a process of its own an agent has no other use for what speaks to databases, and that takes long to load.
        load = asyncio.get_running_loop().run_in_executor
        await load(threads, importlib.import_module, "core.adapters.stores.agent_memory")
        from core.adapters.stores.agent_memory import SqlAgentMemory
        from core.adapters.stores.database import open_database

        async with open_database(url, clock, threads) as database:
            yield SqlAgentMemory(database, clock, masked)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)

"""The business data as the tool servers of one process share it: one engine, prepared once, kept fresh by one task."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

import anyio.to_thread
from sqlalchemy import select
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from core.shared.clock import Clock, today
from core.shared.sql import POOL_SIZE, make_engine
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.demo.fresh import keep_demo_data_fresh
from mcp_tools.migration import migrate_engine

logger = logging.getLogger(__name__)

_SAY_SO_AFTER_S = 2.0
_TRY_AGAIN_S = 5.0


class BusinessData:
    """Opened by each server that uses it; the first one prepares the tables, the last one closes the connections."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.engine = make_engine(url)
        self._clock = clock
        self._users = 0
        self._turn = asyncio.Lock()
        self._prepared = False
        self._upkeep: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Migrated tables and demo data up to the horizon while inside. A database that does not answer yet is waited
        for in the background: until then `trouble` says so."""
        async with self._turn:
            self._users += 1
            if self._users == 1:
                await self._start()
        try:
            yield
        finally:
            async with self._turn:
                self._users -= 1
                if self._users == 0:
                    await self._stop()

    def trouble(self) -> str | None:
        """What keeps the tools from answering, in words without addresses; None when all is well. It blocks."""
        try:
            with self.engine.connect() as connection:
                connection.execute(select(1))
        except SQLAlchemyError:
            return "the database does not answer"
        return None if self._prepared else "the tables are being prepared"

    async def _start(self) -> None:
        # One thread per connection of the pool: fewer would leave connections unused, more would wait for them.
        limiter = anyio.to_thread.current_default_thread_limiter()
        limiter.total_tokens = max(limiter.total_tokens, POOL_SIZE)
        try:
            await self._prepare()
        except BaseException:
            self._users -= 1
            raise
        self._upkeep = asyncio.create_task(self._keep(), name="demo data upkeep")

    async def _stop(self) -> None:
        if self._upkeep:
            self._upkeep.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._upkeep
            self._upkeep = None
        await asyncio.to_thread(self.engine.dispose)

    async def _keep(self) -> None:
        while not self._prepared:
            await self._clock.sleep(_TRY_AGAIN_S)
            await self._prepare()
        await keep_demo_data_fresh(self.engine, self._clock)

    async def _prepare(self) -> None:
        progress = asyncio.get_running_loop().call_later(
            _SAY_SO_AFTER_S, logger.info, "preparing tables and demo data; a first start takes a few seconds"
        )
        try:
            await asyncio.to_thread(self._migrate_and_fill)
            self._prepared = True
        except OperationalError as error:
            logger.warning("the database does not answer; trying again (%s)", type(error.orig).__name__)
        finally:
            progress.cancel()

    def _migrate_and_fill(self) -> None:
        migrate_engine(self.engine)
        extend_demo_data(self.engine, today(self._clock))

"""The business data as the tool servers of one process share it: one engine, prepared once, kept fresh by one task."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

import anyio.to_thread
from sqlalchemy import Engine, select
from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

from core.shared.clock import Clock, today
from core.shared.errors import SettingsError
from core.shared.sql import POOL_SIZE, make_engine
from mcp_tools.demo.extend import extend_demo_data
from mcp_tools.demo.fresh import keep_demo_data_fresh
from mcp_tools.migration import is_behind, migrate_engine

logger = logging.getLogger(__name__)

BEHIND = "the tables are older than this program; run: python main.py migrate"
_DAMAGED = "the database file is damaged or no database"
_SAY_SO_AFTER_S = 2.0
_TRY_AGAIN_S = 5.0


class BusinessData:
    """Opened by each server that uses it; the first one prepares the tables, the last one closes the connections.

    An SQLite file is this installation's own: it is migrated, filled and extended here. A MySQL database belongs to
    its operators, and a service's account may do no more than its tools need: there the tables must be ready.
    """

    def __init__(self, url: str, clock: Clock, *, demo_weather: bool = True) -> None:
        self.engine: Engine = make_engine(url)
        self.is_own = self.engine.dialect.name == "sqlite"
        self._demo_weather = demo_weather
        self._clock = clock
        self._users = 0
        self._turn = asyncio.Lock()
        self._prepared = False
        self._trouble = "the tables are being prepared"
        self._upkeep: asyncio.Task[None] | None = None

    def refuse_unusable(self) -> None:
        """Raise SettingsError for tables that are behind or a file that is no database. A database that does not
        answer yet is waited for. It blocks."""
        try:
            if not self.is_own and is_behind(self.engine):
                raise SettingsError(f"database.url: {BEHIND}")
            with self.engine.connect() as connection:
                connection.execute(select(1))
        except OperationalError as error:
            logger.warning("the database does not answer yet (%s)", " ".join(str(error.orig).split()))
        except DatabaseError as error:
            why = " ".join(str(error.orig).split())
            if not self.is_own:
                raise SettingsError(f"database.url: the account may not read the tables ({why})") from None
            place = self.engine.url.database
            raise SettingsError(f"database.url: {_DAMAGED}: {place!r} ({why}); restore it or move it away") from None

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
        return None if self._prepared else self._trouble

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
        if self.is_own:
            await keep_demo_data_fresh(self.engine, self._clock, weather=self._demo_weather)

    async def _prepare(self) -> None:
        progress = asyncio.get_running_loop().call_later(
            _SAY_SO_AFTER_S, logger.info, "preparing tables and demo data; a first start takes a few seconds"
        )
        try:
            await asyncio.to_thread(self._migrate_and_fill if self.is_own else self._see_that_tables_are_ready)
        except OperationalError as error:
            logger.warning("the database does not answer; trying again (%s)", " ".join(str(error.orig).split()))
        except DatabaseError as error:
            self._trouble = _DAMAGED
            logger.error("%s (%s)", _DAMAGED, " ".join(str(error.orig).split()))
        finally:
            progress.cancel()

    def _migrate_and_fill(self) -> None:
        migrate_engine(self.engine)
        extend_demo_data(self.engine, today(self._clock), weather=self._demo_weather)
        self._prepared = True

    def _see_that_tables_are_ready(self) -> None:
        self._prepared = not is_behind(self.engine)
        if not self._prepared:
            self._trouble = BEHIND
            logger.error("%s", BEHIND)

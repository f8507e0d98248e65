"""The core's database: one engine, asked in threads so that the event loop never waits for it."""

import asyncio
import contextlib
import functools
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextvars import copy_context
from datetime import UTC, datetime
from typing import ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.adapters.stores.migration import VERSION_TABLE, make_ready
from core.shared.clock import SHANGHAI, Clock, SystemClock
from core.shared.errors import SettingsError, UpstreamUnavailable
from core.shared.sql import make_engine
from core.shared.waiting import within

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 5
_MYSQL_DEADLOCK = 1213
_MYSQL_NO_TABLE = 1146

LOOK_EVERY_S = 3.0
LOOK_S = 4.0
"""A loss and a return are known within LOOK_EVERY_S + LOOK_S, below the 10 s that readiness may lag behind."""

START_PATIENCE_S = 10.0
"""How long an opening waits for the tables before it goes on without them; they then come in the background."""

RETRY_AFTER_S = 5
UNAVAILABLE = "数据库暂时不可用，请稍后再试。"


class Database:
    """Runs functions over a connection in a transaction of their own.

    `threads`: where they run; else among all that the process does in threads.
    """

    def __init__(self, engine: Engine, threads: Executor | None = None) -> None:
        self._engine = engine
        self._threads = threads
        self._migrated = False
        self._answers = False
        self._told_old = False
        self._told_unready = ""

    @property
    def answers(self) -> bool:
        """Whether it was there with its tables when it was last looked at."""
        return self._answers

    async def run(self, work: Callable[[Connection], T]) -> T:
        """`work` in a thread, in one transaction: committed when it returns, rolled back when it raises.

        Of two transactions that wait for each other MySQL ends one; that one is run again from its beginning.
        Raises UpstreamUnavailable when the database is away, or held by somebody else for too long.
        """
        if not self._migrated:
            raise UpstreamUnavailable(UNAVAILABLE, retry_after_s=RETRY_AFTER_S)
        try:
            return await self._in_thread(self._with_patience, work)
        except (DBAPIError, PoolTimeout) as error:
            if not _is_absence(error):
                raise
            log.warning("the database cannot be used", extra={"why": _why(error)})
            raise UpstreamUnavailable(UNAVAILABLE, retry_after_s=RETRY_AFTER_S) from error

    async def erase(self, work: Callable[[Connection], T]) -> T:
        """`run`, and nothing of what it deletes is left in the files of the database."""
        done = await self.run(work)
        if self._engine.dialect.name == "sqlite":
            await self._in_thread(self._empty_the_log)
        return done

    async def watch(self, clock: Clock) -> None:
        """Look again and again: a database that comes late gets its tables, one that goes is known to be gone."""
        while True:
            await clock.sleep(LOOK_EVERY_S)
            try:
                await self._look_again(clock)
            except Exception:  # a bug in one look must not end the watch
                log.exception("looking after the database failed")

    async def _look_again(self, clock: Clock) -> None:
        if not self._migrated:
            await self.prepare()
            return
        try:
            await within(clock, LOOK_S, self._in_thread(self._look))
            self._note(True, "it answers")
        except (DBAPIError, PoolTimeout, TimeoutError) as error:
            self._note(False, _why(error))
            self._migrated = not _lacks_tables(error)

    async def prepare(self) -> None:
        """Bring the tables to their newest form; a database that is away is noted, not raised."""
        try:
            await self._in_thread(make_ready, self._engine)
        except SettingsError as error:
            self._note_old_tables(error)
            return
        except (DBAPIError, PoolTimeout, TimeoutError) as error:
            self._note_unready(_why(error))
            return
        self._migrated = True
        self._note(True, "its tables are there")

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        call = functools.partial(copy_context().run, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def _look(self) -> None:
        with self._engine.connect() as connection:
            connection.execute(text(f"SELECT 1 FROM {VERSION_TABLE}"))  # noqa: S608  a name of our own

    def _empty_the_log(self) -> None:
        """SQLite's log keeps what rows were until it is written back; whoever reads just now is waited for."""
        with self._engine.connect() as connection:
            connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))

    def _note_unready(self, why: str) -> None:
        """The same reason is told once, however often it is met."""
        if why != self._told_unready:
            log.warning("the database cannot be prepared; trying again", extra={"why": why})
        self._told_unready = why

    def _note_old_tables(self, error: SettingsError) -> None:
        """Said once: somebody has to run a command, and this process goes on looking until they have."""
        if not self._told_old:
            log.error("%s", error)
        self._told_old = True

    def _note(self, answers: bool, why: str) -> None:
        if answers != self._answers:
            log.log(logging.INFO if answers else logging.WARNING, "database is %s", "up" if answers else "down",
                    extra={"why": why})
        self._answers = answers

    def _with_patience(self, work: Callable[[Connection], T]) -> T:
        for _ in range(MOST_ATTEMPTS - 1):
            try:
                return self._in_transaction(work)
            except OperationalError as error:
                if not _is_deadlock(error):
                    raise
        return self._in_transaction(work)

    def _in_transaction(self, work: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)


def _is_deadlock(error: OperationalError) -> bool:
    return error.orig is not None and error.orig.args[:1] == (_MYSQL_DEADLOCK,)


def _is_absence(error: DBAPIError | PoolTimeout) -> bool:
    """Whether the database itself is the matter: away, held, full or broken. The rest are mistakes of ours."""
    if isinstance(error, (OperationalError, InterfaceError, PoolTimeout)) or error.connection_invalidated:
        return True
    # SQLite says of a damaged or foreign file only that it is no database.
    return type(error.orig).__name__ == "DatabaseError"


def _lacks_tables(error: Exception) -> bool:
    """Whether the database is there but empty: somebody has set it up anew."""
    cause = error.orig if isinstance(error, DBAPIError) else None
    return cause is not None and (cause.args[:1] == (_MYSQL_NO_TABLE,) or "no such table" in str(cause))


def _why(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return f"{type(cause).__name__}: {' '.join(str(cause).split())[:200]}"


@contextlib.asynccontextmanager
async def open_database(
    url: str, clock: Clock | None = None, threads: Executor | None = None
) -> AsyncIterator[Database]:
    """The core's database until the context ends, with its tables in their newest form if it is there already.

    One that is away is waited for in the background: `run` raises UpstreamUnavailable until it has come.
    """
    engine = make_engine(url)
    database, prepared = Database(engine, threads), asyncio.Event()
    watching = asyncio.create_task(_look_after(database, clock or SystemClock(), prepared), name="database")
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_PATIENCE_S):
                await prepared.wait()
        if watching.done():
            watching.result()
        yield database
    finally:
        watching.cancel()
        await asyncio.wait({watching})
        engine.dispose()


async def _look_after(database: Database, clock: Clock, prepared: asyncio.Event) -> None:
    try:
        await database.prepare()
    finally:
        prepared.set()
    await database.watch(clock)


def to_stored(moment: datetime) -> datetime:
    """A moment as the tables keep it: UTC without offset, whole microseconds."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def from_stored(moment: datetime) -> datetime:
    """A stored moment as the house speaks of it: Shanghai's time with its offset."""
    return moment.replace(tzinfo=UTC).astimezone(SHANGHAI)

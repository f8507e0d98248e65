"""The core's database: one engine, asked in threads so that the event loop never waits for it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from core.adapters.stores.migration import migrate_core
from core.shared.clock import SHANGHAI
from core.shared.sql import make_engine

T = TypeVar("T")

MOST_ATTEMPTS = 5
_MYSQL_DEADLOCK = 1213


class Database:
    """Runs functions over a connection in a transaction of their own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """`work` in a thread, in one transaction: committed when it returns, rolled back when it raises.

        Of two transactions that wait for each other MySQL ends one; that one is run again from its beginning.
        """
        return await asyncio.to_thread(self._with_patience, work)

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


@contextlib.asynccontextmanager
async def open_database(url: str) -> AsyncIterator[Database]:
    """The core's database with its tables in their newest form, until the context ends."""
    engine = make_engine(url)
    try:
        await asyncio.to_thread(migrate_core, engine)
        yield Database(engine)
    finally:
        engine.dispose()


def to_stored(moment: datetime) -> datetime:
    """A moment as the tables keep it: UTC without offset, whole microseconds."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def from_stored(moment: datetime) -> datetime:
    """A stored moment as the house speaks of it: Shanghai's time with its offset."""
    return moment.replace(tzinfo=UTC).astimezone(SHANGHAI)

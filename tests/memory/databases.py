"""Fresh databases for tests of memory: a new SQLite file, or the one private MariaDB with its tables emptied."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

from sqlalchemy import Connection, delete, select

from core.adapters.stores.database import Database, open_database
from core.adapters.stores.migration import migrate
from core.adapters.stores.tables import metadata


@contextlib.asynccontextmanager
async def emptied(url: str) -> AsyncIterator[Database]:
    """The core's database at `url`, without a row."""
    await asyncio.to_thread(migrate, url)
    async with open_database(url) as database:
        await database.run(_empty)
        yield database


async def every_cell(database: Database) -> list[str]:
    """All that stands in any of the core's tables, as text."""
    return await database.run(lambda connection: list(_cells(connection)))


def _cells(connection: Connection) -> Iterator[str]:
    for table in metadata.sorted_tables:
        for row in connection.execute(select(table)):
            yield from (str(value) for value in row)


def _empty(connection: Connection) -> None:
    for table in reversed(metadata.sorted_tables):
        connection.execute(delete(table))

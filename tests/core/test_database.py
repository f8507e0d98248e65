"""The core's database under bad luck: what is the database's fault is one known error, what is ours stays a bug."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from core.adapters.stores.database import Database, open_database
from core.shared.errors import UpstreamUnavailable


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(f"sqlite:///{tmp_path / 'core.db'}") as opened:
        yield opened


def write_at_once(connection: Connection) -> None:
    """Without the 15 s that a writer waits for another."""
    connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    connection.exec_driver_sql("CREATE TABLE t (a INTEGER PRIMARY KEY)")


async def test_a_held_lock_is_an_unavailable_database(database: Database, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "core.db")) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(UpstreamUnavailable, match="数据库暂时不可用") as caught:
            await database.run(write_at_once)
    assert caught.value.retry_after_s == 5
    await database.run(write_at_once)


async def test_a_mistake_of_ours_stays_one(database: Database) -> None:
    def twice(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        connection.exec_driver_sql("INSERT INTO t VALUES (1)")
        connection.exec_driver_sql("INSERT INTO t VALUES (1)")

    with pytest.raises(IntegrityError):
        await database.run(twice)


async def test_an_address_where_nobody_listens_is_opened_all_the_same(unused_address: str) -> None:
    async with open_database(unused_address) as database:
        assert not database.answers
        with pytest.raises(UpstreamUnavailable):
            await database.run(lambda connection: None)


@pytest.fixture
def unused_address() -> str:
    from tests.support.whole import free_port

    return f"mysql+pymysql://u:p@127.0.0.1:{free_port()}/smart"

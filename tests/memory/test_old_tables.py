"""On a MySQL database the gateway changes no tables: older ones are refused, and the command is named."""

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import NullPool, create_engine, text

from core.adapters.stores.database import Database, open_database
from core.adapters.stores.migration import migrate, refuse_old_tables
from core.shared.errors import SettingsError, UpstreamUnavailable

COMMAND = "python main.py migrate"


@pytest.fixture
def old(mariadb_url: str) -> Iterator[tuple[str, str]]:
    """The address of a database whose tables this program's migrations have not touched yet, and the newest version."""
    migrate(mariadb_url)
    newest = _say_version(mariadb_url, "core0001")
    yield mariadb_url, newest
    _say_version(mariadb_url, newest)


def _say_version(url: str, version: str) -> str:
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        before = connection.scalar(text("SELECT version_num FROM alembic_version_core"))
        connection.execute(text("UPDATE alembic_version_core SET version_num = :version"), {"version": version})
    return str(before)


def _answers(database: Database) -> bool:
    return database.answers


async def _one(database: Database) -> object:
    return await database.run(lambda connection: connection.scalar(text("SELECT 1")))


def test_a_start_on_old_tables_names_the_command(old: tuple[str, str]) -> None:
    with pytest.raises(SettingsError, match=COMMAND):
        refuse_old_tables(old[0])


def test_new_tables_are_accepted(mariadb_url: str) -> None:
    migrate(mariadb_url)
    refuse_old_tables(mariadb_url)
    newest = _say_version(mariadb_url, "core0001")
    with pytest.raises(SettingsError):  # the same tables, once they are called old
        refuse_old_tables(mariadb_url)
    assert _say_version(mariadb_url, newest) == "core0001"


def test_a_database_that_is_away_is_no_reason_to_refuse(caplog: pytest.LogCaptureFixture) -> None:
    refuse_old_tables("mysql+pymysql://nobody@127.0.0.1:1/none")
    assert caplog.messages == ["the database does not answer yet"]


async def test_tables_found_old_later_are_left_alone_until_somebody_migrates(old: tuple[str, str]) -> None:
    url, newest = old
    async with open_database(url) as database:
        assert _answers(database) is False
        with pytest.raises(UpstreamUnavailable):
            await _one(database)
        await asyncio.to_thread(_say_version, url, newest)
        await database.prepare()
        assert _answers(database) is True
        assert await _one(database) == 1

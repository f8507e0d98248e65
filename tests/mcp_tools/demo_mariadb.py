"""One MariaDB for all tests of a run: a filled database that is only read, and one that each test finds as filled."""

import atexit
import functools
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, text

from core.shared.sql import make_engine
from mcp_tools.migration import migrate_engine
from mcp_tools.tables import metadata
from tests.mcp_tools.mariadb import MariaDb

_FILLED, _OWN = "filled", "own"
_WRITING = re.compile(r"\s*(?:INSERT(?: IGNORE)? INTO|UPDATE|DELETE FROM|ALTER TABLE) +`?(?!alembic)(\w+)", re.I)
_touched: set[str] = set()
_folder = tempfile.TemporaryDirectory(prefix="mariadb-")


@functools.cache
def shared_server() -> MariaDb:
    """Started once, stopped when Python ends."""
    server = MariaDb(Path(_folder.name))
    server.install()
    server.start()
    atexit.register(server.stop)
    return server


@functools.cache
def filled(fill: Callable[[str], tuple[int, ...]]) -> tuple[str, tuple[int, ...]]:
    """The address of the filled database, and what `fill` said of its work."""
    url = shared_server().new_database(_FILLED)
    return url, fill(url)


def own(fill: Callable[[str], tuple[int, ...]]) -> str:
    """The address of a database like the filled one. There is one, made anew from the rows that differ."""
    filled(fill)
    url = _own()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("SET foreign_key_checks = 0"))
        for table in set(connection.scalars(text("SHOW TABLES"))) & _touched:
            if table in metadata.tables:
                _make_equal(connection, metadata.tables[table])
            else:
                connection.execute(text(f"DELETE FROM {table}"))  # noqa: S608
    engine.dispose()
    _touched.clear()
    return url


@event.listens_for(Engine, "before_cursor_execute")
def _note_writing(connection: Connection, _cursor: Any, statement: str, *_rest: Any) -> None:
    """Which tables differ since the last time: to compare all of them would take a second for every test."""
    if connection.engine.url.database == _OWN and (found := _WRITING.match(statement)):
        _touched.add(found[1])


def _make_equal(connection: Connection, table: Table) -> None:
    same_key = " AND ".join(f"mine.{column.name} = theirs.{column.name}" for column in table.primary_key)
    same_row = " AND ".join(f"mine.{column.name} <=> theirs.{column.name}" for column in table.columns)
    key = next(iter(table.primary_key)).name
    names = ", ".join(column.name for column in table.columns)
    theirs = ", ".join(f"theirs.{column.name}" for column in table.columns)
    connection.execute(text(
        f"DELETE mine FROM {_OWN}.{table} mine LEFT JOIN {_FILLED}.{table} theirs ON {same_key} AND {same_row} "
        f"WHERE theirs.{key} IS NULL"
    ))
    connection.execute(text(
        f"INSERT INTO {_OWN}.{table} ({names}) SELECT {theirs} FROM {_FILLED}.{table} theirs "  # noqa: S608
        f"LEFT JOIN {_OWN}.{table} mine ON {same_key} WHERE mine.{key} IS NULL"
    ))


@functools.cache
def _own() -> str:
    url = shared_server().new_database(_OWN)
    engine = make_engine(url)
    migrate_engine(engine)
    engine.dispose()
    _touched.update(metadata.tables)
    shared_server().admin(f"GRANT ALL ON {_FILLED}.* TO {_OWN}@'127.0.0.1'")
    return url

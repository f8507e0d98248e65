"""Engines for the business data: SQLite for one machine, MySQL for a deployment; both behind one address."""

import sqlite3
import time
from pathlib import Path

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import ConnectionPoolEntry

POOL_SIZE = 40
"""Connections an engine may hold, and threads that may wait for the database at once."""

BUSY_TIMEOUT_MS = 15_000
"""How long a SQLite writer waits for another one. Several processes start on one file at once."""

_SWITCH_PAUSE_S = 0.02


def make_engine(url: str) -> Engine:
    """An engine for `url`; nothing is connected yet. The folder of an SQLite file is made."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return _sqlite(address)
    return create_engine(
        _utf8(address), pool_size=POOL_SIZE, max_overflow=0, pool_pre_ping=True, pool_recycle=1800, pool_timeout=10,
        isolation_level="READ COMMITTED", connect_args={"connect_timeout": 5, "read_timeout": 30, "write_timeout": 30},
    )


def _utf8(address: URL) -> URL:
    return address if "charset" in address.query else address.update_query_dict({"charset": "utf8mb4"})


def _sqlite(address: URL) -> Engine:
    if address.database and address.database != ":memory:":
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(address, pool_size=POOL_SIZE, max_overflow=0, pool_timeout=10)
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    _switch_to_wal(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """WAL lets readers read while one writes. The mode stays with the file, so only a new file is really switched; two
    that do so at once are not made to wait by busy_timeout: one of them is told at once that the file is locked."""
    give_up_at = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up_at:
                raise
        time.sleep(_SWITCH_PAUSE_S)

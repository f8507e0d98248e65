"""Engines for the business data: SQLite for one machine, MySQL for a deployment; both behind one address."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import ConnectionPoolEntry

POOL_SIZE = 40
"""Connections an engine may hold, and threads that may wait for the database at once."""

BUSY_TIMEOUT_MS = 15_000
"""How long a SQLite writer waits for another one. Several processes start on one file at once."""


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


def _prepare_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:
    # busy_timeout comes first: switching to WAL needs the file for itself for a moment.
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}", "journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"
    ):
        connection.execute(f"PRAGMA {pragma}")

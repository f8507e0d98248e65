"""Engines and migrations for every package with tables: SQLite on one machine, MySQL in a deployment, one address."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import ConnectionPoolEntry

from core.shared.errors import SettingsError

POOL_SIZE = 40
"""Connections an engine may hold, and threads that may wait for the database at once."""

BUSY_TIMEOUT_MS = 15_000
"""How long a SQLite writer waits for another one. Several processes start on one file at once."""

# Binary collation: in MySQL's default one 'alice' equals 'Alice', and 北京 may equal a look-alike.
MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}

STATEMENT_S = 20
"""How long the database works on one statement of a service; less than the driver waits for the answer."""

_ROW_LOCK_WAIT_S = 10
_LOCK_WAIT_S = 60
_ONE_WAIT_S = 10
_SWITCH_PAUSE_S = 0.02


def make_engine(url: str, *, patient: bool = False) -> Engine:
    """An engine for `url`; nothing is connected yet. The folder of an SQLite file is made.

    `patient`: for a person's own command, whose statements (a migration, a large import) may take as long as they do.
    """
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return _sqlite(address)
    waits = {} if patient else {"read_timeout": 30, "write_timeout": 30}
    engine = create_engine(
        _utf8(address),
        pool_size=POOL_SIZE,
        max_overflow=0,
        pool_pre_ping=True,
        pool_recycle=1800,
        pool_timeout=10,
        isolation_level="READ COMMITTED",
        connect_args={"connect_timeout": 5, **waits},
    )
    if not patient:
        event.listen(engine, "connect", _limit_statements)
    return engine


def _limit_statements(connection: Any, _entry: ConnectionPoolEntry) -> None:
    """What runs away ends in the database too, not only where its answer is waited for. MySQL limits only reading."""
    mariadb = "mariadb" in str(connection.get_server_info()).lower()
    limit = f"max_statement_time = {STATEMENT_S}" if mariadb else f"max_execution_time = {STATEMENT_S * 1000}"
    with connection.cursor() as cursor:
        cursor.execute(f"SET SESSION {limit}, SESSION innodb_lock_wait_timeout = {_ROW_LOCK_WAIT_S}")


def migrate_engine(engine: Engine, scripts: Path, lock: str) -> None:
    """Run the Alembic scripts in `scripts` up to the newest. Several processes may try at once: one works, all wait."""
    with engine.connect() as connection, _alone(connection, lock):
        config = Config()
        config.set_main_option("script_location", str(scripts).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def is_behind(engine: Engine, scripts: Path, version_table: str) -> bool:
    """Whether the tables lack migrations that this program brings. Tables of a newer program are not behind."""
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    steps = ScriptDirectory.from_config(config)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": version_table})
        found = context.get_current_heads()
    known = {step.revision for step in steps.walk_revisions()}
    newest = set(steps.get_heads())
    return not found or any(revision in known - newest for revision in found)


@contextmanager
def _alone(connection: Connection, lock: str) -> Iterator[None]:
    if connection.dialect.name == "sqlite":
        # Taken before the version is read, so that the second one finds the work done.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        connection.commit()
        return
    _take(connection, lock)
    try:
        yield
        connection.commit()
    finally:
        connection.execute(text("SELECT RELEASE_LOCK(:name)"), {"name": lock})


def _take(connection: Connection, lock: str) -> None:
    """In short waits: a service's connection gives up on a statement that takes longer."""
    waited_s = 0
    while connection.scalar(text("SELECT GET_LOCK(:name, :wait)"), {"name": lock, "wait": _ONE_WAIT_S}) != 1:
        waited_s += _ONE_WAIT_S
        if waited_s >= _LOCK_WAIT_S:
            raise TimeoutError("another process has been migrating these tables for a minute")


def _utf8(address: URL) -> URL:
    return address if "charset" in address.query else address.update_query_dict({"charset": "utf8mb4"})


def _sqlite(address: URL) -> Engine:
    if address.database and address.database != ":memory:":
        _make_folder(Path(address.database).parent)
    engine = create_engine(address, pool_size=POOL_SIZE, max_overflow=0, pool_timeout=10)
    event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"data (environment SMARTVOYAGE_DATA): expected a folder that can be written to, found {str(folder)!r} "
            f"({error.strerror})"
        ) from error


def _prepare_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    _switch_to_wal(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten: people have it erased


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

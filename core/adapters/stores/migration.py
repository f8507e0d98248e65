"""Brings the core's own tables to the newest form, in an environment and version table of their own."""

import logging
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

import core.shared.sql as sql
from core.shared.errors import SettingsError

log = logging.getLogger(__name__)

BEHIND = "the tables are older than this program; run: python main.py migrate"
VERSION_TABLE = "alembic_version_core"
_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = "smartvoyage_core_migration"


def migrate(url: str) -> None:
    """Upgrade the database at `url`."""
    engine = sql.make_engine(url, patient=True)
    try:
        migrate_core(engine)
    finally:
        engine.dispose()


def migrate_core(engine: Engine) -> None:
    """The same on an engine that is already there."""
    sql.migrate_engine(engine, _SCRIPTS, _LOCK)


def make_ready(engine: Engine) -> None:
    """An SQLite file is this installation's own and is migrated. A MySQL database belongs to its operators: there
    SettingsError says what to run when the tables are older than this program."""
    if engine.dialect.name == "sqlite":
        migrate_core(engine)
    elif sql.is_behind(engine, _SCRIPTS, VERSION_TABLE):
        raise SettingsError(f"database.url: {BEHIND}")


def refuse_old_tables(url: str) -> None:
    """Raise SettingsError for tables that are behind. A database that does not answer yet is waited for later."""
    engine = sql.make_engine(url)
    try:
        if engine.dialect.name != "sqlite":
            make_ready(engine)
    except (DBAPIError, PoolTimeout) as error:
        log.warning("the database does not answer yet", extra={"why": " ".join(str(error).split())[:200]})
    finally:
        engine.dispose()

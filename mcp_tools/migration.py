"""Bring the business tables to the newest form: Alembic, in this package's own environment and version table."""

from pathlib import Path

from sqlalchemy import Engine

import core.shared.sql as sql

VERSION_TABLE = "alembic_version_tools"
_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = "smartvoyage_tools_migration"


def migrate(url: str) -> None:
    """Upgrade the database at `url`. Several processes may do this at once: one works, the others wait."""
    engine = sql.make_engine(url, patient=True)
    try:
        migrate_engine(engine)
    finally:
        engine.dispose()


def migrate_engine(engine: Engine) -> None:
    """The same on an engine that is already there."""
    sql.migrate_engine(engine, _SCRIPTS, _LOCK)


def is_behind(engine: Engine) -> bool:
    """Whether the tables are older than this program."""
    return sql.is_behind(engine, _SCRIPTS, VERSION_TABLE)

"""Brings the core's own tables to the newest form, in an environment and version table of their own."""

from pathlib import Path

from sqlalchemy import Engine

from core.shared.sql import make_engine, migrate_engine

VERSION_TABLE = "alembic_version_core"
_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = "smartvoyage_core_migration"


def migrate(url: str) -> None:
    """Upgrade the database at `url`."""
    engine = make_engine(url)
    try:
        migrate_core(engine)
    finally:
        engine.dispose()


def migrate_core(engine: Engine) -> None:
    """The same on an engine that is already there."""
    migrate_engine(engine, _SCRIPTS, _LOCK)

"""Bring the business tables to the newest form: Alembic, in this package's own environment and version table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, text

from mcp_tools.database import make_engine

VERSION_TABLE = "alembic_version_tools"
_LOCK = "smartvoyage_tools_migration"
_LOCK_WAIT_S = 60


def migrate(url: str) -> None:
    """Upgrade the database at `url`. Several processes may do this at once: one works, the others wait."""
    engine = make_engine(url)
    try:
        migrate_engine(engine)
    finally:
        engine.dispose()


def migrate_engine(engine: Engine) -> None:
    """The same on an engine that is already there."""
    with engine.connect() as connection, _alone(connection):
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    if connection.dialect.name == "sqlite":
        # Taken before the version is read, so that the second one finds the work done.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield
        connection.commit()
        return
    if connection.scalar(text("SELECT GET_LOCK(:name, :wait)"), {"name": _LOCK, "wait": _LOCK_WAIT_S}) != 1:
        raise TimeoutError("another process has been migrating the business tables for a minute")
    try:
        yield
        connection.commit()
    finally:
        connection.execute(text("SELECT RELEASE_LOCK(:name)"), {"name": _LOCK})

"""The migrations build what tables.py describes, for many at once, and touch nothing else."""

import logging
import threading
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from core.shared.sql import make_engine
from mcp_tools.migration import VERSION_TABLE, is_behind, migrate, migrate_engine
from mcp_tools.tables import metadata
from tests.mcp_tools.demo_file import engine_of, url_of


def test_the_migrations_build_exactly_the_tables_of_the_code(tmp_path: Path) -> None:
    migrate(url_of(tmp_path / "new.db"))
    engine = engine_of(tmp_path / "new.db")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_a_second_migration_changes_nothing(tmp_path: Path) -> None:
    url = url_of(tmp_path / "new.db")
    migrate(url)
    before = (tmp_path / "new.db").read_bytes()
    migrate(url)
    assert (tmp_path / "new.db").read_bytes() == before


def test_tables_and_versions_of_others_stay(tmp_path: Path) -> None:
    engine = create_engine(url_of(tmp_path / "shared.db"))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('core-7')"))
    migrate_engine(engine)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "core-7"
    assert VERSION_TABLE in inspect(engine).get_table_names()
    engine.dispose()


def test_logging_is_left_as_it_was(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = (list(root.handlers), root.level, logging.getLogger("core").disabled)
    migrate(url_of(tmp_path / "new.db"))
    assert (list(root.handlers), root.level, logging.getLogger("core").disabled) == before


def test_four_may_migrate_an_empty_file_at_once(tmp_path: Path) -> None:
    faults: list[Exception] = []
    together = threading.Barrier(4)

    def upgrade() -> None:
        together.wait()
        try:
            migrate(url_of(tmp_path / "new.db"))
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=upgrade) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_an_sqlite_file_waits_for_writers_and_holds_its_references(tmp_path: Path) -> None:
    engine = make_engine(url_of(tmp_path / "deep" / "er" / "new.db"))
    with engine.connect() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        assert int(str(connection.scalar(text("PRAGMA busy_timeout")))) >= 10_000
    engine.dispose()


def test_every_table_compares_keys_byte_by_byte_on_mysql() -> None:
    for table in metadata.tables.values():
        assert table.dialect_options["mysql"]["collate"] == "utf8mb4_bin", table.name


def test_orders_of_before_are_numbered_by_their_keys_and_never_twice(tmp_path: Path) -> None:
    engine = engine_of(tmp_path / "old.db")
    migrate_engine(engine)
    with engine.begin() as connection:
        for index in ("ux_orders_offer", "ix_weather_forecasts_age", "ix_trains_to_city", "ix_flights_to_city"):
            connection.execute(text(f"DROP INDEX {index}"))
        connection.execute(text("ALTER TABLE orders DROP COLUMN item_number"))
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0002'"))  # noqa: S608
        old = text(
            "INSERT INTO orders VALUES (:key, 'alice', 'train', 'confirmed', 'i', '{}', NULL, NULL, 1, 1, 1, 'demo', "
            "'o1', :key, '2026-08-16', NULL)"
        )
        connection.execute(old, [{"key": key} for key in ("a-key", "o1:1", "o1:2", "z-key")])
    assert is_behind(engine)
    migrate_engine(engine)
    assert not is_behind(engine)
    with engine.connect() as connection:
        found = connection.execute(text("SELECT idempotency_key, item_number FROM orders"))
        assert {key: number for key, number in found} == {"o1:1": 1, "o1:2": 2, "a-key": 3, "z-key": 4}
    engine.dispose()


def test_tables_of_a_newer_program_are_not_behind(tmp_path: Path) -> None:
    engine = engine_of(tmp_path / "new.db")
    assert is_behind(engine)
    migrate_engine(engine)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))  # noqa: S608
    assert not is_behind(engine)
    engine.dispose()

"""This package's verbs of the command line."""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.shared.clock import SystemClock, today
from core.shared.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Engine

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_commands(subparsers: "Subparsers") -> None:
    """Add `migrate` and `demo-data`. Each parser's default `run` takes (args, settings) and returns the status."""
    migration = subparsers.add_parser("migrate", help="bring the business tables to the newest form")
    migration.set_defaults(run=run_migrate)
    demo = subparsers.add_parser("demo-data", help="write the demo timetable and weather; safe to repeat")
    demo.set_defaults(run=run_demo_data)


def run_migrate(_args: argparse.Namespace, settings: Settings) -> int:
    """Upgrade the tables at the configured address."""
    from mcp_tools.migration import migrate_engine

    def work(engine: "Engine") -> str:
        migrate_engine(engine)
        return "business tables: up to date"

    return _with_database(settings, work)


def run_demo_data(_args: argparse.Namespace, settings: Settings) -> int:
    """Upgrade the tables and fill in the missing days from today on."""
    from mcp_tools.demo.extend import extend_demo_data
    from mcp_tools.migration import migrate_engine

    def work(engine: "Engine") -> str:
        migrate_engine(engine)
        added = extend_demo_data(engine, today(SystemClock(settings.now)))
        return f"demo data: {added} rows added" if added else "demo data: nothing was missing"

    return _with_database(settings, work)


def _with_database(settings: Settings, work: "Callable[[Engine], str]") -> int:
    """Do the work on an engine of its own and print what came of it; 1 and one clear line when it cannot be reached."""
    from sqlalchemy.exc import OperationalError

    from core.shared.sql import make_engine

    engine = make_engine(settings.database_url)
    try:
        print(work(engine))
    except OperationalError as error:
        print(f"smartvoyage: database.url: the database cannot be used ({error.orig})", file=sys.stderr)
        return 1
    finally:
        engine.dispose()
    return 0

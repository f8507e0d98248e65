"""This package's verbs of the command line."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from core.shared.clock import SystemClock, today
from core.shared.data_changes import data_changed
from core.shared.on_database import on_database
from core.shared.settings import Settings
from mcp_tools.imports.columns import COLUMNS, Column

if TYPE_CHECKING:
    from sqlalchemy import Engine

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_IMPORT = """\
Take over a timetable of your own. All of the file or nothing: with any bad line nothing is changed, every bad line is
named with its column and what was expected, and the exit status is 2. A line that is imported again updates price and
total, never below what is sold already. Sample files: examples/import/."""


def add_commands(subparsers: "Subparsers") -> None:
    """Add this package's verbs. Each parser's default `run` takes (args, settings) and returns the status."""
    demo = subparsers.add_parser("demo-data", help="write the demo timetable and weather; safe to repeat")
    demo.set_defaults(run=run_demo_data)
    own = subparsers.add_parser(
        "import", help="take over a timetable of your own from a CSV file", description=_IMPORT, epilog=_columns(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    own.add_argument("kind", choices=list(COLUMNS), metavar="KIND", help=", ".join(COLUMNS))
    own.add_argument("file", type=Path, metavar="FILE.csv", help="comma-separated text in UTF-8, with a header line")
    own.add_argument("--dry-run", action="store_true", help="write nothing; say what would be written")
    own.set_defaults(run=run_import)


def run_migrate(_args: argparse.Namespace, settings: Settings) -> int:
    """Upgrade the tables at the configured address."""
    from mcp_tools.migration import migrate_engine

    def work(engine: "Engine") -> str:
        migrate_engine(engine)
        return "business tables: up to date"

    return on_database(settings, work)


def run_demo_data(_args: argparse.Namespace, settings: Settings) -> int:
    """Upgrade the tables and fill in the missing days from today on."""
    from mcp_tools.demo.extend import extend_demo_data
    from mcp_tools.migration import migrate_engine

    def work(engine: "Engine") -> str:
        migrate_engine(engine)
        weather = settings.collector.demo_fallback
        added = extend_demo_data(engine, today(SystemClock(settings.now)), weather=weather)
        return f"demo data: {added} rows added" if added else "demo data: nothing was missing"

    return on_database(settings, work)


def run_import(args: argparse.Namespace, settings: Settings) -> int:
    """Write a CSV file's rows, all or none; 2 when any line is bad."""
    from mcp_tools.imports.command import BAD_LINES, read_file, write_rows

    rows = read_file(args.kind, args.file, today(SystemClock(settings.now)))
    if rows is None:
        return BAD_LINES
    status = on_database(settings, lambda engine: write_rows(engine, args.kind, rows, dry_run=args.dry_run))
    if status == 0 and not args.dry_run:
        asyncio.run(data_changed(settings, args.kind))
    return status


def _columns() -> str:
    """The columns of every kind, for --help."""
    lines = ["columns of each kind (in any order; those in brackets may be left out):"]
    for kind, columns in COLUMNS.items():
        lines.append(f"\n{kind}")
        lines += [f"  {_bracketed(column):<16} {column.expected.rstrip(',')}" for column in columns]
    return "\n".join(lines)


def _bracketed(column: Column) -> str:
    return column.name if column.needed else f"[{column.name}]"

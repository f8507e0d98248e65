"""`python main.py import`: an operator's own timetable from a CSV file, all of it or nothing."""

import datetime as dt
import sys
from pathlib import Path

from sqlalchemy import Engine, inspect

from mcp_tools.imports.kinds import IMPORTS
from mcp_tools.imports.reading import read_csv
from mcp_tools.imports.rows import ImportRows, rows_of
from mcp_tools.imports.writing import Written, write
from mcp_tools.migration import migrate_engine
from mcp_tools.tables import orders

BAD_LINES = 2


def read_file(kind: str, path: Path, today: dt.date) -> ImportRows | None:
    """The rows of a file that is right in every line; else None, and every fault has been named."""
    try:
        reading = read_csv(kind, path, today, _progress)
    except OSError as error:
        print(f"smartvoyage: import: {path}: cannot be read ({error.strerror})", file=sys.stderr)
        return None
    rows, faults = rows_of(IMPORTS[kind], reading.lines)
    for fault in sorted([*reading.faults, *faults], key=_line_number):
        print(f"smartvoyage: import: {path}: {fault}", file=sys.stderr)
    if reading.faults or faults:
        count = len(reading.faults) + len(faults)
        print(f"smartvoyage: import: {count} faults; nothing was changed", file=sys.stderr)
        return None
    return rows


def write_rows(engine: Engine, kind: str, rows: ImportRows, *, dry_run: bool) -> str:
    """Write them, or find out what that would do; the outcome in one line."""
    if dry_run and not inspect(engine).has_table(orders.name):
        return _told(kind, Written(added=len(rows.sales)), dry_run=True)
    if not dry_run:
        migrate_engine(engine)
    return _told(kind, write(engine, IMPORTS[kind], rows, _progress, dry_run=dry_run), dry_run=dry_run)


def _told(kind: str, written: Written, *, dry_run: bool) -> str:
    would = "would be " if dry_run else ""
    held = f"; {written.held} keep a larger total, because more is sold already" if written.held else ""
    nothing = " (dry run: nothing was written)" if dry_run else ""
    return f"{kind}: {written.added} rows {would}added, {written.updated} {would}updated{held}{nothing}"


def _progress(said: str) -> None:
    print(f"  … {said}", file=sys.stderr, flush=True)


def _line_number(fault: str) -> int:
    """Faults in the file's own order; those of the whole file first."""
    digits = fault.removeprefix("line ").split(",")[0].split(":")[0]
    return int(digits) if digits.isdigit() else 0

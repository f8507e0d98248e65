"""Read an operator's CSV file: the values of every good line, and a sentence for every fault."""

import csv
import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from mcp_tools.imports.columns import COLUMNS, Column

Progress = Callable[[str], None]

_SAY_SO_EVERY = 20_000
_SHOWN_CHARS = 40


@dataclass(frozen=True, slots=True)
class CsvLine:
    """A good line: its number in the file, counted from 1 with the header, and its values by column."""

    number: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a file. With any fault nothing of it may be used."""

    lines: list[CsvLine] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def read_csv(kind: str, path: Path, today: dt.date, progress: Progress) -> Reading:
    """Read a file of that kind, to its end whatever is wrong with it. OSError when it cannot be opened."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return _read(COLUMNS[kind], file, today, progress)
        except UnicodeDecodeError:
            return Reading(faults=["text in UTF-8 was expected; save the file as UTF-8 and try again"])
        except csv.Error as error:
            return Reading(faults=[str(error)])


def _read(columns: tuple[Column, ...], file: TextIO, today: dt.date, progress: Progress) -> Reading:
    records = _records(file)
    names = [name.strip() for name in next(records, (1, []))[1]]
    faults = _header_faults(columns, names)
    if faults:
        return Reading(faults=faults)
    reading = Reading()
    for count, (number, cells) in enumerate(records, 1):
        _read_line(columns, names, number, cells, today, reading)
        if count % _SAY_SO_EVERY == 0:
            progress(f"{count} lines read")
    if not reading.lines and not reading.faults:
        reading.faults.append("line 2: at least one line below the header was expected")
    return reading


def _records(file: TextIO) -> Iterator[tuple[int, list[str]]]:
    """Each record with the number of the line on which it begins; a quoted cell may go over several."""
    reader = csv.reader(file, strict=True)
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise csv.Error(f"line {begins}: comma-separated text was expected ({error})") from error


def _header_faults(columns: tuple[Column, ...], names: list[str]) -> list[str]:
    known = {column.name for column in columns}
    missing = [column.name for column in columns if column.needed and column.name not in names]
    unknown = [name for name in names if name not in known]
    twice = sorted({name for name in names if names.count(name) > 1} & known)
    wrong = [
        *(f"line 1, column {name}: a column of this name was expected, found none" for name in missing),
        *(f"line 1, column {_shown(name)}: no column of this name was expected" for name in unknown),
        *(f"line 1, column {name}: one column of this name was expected, found several" for name in twice),
    ]
    listed = ", ".join(column.name for column in columns)
    return [*wrong, f"line 1: these columns were expected: {listed}"] if wrong else []


def _read_line(
    columns: tuple[Column, ...], names: list[str], number: int, cells: list[str], today: dt.date, reading: Reading
) -> None:
    if len(cells) != len(names):
        odd = names[len(cells)] if len(cells) < len(names) else str(len(names) + 1)
        reading.faults.append(f"line {number}, column {odd}: {len(names)} cells were expected, found {len(cells)}")
        return
    by_name = dict(zip(names, cells, strict=True))
    values: dict[str, Any] = {}
    faults = []
    for column in columns:
        cell = by_name.get(column.name, "")
        try:
            values[column.name] = column.read(cell, today) if column.needed or cell.strip() else None
        except ValueError:
            expected = f"{column.expected} was expected"
            faults.append(f"line {number}, column {column.name}: {expected}, found {_shown(cell)}")
    reading.faults.extend(faults)
    if not faults:
        reading.lines.append(CsvLine(number, values))


def _shown(cell: str) -> str:
    return repr(cell if len(cell) <= _SHOWN_CHARS else cell[:_SHOWN_CHARS] + "…")

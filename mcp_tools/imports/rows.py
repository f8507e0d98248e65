"""The rows that a file's lines stand for: each service once, each thing for sale once, and no contradictions."""

from dataclasses import dataclass, field

from mcp_tools.imports.kinds import ImportKind, Values
from mcp_tools.imports.reading import CsvLine


@dataclass(frozen=True, slots=True)
class ImportRows:
    """Rows by their identity."""

    services: dict[str, Values] = field(default_factory=dict)
    sales: dict[str, Values] = field(default_factory=dict)


def rows_of(kind: ImportKind, lines: list[CsvLine]) -> tuple[ImportRows, list[str]]:
    """The rows, and a sentence for every line that repeats or contradicts an earlier one."""
    rows, faults = ImportRows(), []
    first_line: dict[str, int] = {}
    for line in lines:
        service = kind.service(line.values)
        service_id = str(service[kind.key])
        sale = kind.sale(line.values, service_id)
        item_id = str(sale["item_id"])
        known = rows.services.setdefault(service_id, service)
        first = first_line.setdefault(service_id, line.number)
        differing = [name for name, value in service.items() if value != known[name]]
        if differing:
            faults.append(_contradiction(line, differing[0], first))
        elif item_id in rows.sales:
            faults.append(_repetition(line, kind.choice, first_line[item_id]))
        first_line.setdefault(item_id, line.number)
        rows.sales[item_id] = sale | {"price_fen": line.values["price"], "total": line.values["total"]}
    return rows, faults


def _repetition(line: CsvLine, column: str, first: int) -> str:
    return f"line {line.number}, column {column}: another one than on line {first}, which sells the same, was expected"


_AS_IN_FILE = {"depart_min": "depart", "starts_min": "starts", "train_type": "train_no"}


def _contradiction(line: CsvLine, name: str, first: int) -> str:
    column = _AS_IN_FILE.get(name, name)
    return f"line {line.number}, column {column}: what line {first} says of the same service was expected"

"""What a database says about how it will run the statements that some work makes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, event


@dataclass(frozen=True, slots=True)
class Access:
    """How one table of one statement is read. `key` None and `kind` ALL or index: all of it, from end to end."""

    table: str
    kind: str
    key: str | None
    statement: str

    @property
    def reads_everything(self) -> bool:
        return self.kind in ("ALL", "index")


def accesses_of(engine: Engine, work: Callable[[], Any]) -> list[Access]:
    """Do the work, and then have each of its statements explained with the values it had."""
    with _statements(engine) as made:
        work()
    with engine.connect() as connection:
        return [
            Access(row["table"], row["type"] or "", row["key"], statement)
            for statement, parameters in made
            if statement.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE"))
            for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).mappings()
            if row["table"]
        ]


@contextmanager
def _statements(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    made: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any) -> None:
        made.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield made
    finally:
        event.remove(engine, "before_cursor_execute", note)

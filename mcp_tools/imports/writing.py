"""Write an import in one transaction: all of it or nothing, and never below what was sold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Connection, Engine, Table, bindparam, func, insert, select, update

from mcp_tools.imports.kinds import ImportKind, Values
from mcp_tools.imports.reading import Progress
from mcp_tools.imports.rows import ImportRows
from mcp_tools.tables import order_lines, orders

_AT_ONCE = 500
_SAY_SO_EVERY = 20_000


@dataclass(frozen=True, slots=True)
class Written:
    """What came of it. `held` rows were given a larger total than the file's, because more is sold already."""

    added: int = 0
    updated: int = 0
    held: int = 0

    def plus(self, other: "Written") -> "Written":
        return Written(self.added + other.added, self.updated + other.updated, self.held + other.held)


def write(engine: Engine, kind: ImportKind, rows: ImportRows, progress: Progress, *, dry_run: bool) -> Written:
    """Add what is new and update what is there. A dry run does the same and takes it all back."""
    written = Written()
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # no order may come between reading what is sold and writing
        for some in _portions(list(rows.services.values())):
            _write_services(connection, kind, some)
        # In one order for everybody, so that two imports at once do not lock each other out.
        for some in _portions(sorted(rows.sales.values(), key=lambda row: str(row["item_id"]))):
            before = written.added + written.updated
            written = written.plus(_write_sales(connection, kind.sales, some))
            _say(progress, before, written.added + written.updated)
        if dry_run:
            connection.rollback()
        else:
            connection.commit()
    return written


def _write_services(connection: Connection, kind: ImportKind, rows: Sequence[Values]) -> None:
    key = kind.services.c[kind.key]
    found = select(key).where(key.in_([row[kind.key] for row in rows]))
    known = set(connection.scalars(found))
    _insert(connection, kind.services, [row for row in rows if row[kind.key] not in known])
    _update(connection, kind.services, kind.key, [row for row in rows if row[kind.key] in known])


def _write_sales(connection: Connection, sales: Table, rows: Sequence[Values]) -> Written:
    ids = [row["item_id"] for row in rows]
    # Locked first: an order that is under way is either counted below, or waits and takes from the new number.
    known = set(connection.scalars(select(sales.c.item_id).where(sales.c.item_id.in_(ids)).with_for_update()))
    sold = _sold(connection, ids)
    new = [row | {"remaining": row["total"]} for row in rows if row["item_id"] not in known]
    changed = [_above_sold(row, sold.get(row["item_id"], 0)) for row in rows if row["item_id"] in known]
    _insert(connection, sales, new)
    _update(connection, sales, "item_id", changed)
    held = sum(row["total"] < sold.get(row["item_id"], 0) for row in rows)
    return Written(len(new), len(changed), held)


def _sold(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    statement = (
        select(order_lines.c.item_id, func.sum(order_lines.c.quantity))
        .select_from(order_lines.join(orders))
        .where(order_lines.c.item_id.in_(ids), orders.c.status == "confirmed")
        .group_by(order_lines.c.item_id)
    )
    return {item_id: int(count) for item_id, count in connection.execute(statement)}


def _above_sold(row: Values, sold: int) -> Values:
    total = max(row["total"], sold)
    return row | {"total": total, "remaining": total - sold}


def _insert(connection: Connection, table: Table, rows: Sequence[Values]) -> None:
    if rows:
        connection.execute(insert(table), [row | {"origin": "imported"} for row in rows])


def _update(connection: Connection, table: Table, key: str, rows: Sequence[Values]) -> None:
    if not rows:
        return
    names = [name for name in (*rows[0], "origin") if name != key]
    statement = update(table).where(table.c[key] == bindparam("_key")).values({n: bindparam(f"_{n}") for n in names})
    full = [row | {"origin": "imported"} for row in rows]
    connection.execute(statement, [{"_key": row[key], **{f"_{n}": row[n] for n in names}} for row in full])


def _portions(rows: Sequence[Values]) -> Iterator[list[Values]]:
    left = iter(rows)
    while some := list(islice(left, _AT_ONCE)):
        yield some


def _say(progress: Progress, before: int, now: int) -> None:
    if before // _SAY_SO_EVERY != now // _SAY_SO_EVERY:
        progress(f"{now} rows written")

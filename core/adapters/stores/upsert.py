"""Write a row or change the one that is there, in one statement: two processes never see each other half done."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Insert, Table, case
from sqlalchemy.dialects import mysql, sqlite


def upsert(
    connection: Connection,
    table: Table,
    values: Mapping[str, Any],
    *,
    key: Sequence[str],
    change: Sequence[str],
    keep_unless_empty: str | None = None,
) -> None:
    """Insert `values`; where a row with the same unique `key` stands, set its columns `change` to them instead.

    `keep_unless_empty`: one more column, which is set only while it holds an empty text.
    """
    statement = _statement(connection.dialect.name, table, tuple(key), tuple(change), keep_unless_empty)
    connection.execute(statement, dict(values))


@cache
def _statement(dialect: str, table: Table, key: tuple[str, ...], change: tuple[str, ...], keep: str | None) -> Insert:
    """Made once: putting a statement together takes longer than running it."""
    if dialect == "sqlite":
        lite = sqlite.insert(table)
        wanted = _wanted(table, lite.excluded, change, keep)
        return lite.on_conflict_do_update(index_elements=list(key), set_=wanted)
    my = mysql.insert(table)
    return my.on_duplicate_key_update(_wanted(table, my.inserted, change, keep))


def _wanted(table: Table, new: Any, change: Sequence[str], keep_unless_empty: str | None) -> dict[str, Any]:
    wanted: dict[str, Any] = {name: new[name] for name in change}
    if keep_unless_empty is not None:
        old = table.c[keep_unless_empty]
        wanted[keep_unless_empty] = case((old == "", new[keep_unless_empty]), else_=old)
    return wanted

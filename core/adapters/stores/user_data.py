"""All that is kept of one person, in every table that has a `user_id`: tables that come later are covered too."""

import json
from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import Connection, RowMapping, Table, delete, select

from core.adapters.stores.agent_memory_table import agent_memory
from core.adapters.stores.database import from_stored
from core.adapters.stores.kept_table import kept_responses
from core.adapters.stores.queue_table import session_tickets
from core.adapters.stores.tables import metadata
from core.adapters.stores.trace_table import traces
from core.adapters.stores.turn_places import take_away

_ADDED = (session_tickets, kept_responses, traces, agent_memory)
"""Tables of other modules than tables.py: named here, so that they stand in the metadata."""

_OURS = ("id", "user_id", "entry", "prompts")
"""Columns that say nothing new about the person: how rows are numbered and kept apart, and what models were asked about
the person's words, which is for operators."""


def personal_tables() -> Iterator[Table]:
    return (table for table in metadata.sorted_tables if "user_id" in table.c)


def export_user(connection: Connection, user_id: str) -> dict[str, object]:
    """JSON-ready rows by table, in the order of their keys."""
    found: dict[str, object] = {}
    for table in personal_tables():
        query = select(table).where(table.c.user_id == user_id).order_by(*table.primary_key.columns)
        found[table.name] = [_plain(row) for row in connection.execute(query).mappings()]
    return found


def erase_user(connection: Connection, user_id: str) -> None:
    take_away(connection, user_id)
    for table in personal_tables():
        connection.execute(delete(table).where(table.c.user_id == user_id))


def _plain(row: RowMapping) -> dict[str, object]:
    return {name: _value(name, value) for name, value in row.items() if name not in _OURS}


def _value(name: str, value: object) -> object:
    if isinstance(value, datetime):
        return from_stored(value).isoformat()
    if name in ("content", "quote") and isinstance(value, str) and value.startswith("{"):
        return _opened(value)
    return value


def _opened(text: str) -> object:
    """Stored JSON as JSON; a person's own words may begin with a brace as well."""
    try:
        opened: object = json.loads(text)
    except ValueError:
        return text
    return opened

"""Runs of turns. Prompts stand beside the rest, so that what is shown to a person never has them in hand."""

from sqlalchemy import BigInteger, Column, Index, Integer, String, Table, Text
from sqlalchemy.dialects import mysql

from core.adapters.stores.tables import MOMENT, metadata
from core.shared.sql import MYSQL

_ID = String(64)
_LONG_TEXT = Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")

traces = Table(
    "traces",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    Column("user_id", _ID, nullable=False),
    Column("session_id", _ID, nullable=False),
    Column("trace_id", _ID, nullable=False),
    Column("content", _LONG_TEXT, nullable=False),
    Column("prompts", _LONG_TEXT, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Index("ix_traces_session", "user_id", "session_id"),
    Index("ix_traces_trace", "trace_id", "user_id"),
    Index("ix_traces_age", "created_at"),
    **MYSQL,
)

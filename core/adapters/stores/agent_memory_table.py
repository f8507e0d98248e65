"""What agents remember of conversations: one row each, under the digest of agent, person and context id.

`session_id` is the session of the master's that a row goes with when it is cleared.
"""

from sqlalchemy import Column, Index, String, Table, Text
from sqlalchemy.dialects import mysql

from core.adapters.stores.tables import MOMENT, metadata
from core.shared.sql import MYSQL

agent_memory = Table(
    "agent_memory",
    metadata,
    Column("entry", String(64), primary_key=True),
    Column("user_id", String(64), nullable=False),
    Column("session_id", String(64), nullable=False),
    Column("agent", String(64), nullable=False),
    Column("content", Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb"), nullable=False),
    Column("said_at", MOMENT, nullable=False),
    Index("ix_agent_memory_session", "user_id", "session_id"),
    Index("ix_agent_memory_age", "said_at"),
    **MYSQL,
)

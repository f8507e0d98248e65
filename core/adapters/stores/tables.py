"""The core's own tables. Moments are UTC without offset, to the microsecond; JSON stands in text columns.

A table whose rows belong to a person has a column `user_id`: by that erasure and export find them (user_data.py).
"""

from sqlalchemy import BigInteger, Column, DateTime, Index, Integer, MetaData, String, Table, Text
from sqlalchemy.dialects import mysql

from core.shared.sql import MYSQL

metadata = MetaData()

_ID = String(64)
# MySQL's plain DATETIME rounds to whole seconds, its plain TEXT ends at 64 KiB.
MOMENT = DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
_LONG_TEXT = Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")
# SQLite numbers rows by itself only where the key is a plain INTEGER.
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")

offers = Table(
    "offers",
    metadata,
    Column("offer_id", _ID, primary_key=True),
    Column("user_id", _ID, nullable=False),
    Column("session_id", _ID, nullable=False),
    Column("reply_id", _ID, nullable=False),
    Column("agent", _ID, nullable=False),
    Column("quote", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT, nullable=False),
    Column("moved_at", MOMENT, nullable=True),
    Index("ix_offers_session", "user_id", "session_id", "created_at"),
    **MYSQL,
)

# All four memories. `entry` is what may stand once: the digest of a preference's name or of a fact, a word for the one
# task context; messages have none, and NULLs are never equal. The index also hands out messages in their order, since
# both databases end an index with the primary key.
conversation_memory = Table(
    "conversation_memory",
    metadata,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("user_id", _ID, nullable=False),
    Column("session_id", _ID, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("entry", _ID, nullable=True),
    Column("role", String(16), nullable=False),
    Column("content", _LONG_TEXT, nullable=False),
    Column("trace_id", _ID, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Index("ux_conversation_memory_entry", "user_id", "session_id", "kind", "entry", unique=True),
    **MYSQL,
)

sessions = Table(
    "sessions",
    metadata,
    Column("user_id", _ID, primary_key=True),
    Column("session_id", _ID, primary_key=True),
    Column("title", String(64), nullable=False),
    Column("updated_at", MOMENT, nullable=False),
    Index("ix_sessions_newest", "user_id", "updated_at"),
    **MYSQL,
)

feedback = Table(
    "feedback",
    metadata,
    Column("user_id", _ID, primary_key=True),
    Column("trace_id", _ID, primary_key=True),
    Column("score", Integer, nullable=False),
    Column("comment", Text, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    **MYSQL,
)

"""Memories, conversations and feedback; on MySQL the offers' moments get their microseconds."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "core0002"
down_revision = "core0001"
branch_labels = None
depends_on = None

_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}
_FAMILY = ("mysql", "mariadb")
_ID = sa.String(64)
_MOMENT = sa.DateTime().with_variant(mysql.DATETIME(fsp=6), *_FAMILY)
_LONG_TEXT = sa.Text().with_variant(mysql.MEDIUMTEXT(), *_FAMILY)
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _sharpen_offers(mysql.DATETIME(fsp=6))
    _add_memory()
    op.create_table(
        "sessions",
        sa.Column("user_id", _ID, primary_key=True),
        sa.Column("session_id", _ID, primary_key=True),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_sessions_newest", "sessions", ["user_id", "updated_at"])
    op.create_table(
        "feedback",
        sa.Column("user_id", _ID, primary_key=True),
        sa.Column("trace_id", _ID, primary_key=True),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        **_MYSQL,
    )


def downgrade() -> None:
    for table in ("feedback", "sessions", "conversation_memory"):
        op.drop_table(table)
    _sharpen_offers(mysql.DATETIME())


def _add_memory() -> None:
    op.create_table(
        "conversation_memory",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("entry", _ID, nullable=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("content", _LONG_TEXT, nullable=False),
        sa.Column("trace_id", _ID, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        **_MYSQL,
    )
    columns = ["user_id", "session_id", "kind", "entry"]
    op.create_index("ux_conversation_memory_entry", "conversation_memory", columns, unique=True)


def _sharpen_offers(moment: mysql.DATETIME) -> None:
    """Offers made within one second must keep their order; SQLite's moments are exact as they are."""
    if op.get_bind().dialect.name not in _FAMILY:
        return
    for column in ("created_at", "expires_at"):
        op.alter_column("offers", column, existing_type=sa.DateTime(), type_=moment, existing_nullable=False)

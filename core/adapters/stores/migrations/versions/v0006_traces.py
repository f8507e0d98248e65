"""Runs of turns."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "core0006"
down_revision = "core0005"
branch_labels = None
depends_on = None

_FAMILY = ("mysql", "mariadb")
_MOMENT = sa.DateTime().with_variant(mysql.DATETIME(fsp=6), *_FAMILY)
_LONG_TEXT = sa.Text().with_variant(mysql.MEDIUMTEXT(), *_FAMILY)
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_ID = sa.String(64)
_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}


def upgrade() -> None:
    op.create_table(
        "traces",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=True),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("trace_id", _ID, nullable=False),
        sa.Column("content", _LONG_TEXT, nullable=False),
        sa.Column("prompts", _LONG_TEXT, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_traces_session", "traces", ["user_id", "session_id"])
    op.create_index("ix_traces_trace", "traces", ["trace_id", "user_id"])
    op.create_index("ix_traces_age", "traces", ["created_at"])


def downgrade() -> None:
    op.drop_table("traces")

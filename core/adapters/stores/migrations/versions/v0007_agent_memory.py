"""What agents remember of conversations."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "core0007"
down_revision = "core0006"
branch_labels = None
depends_on = None

_FAMILY = ("mysql", "mariadb")
_ID = sa.String(64)
_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}


def upgrade() -> None:
    op.create_table(
        "agent_memory",
        sa.Column("entry", _ID, primary_key=True),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("session_id", _ID, nullable=False),
        sa.Column("agent", _ID, nullable=False),
        sa.Column("content", sa.Text().with_variant(mysql.MEDIUMTEXT(), *_FAMILY), nullable=False),
        sa.Column("said_at", sa.DateTime().with_variant(mysql.DATETIME(fsp=6), *_FAMILY), nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_agent_memory_session", "agent_memory", ["user_id", "session_id"])
    op.create_index("ix_agent_memory_age", "agent_memory", ["said_at"])


def downgrade() -> None:
    op.drop_table("agent_memory")

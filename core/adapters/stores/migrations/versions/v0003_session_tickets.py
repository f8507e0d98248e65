"""The queues of the sessions."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "core0003"
down_revision = "core0002"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}


def upgrade() -> None:
    op.create_table(
        "session_tickets",
        sa.Column("ticket", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("session_id", sa.String(64), nullable=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_session_tickets_session", "session_tickets", ["user_id", "session_id", "ticket"])


def downgrade() -> None:
    op.drop_table("session_tickets")

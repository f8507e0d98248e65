"""Offers that wait for a yes."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "core0001"
down_revision = None
branch_labels = None
depends_on = None

_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}


def upgrade() -> None:
    op.create_table(
        "offers",
        sa.Column("offer_id", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("session_id", sa.String(64), nullable=False),
        sa.Column("reply_id", sa.String(64), nullable=False),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("quote", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_offers_session", "offers", ["user_id", "session_id", "created_at"])


def downgrade() -> None:
    op.drop_table("offers")

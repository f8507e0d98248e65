"""Answers to requests that carry an Idempotency-Key."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "core0005"
down_revision = "core0004"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
_LONG_TEXT = sa.Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")
_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}


def upgrade() -> None:
    op.create_table(
        "kept_responses",
        sa.Column("user_id", sa.String(64), primary_key=True),
        sa.Column("request_key", sa.String(255), primary_key=True),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("media_type", sa.String(64), nullable=False),
        sa.Column("body", _LONG_TEXT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_kept_responses_expiry", "kept_responses", ["expires_at"])


def downgrade() -> None:
    op.drop_table("kept_responses")

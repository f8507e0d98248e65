"""When an offer last changed its state: one that has been on the way for long was left behind by a dead process."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "core0004"
down_revision = "core0003"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")


def upgrade() -> None:
    op.add_column("offers", sa.Column("moved_at", _MOMENT, nullable=True))


def downgrade() -> None:
    op.drop_column("offers", "moved_at")

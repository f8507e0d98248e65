"""The queue of a session: the lowest living ticket has its turn. A ticket lives while its holder renews it."""

from sqlalchemy import Column, Index, Integer, String, Table

from core.adapters.stores.tables import MOMENT, metadata
from core.shared.sql import MYSQL

session_tickets = Table(
    "session_tickets",
    metadata,
    Column("ticket", Integer, primary_key=True, autoincrement=True),
    Column("user_id", String(64), nullable=False),
    Column("session_id", String(64), nullable=False),
    Column("holder", String(32), nullable=False),
    Column("expires_at", MOMENT, nullable=False),
    Index("ix_session_tickets_session", "user_id", "session_id", "ticket"),
    **MYSQL,
)

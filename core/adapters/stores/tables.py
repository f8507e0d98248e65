"""The core's own tables. Moments are UTC without offset; JSON stands in text columns."""

from sqlalchemy import Column, DateTime, Index, Integer, MetaData, String, Table, Text

from core.shared.sql import MYSQL

metadata = MetaData()

_ID = String(64)

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
    Column("created_at", DateTime, nullable=False),
    Column("expires_at", DateTime, nullable=False),
    Index("ix_offers_session", "user_id", "session_id", "created_at"),
    **MYSQL,
)

session_tickets = Table(
    "session_tickets",
    metadata,
    Column("ticket", Integer, primary_key=True, autoincrement=True),
    Column("user_id", _ID, nullable=False),
    Column("session_id", _ID, nullable=False),
    Column("holder", String(32), nullable=False),
    Column("expires_at", DateTime, nullable=False),
    Index("ix_session_tickets_session", "user_id", "session_id", "ticket"),
    **MYSQL,
)
"""The queue of a session: the lowest living ticket has its turn. A ticket lives while its holder renews it."""

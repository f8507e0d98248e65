"""Requests by their Idempotency-Key. A running one lives while its holder renews it; an answered one for its day."""

from sqlalchemy import Column, Index, Integer, String, Table, Text
from sqlalchemy.dialects import mysql

from core.adapters.stores.tables import MOMENT, metadata
from core.shared.sql import MYSQL

kept_responses = Table(
    "kept_responses",
    metadata,
    Column("user_id", String(64), primary_key=True),
    Column("request_key", String(255), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("holder", String(32), nullable=False),
    Column("state", String(16), nullable=False),
    Column("status", Integer, nullable=False),
    Column("media_type", String(64), nullable=False),
    Column("body", Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb"), nullable=False),
    Column("expires_at", MOMENT, nullable=False),
    Index("ix_kept_responses_expiry", "expires_at"),
    **MYSQL,
)

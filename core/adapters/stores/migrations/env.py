"""Alembic's environment for the core's own tables. Runs on the connection it is given; leaves logging alone."""

from alembic import context

from core.adapters.stores.migration import VERSION_TABLE
from core.adapters.stores.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=metadata, version_table=VERSION_TABLE, transactional_ddl=False
)
# The caller's transaction is the one that counts: SQLite's DDL is rolled back with it, MySQL commits each statement.
context.run_migrations()

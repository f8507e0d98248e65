"""Alembic's environment for the business tables. Runs on the connection it is given; leaves logging alone."""

from alembic import context

from mcp_tools.migration import VERSION_TABLE
from mcp_tools.tables import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=metadata, version_table=VERSION_TABLE, transactional_ddl=False
)
# The caller's transaction is the one that counts: SQLite's DDL is rolled back with it, MySQL commits each statement.
context.run_migrations()

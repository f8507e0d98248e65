"""The private MariaDB of the tests of memory, for the tests of runs as well."""

from tests.memory.conftest import mariadb_url

__all__ = ["mariadb_url"]

"""One private MariaDB for all tests of memory that need MySQL's own behaviour."""

from collections.abc import Iterator

import pytest

from tests.mcp_tools.mariadb import INSTALLED, running_mariadb


@pytest.fixture(scope="session")
def mariadb_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not INSTALLED:
        pytest.skip("MariaDB is not installed")
    with running_mariadb(tmp_path_factory.mktemp("mariadb")) as url:
        yield url

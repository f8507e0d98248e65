"""Engines over the filled demo database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tests.mcp_tools.demo_file import copy_to, engine_of, filled_by_two_at_once


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """Filled; for tests that only read."""
    engine = engine_of(filled_by_two_at_once()[0])
    yield engine
    engine.dispose()


@pytest.fixture
def own_engine(tmp_path: Path) -> Iterator[Engine]:
    """Filled, and this test's alone."""
    engine = engine_of(copy_to(tmp_path))
    yield engine
    engine.dispose()

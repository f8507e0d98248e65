"""The world of these tests, new for each."""

from collections.abc import AsyncIterator

import pytest

from tests.model.world import World, world


@pytest.fixture
async def whole() -> AsyncIterator[World]:
    async with world() as running:
        yield running

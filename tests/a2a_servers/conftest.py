"""One agent with its tools for all tests of a file that take it; each finds it as if nothing had been asked before."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.a2a_servers.world import World, agent_with_tools


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_world() -> AsyncIterator[World]:
    async with agent_with_tools() as world:
        yield world


@pytest_asyncio.fixture(loop_scope="module")
async def world(shared_world: World) -> World:
    shared_world.tools.forget()
    return shared_world

"""One agent with its tools for all tests of a file that take it; each finds it as if nothing had been asked before."""

from collections.abc import AsyncIterator

import pytest_asyncio

from a2a_servers.ticket_agent import SPEC as TICKET
from tests.a2a_servers.shop import Shop, shop_on
from tests.a2a_servers.world import World, agent_with_tools
from tests.support.whole import free_port


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_world() -> AsyncIterator[World]:
    async with agent_with_tools() as world:
        yield world


@pytest_asyncio.fixture(loop_scope="module")
async def world(shared_world: World) -> World:
    shared_world.tools.forget()
    return shared_world


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop_world() -> AsyncIterator[tuple[Shop, World]]:
    """TicketAssistant in front of a shop."""
    shop = shop_on(free_port())
    async with agent_with_tools(TICKET, shop.server) as world:
        yield shop, world

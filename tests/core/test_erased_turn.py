"""A memory that is cleared while a turn is running: the answer comes, and nothing of the turn is kept."""

import asyncio

import pytest

from core.ports.agents import Unreachable
from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.memory import MemoryContext
from tests.core.talks import Talk
from tests.support.network import answering


class Waiting:
    """An agent that answers when it is let."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.let = asyncio.Event()

    async def __call__(self, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        self.asked.set()
        await self.let.wait()
        return await answering("晴。")(request, context)


@pytest.mark.parametrize("of_user", [True, False])
async def test_what_was_cleared_meanwhile_is_not_written_back(of_user: bool) -> None:
    talk, agent = Talk(), Waiting()
    talk.network.add("weather", ["query weather"], agent)
    saying = asyncio.create_task(talk.say("我对芒果过敏，查明天上海天气"))
    async with asyncio.timeout(10):
        await agent.asked.wait()
        memory = talk.backend.memory
        await (memory.erase("u1") if of_user else memory.clear("u1", "s1"))
        agent.let.set()
        assert (await saying).text == "晴。"
    assert await talk.known() == MemoryContext()
    await talk.say("明天上海天气")
    assert len((await talk.known()).short_term) == 2

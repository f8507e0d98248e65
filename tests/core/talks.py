"""A conversation with the core over an in-memory network, understood by the rules."""

from datetime import datetime

from core.bootstrap import build_backend
from core.service import ChatRequest
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import parse_settings
from core.types.memory import MemoryContext
from core.types.turn import Answer
from tests.support.network import InMemoryNetwork
from tests.support.stores import in_memory_stores

NOW = datetime(2026, 8, 16, 12, tzinfo=SHANGHAI)


class Talk:
    """One person's conversation. Add agents to `network` first."""

    def __init__(self) -> None:
        self.network = InMemoryNetwork()
        agents = [{"name": "none", "a2a_url": "http://127.0.0.1:1"}]
        settings = parse_settings({"agents": agents})
        self.backend = build_backend(self.network, in_memory_stores(), settings, ManualClock(NOW))

    async def say(self, text: str) -> Answer:
        reply = await self.backend.turns.chat(ChatRequest("u1", "s1", text))
        return reply.answer

    async def known(self) -> MemoryContext:
        return await self.backend.memory.read("u1", "s1")

    @property
    def asked(self) -> list[tuple[str, dict[str, object]]]:
        """Which skill was asked with which slots, call by call."""
        actions = [request.action_code[0] for _, request, _ in self.network.calls]
        return [(action.tool_name, dict(action.parameter)) for action in actions]

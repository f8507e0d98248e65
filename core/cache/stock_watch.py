"""Sees every confirmed order and cancellation pass, and lets go of what was answered from the stock before it."""

import asyncio

from core.cache.cache_manager import CacheManager
from core.cache.policy import READ_ONLY, SELLABLE
from core.ports.agents import AgentNetwork, Unreachable
from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import AgentView


class StockWatch:
    """Implements the port AgentNetwork around another one."""

    def __init__(self, inner: AgentNetwork, cache: CacheManager) -> None:
        self._inner = inner
        self._cache = cache

    def agents(self) -> tuple[AgentView, ...]:
        return self._inner.agents()

    async def call(self, agent: str, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        """The call; with a confirmed offer the stock may have changed even when no answer comes back."""
        if context.offer_id is None:
            return await self._inner.call(agent, request, context)
        try:
            return await self._inner.call(agent, request, context)
        finally:
            await asyncio.shield(self._cache.outdate(_touched(request)))


def _touched(request: AgentRequest) -> tuple[str, ...]:
    """The kinds of goods behind the skills; all of them where a skill does not say (cancel order)."""
    kinds = {READ_ONLY.get(action.tool_name.replace("order ", "query ", 1)) for action in request.action_code}
    names = {kind.name for kind in kinds if kind is not None and kind.name in SELLABLE}
    return tuple(sorted(names)) if None not in kinds else SELLABLE

"""The one place where the core's real things are made and handed to one another."""

import contextlib
from collections.abc import AsyncIterator

from core.adapters.agents.network import open_network
from core.chat_service_core import VoyageChatCore
from core.ports.agents import AgentNetwork
from core.reasoning.attractions import Attractions
from core.reasoning.executor import StepExecutor
from core.reasoning.intent import RuleUnderstander
from core.reasoning.planner import RulePlanner
from core.reasoning.routing import Router
from core.reasoning.summary import TemplateSummarizer
from core.service import Backend, TurnService
from core.shared.clock import Clock
from core.shared.settings import Settings


@contextlib.asynccontextmanager
async def open_backend(settings: Settings, clock: Clock) -> AsyncIterator[Backend]:
    """Everything a gateway or a ChatService needs, open until the context ends."""
    refresh_s = settings.limits.card_refresh_ms / 1000
    async with open_network(settings.agents, clock, refresh_s) as network:
        core = build_core(network, settings, clock)
        yield Backend(turns=TurnService(core, clock, settings.limits.turn_ms), network=network)


def build_core(network: AgentNetwork, settings: Settings, clock: Clock) -> VoyageChatCore:
    """The core with its rooms, over any network of agents."""
    router = Router(network, (Attractions(),))
    return VoyageChatCore(
        understander=RuleUnderstander(clock),
        planner=RulePlanner(),
        executor=StepExecutor(network, router, settings.limits.agent_call_ms),
        summarizer=TemplateSummarizer(),
        router=router,
    )

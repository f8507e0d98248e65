"""The one place where the core's real things are made and handed to one another."""

import contextlib
from collections.abc import AsyncIterator

from core.adapters.agents.network import open_network
from core.adapters.stores.database import open_database
from core.adapters.stores.offer_store import SqlOfferStore
from core.chat_service_core import VoyageChatCore
from core.orders.desk import OrderDesk
from core.orders.ledger import OrderLedger
from core.orders.placing import Placing
from core.ports.agents import AgentNetwork
from core.ports.offers import OfferStore
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
    async with open_database(settings.database_url) as database, open_network(
        settings.agents, clock, refresh_s
    ) as network:
        yield build_backend(network, SqlOfferStore(database), settings, clock)


def build_backend(network: AgentNetwork, offers: OfferStore, settings: Settings, clock: Clock) -> Backend:
    """The core with its rooms, over any network of agents and any store of offers."""
    router = Router(network, (Attractions(),))
    desk = OrderDesk(offers, Placing(network), clock)
    core = VoyageChatCore(
        understander=RuleUnderstander(clock),
        planner=RulePlanner(),
        executor=StepExecutor(network, router, settings.limits.agent_call_ms),
        summarizer=TemplateSummarizer(),
        router=router,
        desk=desk,
    )
    turns = TurnService(core, clock, settings.limits.turn_ms)
    return Backend(turns=turns, network=network, desk=desk, ledger=OrderLedger(network), clock=clock)

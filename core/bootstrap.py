"""The one place where the core's real things are made and handed to one another."""

import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta

from core.adapters.agents.measured_network import MeasuredNetwork
from core.adapters.agents.network import open_network
from core.adapters.agents.worded_network import worded
from core.adapters.llm.opening import open_model
from core.adapters.stores.database import Database, open_database
from core.adapters.stores.history_store import SqlHistoryStore
from core.adapters.stores.kept_responses import SqlKeptResponses
from core.adapters.stores.offer_store import SqlOfferStore
from core.adapters.stores.session_order import SqlSessionOrder
from core.adapters.stores.trace_store import KEPT, SqlTraceStore
from core.adapters.vectors.opening import CacheStores, open_cache_stores
from core.cache.cache_manager import CacheManager
from core.cache.forgetting import ForgettingHistory
from core.cache.front import CacheFront
from core.cache.question import QuestionReader
from core.cache.stock_watch import StockWatch
from core.chat_service_core import VoyageChatCore
from core.memory.memory_manager import ConversationMemory
from core.memory.model_memory import ModelLearner
from core.memory.recollection import RuleRecollection, learned_from
from core.orders.desk import OrderDesk
from core.orders.ledger import OrderLedger
from core.orders.offer_book import OfferBook
from core.orders.placing import Placing
from core.ports.agents import AgentNetwork
from core.ports.kept_responses import KeptResponses
from core.ports.language_model import LanguageModel
from core.ports.memory import HistoryStore
from core.ports.offers import OfferStore
from core.ports.reasoning import LocalSkill, Planner, Summarizer, Understander
from core.ports.session_order import SessionOrder
from core.ports.traces import TraceStore
from core.reasoning.attractions import Attractions
from core.reasoning.dag_chains import Chains
from core.reasoning.dag_opening import chains_over
from core.reasoning.dag_planner import DagPlanner
from core.reasoning.dag_understanding import DagUnderstander
from core.reasoning.executor import StepExecutor
from core.reasoning.intent import RuleUnderstander
from core.reasoning.model_attractions import ModelAttractions
from core.reasoning.model_intent import ModelUnderstander
from core.reasoning.model_planner import ModelPlanner
from core.reasoning.model_stage import ModelDesk
from core.reasoning.model_summary import ModelSummarizer
from core.reasoning.planner import RulePlanner
from core.reasoning.routing import Router
from core.reasoning.summary import TemplateSummarizer
from core.reasoning.tool_costs import MeasuredCosts
from core.reasoning.tracing_calls import TracedModel, TracedNetwork
from core.service import Backend, TurnService
from core.shared.clock import Clock
from core.shared.prompts import SmartVoyagePrompts
from core.shared.settings import Settings
from core.types.turn import Turn

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stores:
    """Where the core keeps what is its own."""

    offers: OfferStore
    history: HistoryStore
    order: SessionOrder
    kept: KeptResponses
    traces: TraceStore


@contextlib.asynccontextmanager
async def open_backend(settings: Settings, clock: Clock) -> AsyncIterator[Backend]:
    """Everything a gateway or a ChatService needs, open until the context ends."""
    refresh_s = settings.limits.card_refresh_ms / 1000
    async with contextlib.AsyncExitStack() as opened:
        database = await opened.enter_async_context(open_database(settings.database_url, clock))
        network = await opened.enter_async_context(open_network(settings.agents, clock, refresh_s))
        model = await opened.enter_async_context(open_model(settings, clock))
        if model is None:
            log.info("no language model is configured: the rules answer alone")
        stores = sql_stores(database, clock, timedelta(days=settings.traces.keep_days))
        kept = await opened.enter_async_context(open_cache_stores(settings, clock)) if settings.cache.enabled else None
        backend = build_backend(network, stores, settings, clock, model, kept)
        if backend.cache is not None:
            opened.push_async_callback(backend.cache.close)
        opened.push_async_callback(backend.turns.close)
        yield replace(backend, database=database)


def sql_stores(database: Database, clock: Clock, keep_traces: timedelta = KEPT) -> Stores:
    """Every store over one database."""
    traces = SqlTraceStore(database, clock, keep_traces)
    return Stores(
        offers=SqlOfferStore(database),
        history=SqlHistoryStore(database, clock, traces),
        order=SqlSessionOrder(database, clock),
        kept=SqlKeptResponses(database, clock),
        traces=traces,
    )


@dataclass(frozen=True, slots=True)
class _Rooms:
    """The rooms that a model or the rules can take."""

    understander: Understander
    planner: Planner
    summarizer: Summarizer
    router: Router


def build_backend(
    network: AgentNetwork, stores: Stores, settings: Settings, clock: Clock, model: LanguageModel | None = None,
    kept: CacheStores | None = None,
) -> Backend:  # fmt: skip
    """The core with its rooms, over any network of agents and any stores; without a model the rules take them all, and
    without stores for it there is no cache."""
    cache, history, network = None, stores.history, TracedNetwork(network)
    model = TracedModel(model) if model is not None else None
    if kept is not None:
        cache = CacheManager(kept.exact, kept.semantic, kept.embedder, clock, settings.cache.threshold)
        network, history = StockWatch(network, cache), ForgettingHistory(history, cache)
    prompts = SmartVoyagePrompts("core.prompts")
    costs = MeasuredCosts()
    network = MeasuredNetwork(network, costs, clock)
    chains = chains_over(network.agents, costs, kept.embedder if kept is not None else None)
    by_model = settings.planning.mode == "model"
    rooms = _rooms(network, chains, ModelDesk(model, prompts) if model is not None else None, by_model=by_model)
    learner = ModelLearner(model, prompts.get("memory")) if model is not None else None
    placing = Placing(network)
    desk = OrderDesk(OfferBook(stores.offers, placing, clock), placing)
    memory = ConversationMemory(history, clock, settings.memory.short_term, settings.memory.long_term)
    executor = StepExecutor(worded(network, settings, clock, model), rooms.router, settings.limits.agent_call_ms)
    core = _core(rooms, executor, desk)
    name = settings.llm.model if model is not None else ""
    front = CacheFront(cache, _question_reader(rooms.router, clock, name), clock) if cache is not None else None
    return Backend(
        turns=TurnService(core, memory, stores.order, clock, settings.limits.turn_ms, learner, front),
        network=network,
        desk=desk,
        ledger=OrderLedger(network),
        memory=memory,
        kept=stores.kept,
        clock=clock,
        model=model,
        cache=cache,
        traces=stores.traces,
    )


def _core(rooms: _Rooms, executor: StepExecutor, desk: OrderDesk) -> VoyageChatCore:
    return VoyageChatCore(
        understander=rooms.understander,
        planner=rooms.planner,
        executor=executor,
        summarizer=rooms.summarizer,
        router=rooms.router,
        desk=desk,
    )


def _question_reader(router: Router, clock: Clock, model: str) -> QuestionReader:
    """The cache reads a message with the rules alone, whoever answers it after a miss."""

    def learns(turn: Turn) -> bool:
        learned = learned_from(turn.message.text, turn.memory, clock.now())
        return bool(learned.profile or learned.facts)

    return QuestionReader(RuleUnderstander(RuleRecollection()), router.skills, learns, clock, model)


def _rooms(network: AgentNetwork, chains: Chains, desk: ModelDesk | None, *, by_model: bool) -> _Rooms:
    """Of the two ways to plan each takes over when the other fails."""
    rules = RuleUnderstander(RuleRecollection())
    bundled: LocalSkill = Attractions()
    dag = DagPlanner(chains, RulePlanner())
    if desk is None:
        router = Router(network, (bundled,))
        return _Rooms(DagUnderstander(rules, chains), dag, TemplateSummarizer(), router)
    router = Router(network, (ModelAttractions(desk, bundled),))
    understander = DagUnderstander(ModelUnderstander(desk, rules, router), chains)
    planner = ModelPlanner(desk, dag, router)
    return _Rooms(
        understander, planner if by_model else DagPlanner(chains, planner), ModelSummarizer(desk), router
    )

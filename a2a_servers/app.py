"""The generic agent application: every agent of the house is this, with its own spec."""

import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

from a2a.server.routes import (
    add_a2a_routes_to_fastapi,
    create_agent_card_routes,
    create_jsonrpc_routes,
    create_rest_routes,
)
from a2a.types.a2a_pb2 import AgentCard
from fastapi import FastAPI

from a2a_servers.action_runner import ActionRunner
from a2a_servers.caller import CallerWatch
from a2a_servers.card import make_card, older_card
from a2a_servers.conversation import ProcessMemory
from a2a_servers.day_loop import DayLoop
from a2a_servers.desk import ModelDesk
from a2a_servers.dry_loop import DryLoop
from a2a_servers.executor import TravelAgentExecutor
from a2a_servers.extraction import ParameterExtractor, RulesExtractor
from a2a_servers.loops import Loops
from a2a_servers.mcp_client import SupervisedToolBox, supervised
from a2a_servers.model_extraction import ModelExtractor
from a2a_servers.model_steps import ModelDecider
from a2a_servers.peers import NetworkPeers, Peers
from a2a_servers.python_a2a_dialect import PythonA2ADialect
from a2a_servers.request_handler import FollowUpHandler
from a2a_servers.spec import AgentSpec
from a2a_servers.task_store import BoundedTaskStore
from a2a_servers.telling import Teller
from a2a_servers.tools import ToolBox
from a2a_servers.travel_agent import TravelAgent
from core.adapters.llm.opening import open_model
from core.adapters.stores.agent_memory_opening import SpareMemory
from core.ports.agent_memory import AgentMemory
from core.shared.clock import Clock
from core.shared.errors import SettingsError
from core.shared.json_types import JsonObject
from core.shared.settings import AgentEntry, AgentWording, Settings

# A task that waits for an answer keeps a producer, a consumer and their queues alive until it is let go of: as good as
# at once, but late enough that the question itself is surely through. An answer finds the task in the store.
_WAITING_TASK_S = 0.25


@dataclass(frozen=True, slots=True)
class _Face:
    """What the outside may know of the agent at this moment: its card and its health."""

    spec: AgentSpec
    entry: AgentEntry
    toolbox: ToolBox

    async def card(self, _: AgentCard) -> AgentCard:
        return make_card(self.spec, self.entry, self.toolbox.tools(), reachable=self.toolbox.reachable)

    async def older_card(self) -> JsonObject:
        return older_card(self.spec, self.entry, self.toolbox.tools(), reachable=self.toolbox.reachable)

    async def health(self) -> JsonObject:
        reachable = self.toolbox.reachable
        return {"status": "ok" if reachable else "degraded", "tools": reachable}


@dataclass(frozen=True, slots=True)
class _Means:
    """With what an agent works."""

    toolbox: ToolBox
    desk: ModelDesk
    peers: Peers
    memory: AgentMemory
    clock: Clock


def create_agent_app(
    spec: AgentSpec, entry: AgentEntry, settings: Settings, clock: Clock, extractor: ParameterExtractor | None = None,
    memory: SpareMemory | None = None,
) -> FastAPI:  # fmt: skip
    """An agent that answers A2A 1.0 and 0.3 and python-a2a. It reads and tells with the model that is set, if any.

    Without a `memory` it remembers conversations by itself, for as long as the process runs.
    """
    if entry.mcp_url is None:
        raise SettingsError(f"agents: {entry.name}: mcp_url is missing; the address of its tool server was expected")
    _silence_complaints_about_cards_without_skills()
    refresh_s = settings.limits.card_refresh_ms / 1000
    toolbox = SupervisedToolBox(entry.mcp_url, clock, refresh_s=refresh_s)
    desk = ModelDesk(written=settings.a2a_servers.get(spec.name, AgentWording()).prompt)
    reading = extractor or _extractor(desk, clock)
    peers = NetworkPeers(spec.name, settings.agents if spec.asks_others else (), clock, refresh_s)
    agent = _agent(spec, _Means(toolbox, desk, peers, memory or ProcessMemory(clock), clock), reading)
    handler = FollowUpHandler(
        agent_executor=TravelAgentExecutor(agent, settings.limits.agent_call_ms),
        task_store=BoundedTaskStore(clock),
        agent_card=make_card(spec, entry, (), reachable=False),
        interrupted_task_timeout=_WAITING_TASK_S,
    )

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        remembering = memory.opened() if memory is not None else contextlib.nullcontext()
        async with open_model(settings, clock) as desk.model, peers.opened(), remembering, supervised(toolbox):
            yield
            await handler.aclose()

    app = FastAPI(title=spec.name, description=spec.description, version=spec.version, lifespan=lifespan)
    app.add_middleware(CallerWatch)
    _add_routes(app, handler, _Face(spec, entry, toolbox))
    return app


def _agent(spec: AgentSpec, means: _Means, reading: ParameterExtractor) -> TravelAgent:
    toolbox, clock, teller = means.toolbox, means.clock, Teller(means.desk, means.clock)
    loops = Loops(
        DayLoop(toolbox, ModelDecider(means.desk, clock), spec.word, teller, clock),
        DryLoop(toolbox, means.peers, spec.word, teller, clock),
    )
    runner = ActionRunner(toolbox, reading, spec.word, teller, loops)
    return TravelAgent(spec.name, toolbox, reading, runner, clock, means.memory)


def _extractor(desk: ModelDesk, clock: Clock) -> ParameterExtractor:
    from core.language import read

    return ModelExtractor(RulesExtractor(read, clock), desk, clock)


def _add_routes(app: FastAPI, handler: FollowUpHandler, face: _Face) -> None:
    app.add_api_route("/health", face.health, methods=["GET"])
    for path in ("/.well-known/agent.json", "/agent.json", "/a2a/agent.json"):
        app.add_api_route(path, face.older_card, methods=["GET"], include_in_schema=False)
    dialect = PythonA2ADialect(handler)
    for prefix in ("", "/a2a"):  # before the REST routes, which take any first path segment for a tenant
        for name, endpoint in (("send", dialect.send), ("get", dialect.get), ("cancel", dialect.cancel)):
            app.add_api_route(f"{prefix}/tasks/{name}", endpoint, methods=["POST"], include_in_schema=False)
    add_a2a_routes_to_fastapi(
        app,
        agent_card_routes=create_agent_card_routes(
            make_card(face.spec, face.entry, (), reachable=False), card_modifier=face.card, cache_control="no-cache"
        ),
        jsonrpc_routes=create_jsonrpc_routes(handler, rpc_url="/", enable_v0_3_compat=True),
        rest_routes=create_rest_routes(handler, enable_v0_3_compat=True),
    )


def _silence_complaints_about_cards_without_skills() -> None:
    """An agent whose tools were never reached has no skills yet; the SDK would warn at every read of its card."""
    logging.getLogger("a2a.utils.proto_utils").setLevel(logging.ERROR)

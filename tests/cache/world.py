"""A gateway with its cache over real embedded stores, agents in memory, and a clock that tests move."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from core.adapters.vectors.link import Link
from core.adapters.vectors.milvus_cache import MilvusPlace, MilvusSemanticCache, milvus_link
from core.adapters.vectors.opening import CacheStores
from core.adapters.vectors.redis_cache import RedisExactCache, redis_link
from core.bootstrap import Stores, build_backend
from core.cache.cache_manager import CacheManager
from core.gateway.app import AUTH_OFF, create_app
from core.ports.agents import Unreachable
from core.service import Backend
from core.shared.call_context import CallContext
from core.shared.clock import SHANGHAI, ManualClock, SystemClock
from core.shared.settings import AuthSettings, load_settings
from core.types.agent_protocol import AgentRequest, AgentResponse
from tests.cache.vectors import PlainEmbedder
from tests.support.network import InMemoryNetwork
from tests.support.orders import INTENTS, TrainSeller
from tests.support.stores import in_memory_stores

SETTINGS = load_settings(Path(__file__).parents[2] / "config.yaml", {})
NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
QUERIES = {
    "query weather": "weather",
    "query train tickets": "train",
    "query flight tickets": "flight",
    "query concert tickets": "concert",
    "query car rental": "car_rental",
    "query tour group": "tour_group",
    "query insurance": "insurance",
}


class Looker:
    """Answers every query with what it was asked and how often, so that a foreign answer shows."""

    def __init__(self) -> None:
        self.looked = 0
        self.status = "completed"
        self.rows = 2
        self.gate: asyncio.Event | None = None
        self.broken_off = 0

    async def __call__(self, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        self.looked += 1
        if self.gate is not None:
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                self.broken_off += 1
                raise
        if self.status == "unreachable":
            return Unreachable(agent="looker", reason="连接中断")
        action = request.action_code[0]
        told = f"{action.parameter}，第{self.looked}次查。"
        rows = [{"item_id": f"i{n}", "title": f"{told}{n}", "price": "1.00", "remaining": 3} for n in range(self.rows)]
        data = {"kind": QUERIES[action.tool_name], "rows": rows}
        return AgentResponse.model_validate({"status": self.status, "observation": told, "data": data})


@dataclass
class World:
    """One gateway. `looker` counts what agents were asked, `cache` is what stands in front of them."""

    client: httpx.AsyncClient
    backend: Backend
    clock: ManualClock
    looker: Looker
    seller: TrainSeller
    stores: CacheStores

    @property
    def cache(self) -> CacheManager:
        assert self.backend.cache is not None
        return self.backend.cache

    async def ask(self, query: str, user: str = "u1", session: str = "s1") -> dict[str, Any]:
        """The reply, once what is written behind it has been written."""
        response = await self.client.post("/api/chat", json={"query": query, "user_id": user, "session_id": session})
        body: dict[str, Any] = response.json()
        assert response.status_code == 200, body
        await self.cache.settled()
        return body

    async def level(self, query: str, user: str = "u1", session: str = "s1") -> str | None:
        """From which level of the cache the answer came."""
        reply = await self.ask(query, user, session)
        assert reply["cached"] is (reply["cache_level"] is not None) is (reply["as_of"] is not None)
        level: str | None = reply["cache_level"]
        return level

    async def stats(self) -> dict[str, Any]:
        await self.cache.settled()
        return await self.stats_now()

    async def stats_now(self) -> dict[str, Any]:
        body: dict[str, Any] = (await self.client.get("/api/cache/stats")).json()
        return body


@contextlib.asynccontextmanager
async def up(*links: Link[Any]) -> AsyncIterator[None]:
    """The links, kept and come up."""
    keeping = [asyncio.create_task(link.keep()) for link in links]
    try:
        async with asyncio.timeout(90):
            await asyncio.gather(*(link.until_up() for link in links))
        yield
    finally:
        for task in keeping:
            task.cancel()
        await asyncio.wait(keeping)


@contextlib.asynccontextmanager
async def cache_stores(folder: Path, redis_url: str = "", milvus_uri: str = "") -> AsyncIterator[CacheStores]:
    """Both levels, embedded or at these addresses, with an embedder to which all questions are equally near."""
    embedder = PlainEmbedder(str(folder))
    redis = redis_link(redis_url, folder / "cache", SystemClock())
    milvus = milvus_link(MilvusPlace(milvus_uri, "", folder / "milvus.db"), embedder, SystemClock())
    async with up(redis, milvus):
        yield CacheStores(RedisExactCache(redis), MilvusSemanticCache(milvus), embedder, (redis, milvus))


@contextlib.asynccontextmanager
async def gateway(
    kept: CacheStores, clock: ManualClock | None = None, own: Stores | None = None, auth: AuthSettings = AUTH_OFF
) -> AsyncIterator[World]:
    """A gateway of its own over these stores: several of them are replicas."""
    clock, looker, seller = clock or ManualClock(NOW), Looker(), TrainSeller()
    network = InMemoryNetwork()
    network.add("Looker", list(QUERIES), looker)
    network.add("TicketAssistant", INTENTS, seller)
    backend = build_backend(network, own or in_memory_stores(), SETTINGS, clock, kept=kept)
    assert backend.cache is not None

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        yield backend

    app = create_app(open_backend, auth)
    asking = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8888")
    async with app.router.lifespan_context(app), asking as client:
        try:
            yield World(client, backend, clock, looker, seller, kept)
        finally:
            await backend.turns.close()
            await backend.cache.close()


def pairs() -> Iterator[tuple[str, str, str, bool]]:
    """Intent, question, another question, and whether both ask the same: the benchmark's sentences."""
    intent = base = ""
    text = (Path(__file__).parents[2] / "benchmarks" / "cache_pairs.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("## "):
            intent = line[3:]
        elif line.startswith("= "):
            base = line[2:]
        elif line[:2] in ("+ ", "- "):
            yield intent, base, line[2:], line[0] == "+"


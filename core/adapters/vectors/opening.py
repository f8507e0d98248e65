"""Opens the two levels of the cache and the embedder; they join in the background, and nobody waits for them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from core.adapters.vectors.embedding import BundledEmbedder, RemoteEmbedder
from core.adapters.vectors.link import Link
from core.adapters.vectors.milvus_cache import LoadedEmbedder, MilvusPlace, MilvusSemanticCache, milvus_link
from core.adapters.vectors.redis_cache import RedisExactCache, redis_link
from core.ports.cache import Embedder, ExactCache, SemanticCache
from core.shared.cache_names import cache_folder
from core.shared.clock import Clock
from core.shared.settings import CacheSettings, Settings

REMOTE_S = 10.0


@dataclass(frozen=True, slots=True)
class CacheStores:
    """`links`: the ways to the first and the second level."""

    exact: ExactCache
    semantic: SemanticCache
    embedder: Embedder
    links: tuple[Link[Any], Link[Any]]


@contextlib.asynccontextmanager
async def open_cache_stores(settings: Settings, clock: Clock) -> AsyncIterator[CacheStores]:
    """The stores that the settings name, the embedded ones in the data folder."""
    cache, folder = settings.cache, cache_folder(settings.data)
    token = cache.milvus_token.get_secret_value() if cache.milvus_token else ""
    async with _embedder(cache) as embedder:
        redis = redis_link(cache.redis_url, folder, clock)
        milvus = milvus_link(MilvusPlace(cache.milvus_uri, token, folder / "milvus.db"), embedder, clock)
        async with _kept_up(redis), _kept_up(milvus):
            yield CacheStores(RedisExactCache(redis), MilvusSemanticCache(milvus), embedder, (redis, milvus))


@contextlib.asynccontextmanager
async def _kept_up(link: Link[Any]) -> AsyncIterator[None]:
    keeping = asyncio.create_task(link.keep(), name=f"cache {link.name}")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait({keeping})


@contextlib.asynccontextmanager
async def _embedder(settings: CacheSettings) -> AsyncIterator[LoadedEmbedder]:
    if not settings.embedding.base_url:
        bundled = BundledEmbedder()
        try:
            yield bundled
        finally:
            bundled.close()
        return
    import httpx

    key = settings.embedding_key.get_secret_value() if settings.embedding_key else ""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    address = f"{settings.embedding.base_url}/"
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=REMOTE_S, trust_env=False) as client:
        yield RemoteEmbedder(client, settings.embedding.model)

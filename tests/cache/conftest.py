"""The two levels of the cache in every form; each real server is started once, when the first test wants it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from core.adapters.vectors.milvus_cache import MilvusPlace, MilvusSemanticCache, milvus_link
from core.adapters.vectors.redis_cache import RedisExactCache, redis_link
from core.shared.clock import SystemClock
from tests.cache.servers import milvus_lite_server, milvus_missing, milvus_server, redis_binary, redis_server
from tests.cache.vectors import PlainEmbedder
from tests.cache.world import World, cache_stores, gateway, up


@pytest.fixture(scope="session")
def debian_redis() -> Iterator[str]:
    if redis_binary() is None:
        pytest.skip("NOT TESTED on Debian's Redis: redis-server is not installed")
    with redis_server() as url:
        yield url


@pytest.fixture(scope="session")
def lite_over_the_network() -> Iterator[str]:
    with milvus_lite_server() as uri:
        yield uri


@pytest.fixture(scope="session")
def real_milvus() -> Iterator[str]:
    if missing := milvus_missing():
        pytest.skip(f"NOT TESTED on Milvus 2.3.5: {missing}")
    with milvus_server() as uri:
        yield uri


@pytest.fixture(params=["embedded", "debian_redis"])
async def exact(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RedisExactCache]:
    url: str = "" if request.param == "embedded" else request.getfixturevalue(request.param)
    link = redis_link(url, tmp_path / "cache", SystemClock())
    async with up(link):
        cache = RedisExactCache(link)
        await cache.clear()
        yield cache


@pytest.fixture(params=["embedded", "lite_over_the_network", "real_milvus"])
async def semantic(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[MilvusSemanticCache]:
    uri: str = "" if request.param == "embedded" else request.getfixturevalue(request.param)
    embedder = PlainEmbedder(request.node.nodeid)
    link = milvus_link(MilvusPlace(uri, "", tmp_path / "milvus.db"), embedder, SystemClock())
    async with up(link):
        yield MilvusSemanticCache(link)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with cache_stores(tmp_path) as kept, gateway(kept) as made:
        yield made

"""A store that is down, hangs, or is none of ours costs a question nothing but the cache, and comes back by itself."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from core.adapters.vectors.link import Link
from core.adapters.vectors.milvus_cache import MilvusPlace, MilvusSemanticCache, milvus_link
from core.adapters.vectors.opening import CacheStores
from core.adapters.vectors.redis_cache import RedisExactCache, redis_link
from core.shared.clock import SystemClock
from tests.cache.relay import Relay, relay
from tests.cache.servers import redis_server
from tests.cache.vectors import PlainEmbedder
from tests.cache.world import World, gateway, up
from tests.support.whole import free_port

TRAINS = "明天北京到上海的高铁票"
OTHER_WORDS = "帮我查明天从北京到上海的高铁"


@contextlib.asynccontextmanager
async def kept(*links: Link[Any]) -> AsyncIterator[None]:
    """The links, kept whether they come up or not."""
    keeping = [asyncio.create_task(link.keep()) for link in links]
    try:
        yield
    finally:
        for task in keeping:
            task.cancel()
        await asyncio.wait(keeping)


def port_of(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


@pytest.fixture
async def behind_relays(
    debian_redis: str, lite_over_the_network: str, tmp_path: Path
) -> AsyncIterator[tuple[World, Relay, Relay]]:
    """A gateway with a real Redis and a Milvus over the network, and the ways to both."""
    async with relay(port_of(debian_redis)) as to_redis, relay(port_of(lite_over_the_network)) as to_milvus:
        embedder = PlainEmbedder(str(tmp_path))
        redis = redis_link(f"redis://127.0.0.1:{to_redis.port}/0", tmp_path, SystemClock())
        place = MilvusPlace(f"http://127.0.0.1:{to_milvus.port}", "", tmp_path)
        milvus = milvus_link(place, embedder, SystemClock())
        stores = CacheStores(RedisExactCache(redis), MilvusSemanticCache(milvus), embedder, (redis, milvus))
        async with up(redis, milvus), gateway(stores) as world:
            await world.cache.clear()
            yield world, to_redis, to_milvus


async def health(world: World, part: str) -> dict[str, Any]:
    found: dict[str, Any] = (await world.client.get("/health")).json()["components"][part]
    return found


@pytest.mark.parametrize("how", ["hold", "cut"])
async def test_without_redis_questions_are_answered_and_it_comes_back(
    behind_relays: tuple[World, Relay, Relay], how: str
) -> None:
    world, to_redis, _ = behind_relays
    await world.ask(TRAINS)
    assert await world.level(TRAINS) == "redis"
    await _go_away(to_redis, how)
    async with asyncio.timeout(10):
        for user in ("u1", "u2", "u3"):
            assert (await world.ask(TRAINS, user))["cached"] is False
    assert (await health(world, "redis"))["status"] == "degraded"
    assert (await world.client.delete("/api/memory", params={"user_id": "u1"})).status_code == 503
    await _come_back(to_redis, how)
    async with asyncio.timeout(30):
        await world.stores.links[0].until_up()
    assert await world.level(TRAINS, "u4") == "redis"
    assert (await health(world, "redis"))["status"] == "ok"


@pytest.mark.parametrize("how", ["hold", "cut"])
async def test_without_milvus_the_first_level_goes_on_and_it_comes_back(
    behind_relays: tuple[World, Relay, Relay], how: str
) -> None:
    world, _, to_milvus = behind_relays
    await world.ask(TRAINS)
    assert await world.level(OTHER_WORDS) == "milvus"
    await world.cache.clear()
    await world.ask(TRAINS)
    await _go_away(to_milvus, how)
    async with asyncio.timeout(20):
        assert (await world.ask("查明天北京去上海的高铁"))["cached"] is False
        assert await world.level(TRAINS, "u3") == "redis"
        await world.stores.links[1].until_away()
    await _come_back(to_milvus, how)
    async with asyncio.timeout(60):
        await world.stores.links[1].until_up()
        while await world.level(OTHER_WORDS, "u9") is None:
            await world.cache.clear()
            await world.ask(TRAINS)


async def _go_away(way: Relay, how: str) -> None:
    if how == "hold":
        way.hold()
    else:
        await way.cut()


async def _come_back(way: Relay, how: str) -> None:
    if how == "hold":
        way.release()
    else:
        await way.start()


async def test_an_order_while_redis_is_away_is_not_forgotten_when_it_returns(
    behind_relays: tuple[World, Relay, Relay],
) -> None:
    world, to_redis, _ = behind_relays
    await world.ask(TRAINS)
    await to_redis.cut()
    await world.ask("订一张明天北京到上海的高铁票二等座")
    assert (await world.ask("确认"))["orders"]
    await to_redis.start()
    await world.stores.links[0].until_up()
    assert await world.level(TRAINS, "u2") is None


async def test_stores_that_never_were_there_are_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    embedder = PlainEmbedder()
    redis = redis_link(f"redis://127.0.0.1:{free_port()}/0", tmp_path, SystemClock())
    milvus = milvus_link(MilvusPlace(f"http://127.0.0.1:{free_port()}", "", tmp_path), embedder, SystemClock())
    stores = CacheStores(RedisExactCache(redis), MilvusSemanticCache(milvus), embedder, (redis, milvus))
    with caplog.at_level(logging.WARNING):
        async with kept(redis, milvus), gateway(stores) as world:
            await redis.until_away()
            for number in range(5):
                assert (await world.ask(TRAINS, f"u{number}"))["status"] == "answered"
            await milvus.until_away()
    said = [record.getMessage() for record in caplog.records if record.name.startswith("core.adapters.vectors")]
    assert sorted(line.split()[2] for line in said) == ["milvus", "redis"]


async def test_embedded_stores_that_are_not_there_yet_hold_nothing_to_forget(tmp_path: Path) -> None:
    embedder = PlainEmbedder()
    redis = redis_link("", tmp_path, SystemClock())
    milvus = milvus_link(MilvusPlace("", "", tmp_path / "milvus.db"), embedder, SystemClock())
    stores = CacheStores(RedisExactCache(redis), MilvusSemanticCache(milvus), embedder, (redis, milvus))
    async with gateway(stores) as world:
        assert (await world.ask(TRAINS))["status"] == "answered"
        assert (await world.client.delete("/api/memory", params={"user_id": "u1"})).status_code == 204
        assert (await health(world, "redis")) == {"status": "ok", "detail": "embedded, starting"}


async def test_a_foreign_collection_of_our_name_is_left_alone(lite_over_the_network: str, tmp_path: Path) -> None:
    class Longer(PlainEmbedder):
        async def embed(self, text: str, limit_s: float) -> list[float]:
            return [1.0, *[0.0] * 15]

    place = MilvusPlace(lite_over_the_network, "", tmp_path)
    async with up(milvus_link(place, PlainEmbedder(str(tmp_path)), SystemClock())):
        pass
    link = milvus_link(place, Longer(str(tmp_path)), SystemClock())
    async with kept(link):
        async with asyncio.timeout(30):
            await link.until_away()
        assert link.state.status == "degraded"


async def test_a_redis_that_refuses_to_write_is_said_to(tmp_path: Path) -> None:
    with redis_server() as url:
        import redis.asyncio

        link = redis_link(url, tmp_path, SystemClock())
        embedder = PlainEmbedder()
        semantic = MilvusSemanticCache(milvus_link(MilvusPlace("", "", tmp_path / "m.db"), embedder, SystemClock()))
        async with up(link), gateway(CacheStores(RedisExactCache(link), semantic, embedder, (link, link))) as world:
            async with redis.asyncio.Redis.from_url(url) as client:
                await client.config_set("maxmemory", "1")
                await client.config_set("maxmemory-policy", "noeviction")
                assert (await world.ask(TRAINS))["status"] == "answered"
                assert (await health(world, "redis"))["status"] == "degraded"
                await client.config_set("maxmemory", "0")
            await world.ask(TRAINS)
            assert await world.level(TRAINS) == "redis"
            assert (await health(world, "redis"))["status"] == "ok"

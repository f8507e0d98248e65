"""Clearing a person's memory removes what they caused from both levels before it answers; the operator empties all."""

import asyncio
from pathlib import Path

import pytest

from core.cache.laying import cause_of
from core.gateway.auth import make_token
from core.shared.settings import parse_settings
from tests.cache.world import World, cache_stores, gateway

TRAINS = "明天北京到上海的高铁票"
OTHER_WORDS = "帮我查明天从北京到上海的高铁"
WAYS = {
    "all four memories": "/api/memory",
    "one memory": "/api/memory/short_term",
    "a conversation": "/api/sessions/s1",
    "the user": "/api/user",
}


@pytest.mark.parametrize("way", WAYS)
async def test_clearing_removes_keys_and_vectors(world: World, way: str) -> None:
    await world.ask(TRAINS, "u1")
    await world.ask("明天上海天气怎么样", "u2")
    cleared = await world.client.delete(WAYS[way], params={"user_id": "u1"})
    assert cleared.status_code == 204
    assert await world.level(OTHER_WORDS, "u3") is None
    assert await world.level("上海明天的天气怎么样", "u3") == "milvus"
    near = await world.stores.semantic.nearest([1.0, *[0.0] * 7], world.clock.now().timestamp())
    assert near is not None
    assert cause_of("u1") not in near.kept.causes


async def test_what_was_promoted_goes_with_either_of_its_users(world: World) -> None:
    await world.ask(TRAINS, "u1")
    assert await world.level(OTHER_WORDS, "u2") == "milvus"
    await world.client.delete("/api/memory", params={"user_id": "u2"})
    assert await world.level(OTHER_WORDS, "u3") == "milvus"
    await world.client.delete("/api/memory", params={"user_id": "u1"})
    assert await world.level(OTHER_WORDS, "u4") is None


async def test_an_answer_that_was_on_its_way_is_not_laid_down_after_the_erasure(world: World) -> None:
    world.looker.gate = asyncio.Event()
    asking = asyncio.create_task(world.ask(TRAINS, "u1"))
    while not world.looker.looked:  # noqa: ASYNC110
        await asyncio.sleep(0)
    world.clock.advance(1)
    assert (await world.client.delete("/api/user", params={"user_id": "u1"})).status_code == 204
    world.looker.gate.set()
    await asking
    assert (await world.stats())["writes"] == 0
    assert await world.level(TRAINS, "u2") is None


async def test_neither_level_holds_what_was_asked_or_by_whom(tmp_path: Path) -> None:
    import redis.asyncio

    async with cache_stores(tmp_path) as kept, gateway(kept) as world:
        await world.ask("后天苏州天气怎么样", "someone@example.org")
        socket = str(tmp_path / "cache" / "valkey.sock")
        async with redis.asyncio.Redis(unix_socket_path=socket, decode_responses=True) as client:
            names = [str(name) async for name in client.scan_iter()]
            values = [str(await client.get(name)) for name in names if ":answer:" in name]
        assert len(values) == 1
        held = "".join([*names, *values])
        assert "someone" not in held
        assert "后天苏州" not in held


async def test_the_operator_empties_the_cache(world: World) -> None:
    await world.ask(TRAINS)
    assert (await world.client.delete("/api/cache")).status_code == 204
    assert await world.level(OTHER_WORDS) is None


async def test_only_an_operator_does(tmp_path: Path) -> None:
    auth = parse_settings({"auth": {"mode": "jwt", "secret": "s" * 32}}).auth
    async with cache_stores(tmp_path) as kept, gateway(kept, auth=auth) as world:
        for scopes, status in ((frozenset[str](), 403), (frozenset({"operator"}), 204)):
            token = make_token(auth, "u1", scopes, 1)
            answer = await world.client.delete("/api/cache", headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == status
        assert (await world.client.get("/api/cache/stats")).status_code == 401

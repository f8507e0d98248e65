"""Where the stores are is said by the configuration, wrong addresses by one line that names the key."""

from pathlib import Path

import pytest

from core.shared.data_changes import data_changed
from core.shared.errors import SettingsError
from core.shared.settings import load_settings, parse_settings
from tests.cache.world import World, cache_stores, gateway

CONFIG = Path(__file__).parents[2] / "config.yaml"


def test_the_environment_wins() -> None:
    environment = {
        "REDIS_URL": "redis://r:6379/0",
        "MILVUS_URI": "http://m:19530",
        "MILVUS_TOKEN": "root:secret",
        "EMBEDDING_BASE_URL": "http://e/v1/",
        "EMBEDDING_MODEL": "bge",
        "EMBEDDING_API_KEY": "k",
        "CACHE_ENABLED": "false",
    }
    cache = load_settings(CONFIG, environment).cache
    assert (cache.redis_url, cache.milvus_uri, cache.enabled) == ("redis://r:6379/0", "http://m:19530", False)
    assert (cache.embedding.base_url, cache.embedding.model) == ("http://e/v1", "bge")
    assert cache.milvus_token is not None
    assert "secret" not in repr(cache)


def test_everything_is_embedded_otherwise() -> None:
    cache = load_settings(CONFIG, {}).cache
    assert (cache.redis_url, cache.milvus_uri, cache.embedding.base_url, cache.threshold) == ("", "", "", 0.92)


@pytest.mark.parametrize(
    ("key", "value"), [("redis_url", "localhost:6379"), ("milvus_uri", "milvus.db"), ("threshold", 0.5)]
)
def test_a_wrong_value_is_named(key: str, value: object) -> None:
    with pytest.raises(SettingsError, match=rf"cache\.{key}"):
        parse_settings({"cache": {key: value}})


async def test_a_round_of_the_collector_drops_the_weather(debian_redis: str, tmp_path: Path) -> None:
    async with cache_stores(tmp_path, redis_url=debian_redis) as kept, gateway(kept) as world:
        levels = await levels_after_a_round(world, {"redis_url": debian_redis}, tmp_path)
        assert levels == DROPPED


async def test_and_in_the_embedded_store_as_well(tmp_path: Path) -> None:
    async with cache_stores(tmp_path) as kept, gateway(kept) as world:
        assert await levels_after_a_round(world, {}, tmp_path) == DROPPED


DROPPED = (None, "redis")
"""Where the weather and the trains then come from."""


async def levels_after_a_round(world: World, cache: dict[str, str], data: Path) -> tuple[str | None, str | None]:
    await world.cache.clear()
    await world.ask("明天上海天气怎么样")
    await world.ask("明天北京到上海的高铁票")
    await data_changed(parse_settings({"cache": cache, "data": data}), "weather")
    return await world.level("明天上海天气怎么样"), await world.level("明天北京到上海的高铁票")


async def test_nobody_to_tell_is_no_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await data_changed(parse_settings({"data": tmp_path}), "weather")
    assert caplog.messages == []  # without an embedded store there is nobody
    await data_changed(parse_settings({"cache": {"redis_url": "redis://127.0.0.1:1/0"}, "data": tmp_path}), "weather")
    assert len(caplog.messages) == 1
    assert "could not be told of new data" in caplog.messages[0]

"""What both levels promise, in their embedded forms and on the real servers."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace

from core.adapters.vectors.milvus_cache import MilvusSemanticCache
from core.adapters.vectors.redis_cache import RedisExactCache
from core.ports.cache import CacheAway, Kept, Near
from tests.cache.vectors import at_angle

NOW = 1_800_000_000.0
ENTRY = Kept("a" * 64, "m" * 64, "", ("c" * 64,), '{"text":"晴，18℃"}', NOW, NOW + 60)
SAME = (ENTRY.meaning, ENTRY.versions)
KINDS = ("flight", "weather")


async def written(exact: RedisExactCache, entry: Kept = ENTRY) -> Kept:
    """The entry, laid down under the versions in force."""
    found = await exact.look(entry.key, entry.meaning, KINDS)
    kept = replace(entry, versions=found.versions)
    await exact.put(kept, 60)
    return kept


async def eventually(look: Callable[[], Awaitable[Near | None]], wanted: bool = True) -> Near | None:
    """What is found once a real Milvus shows what it was told: it lets readers lag. A busy machine may be too slow."""
    async with asyncio.timeout(30):
        while True:
            with contextlib.suppress(CacheAway):
                if ((found := await look()) is not None) is wanted:
                    return found
            await asyncio.sleep(0.05)


async def test_an_answer_is_found_as_it_was_laid_down(exact: RedisExactCache) -> None:
    kept = await written(exact)
    found = await exact.look(kept.key, kept.meaning, KINDS)
    assert (found.kept, found.related, found.versions) == (kept, True, kept.versions)


async def test_another_key_finds_nothing_but_knows_of_its_meaning(exact: RedisExactCache) -> None:
    kept = await written(exact)
    found = await exact.look("b" * 64, kept.meaning, KINDS)
    assert (found.kept, found.related) == (None, True)
    assert not (await exact.look("b" * 64, "n" * 64, KINDS)).related


async def test_an_entry_ends_by_itself(exact: RedisExactCache) -> None:
    kept = await written(exact)
    await exact.put(kept, 0.001)
    async with asyncio.timeout(5):
        while (await exact.look(kept.key, kept.meaning, KINDS)).kept is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    assert (await exact.look(kept.key, kept.meaning, KINDS)).kept is None


async def test_new_data_has_new_versions(exact: RedisExactCache) -> None:
    kept = await written(exact)
    await exact.outdate(["flight"])
    found = await exact.look(kept.key, kept.meaning, KINDS)
    assert found.versions != kept.versions
    assert not found.related
    assert (await exact.look(kept.key, kept.meaning, ("weather",))).versions == kept.versions.split(".")[1]


async def test_what_a_user_caused_is_forgotten_and_that_is_known(exact: RedisExactCache) -> None:
    kept = await written(exact)
    other = await written(exact, replace(ENTRY, key="d" * 64, causes=("e" * 64,)))
    both = await written(exact, replace(ENTRY, key="f" * 64, causes=("e" * 64, kept.causes[0])))
    await exact.forget(kept.causes[0], NOW)
    assert (await exact.look(kept.key, kept.meaning, KINDS)).kept is None
    assert (await exact.look(both.key, kept.meaning, KINDS)).kept is None
    assert (await exact.look(other.key, kept.meaning, KINDS)).kept == other
    assert await exact.forgotten_since(kept.causes[0], NOW - 1)
    assert not await exact.forgotten_since(kept.causes[0], NOW + 1)
    assert not await exact.forgotten_since(other.causes[0], NOW - 1)


async def test_a_single_key_is_dropped(exact: RedisExactCache) -> None:
    kept = await written(exact)
    await exact.drop(kept.key)
    assert (await exact.look(kept.key, kept.meaning, KINDS)).kept is None


async def test_clearing_leaves_nothing_and_draws_new_versions(exact: RedisExactCache) -> None:
    kept = await written(exact)
    await exact.clear()
    found = await exact.look(kept.key, kept.meaning, KINDS)
    assert (found.kept, found.related, found.versions == kept.versions) == (None, False, False)


async def test_one_of_all_who_ask_may_run(exact: RedisExactCache) -> None:
    assert await exact.claim("q", "one", 20)
    assert not await exact.claim("q", "two", 20)
    await exact.release("q", "two")
    assert await exact.claimed("q")
    await exact.release("q", "one")
    assert not await exact.claimed("q")
    assert await exact.claim("q", "two", 20)


async def test_counts_add_up(exact: RedisExactCache) -> None:
    before = await exact.counts()
    await exact.count({"test_hits": 2, "test_misses": 1})
    await exact.count({"test_hits": 1})
    after = await exact.counts()
    assert after["test_hits"] - before.get("test_hits", 0) == 3
    assert after["test_misses"] - before.get("test_misses", 0) == 1


async def test_a_foreign_value_under_our_key_is_no_answer(exact: RedisExactCache) -> None:
    kept = await written(exact)
    await exact.put(replace(kept, causes=()), 60)
    assert (await exact.look(kept.key, kept.meaning, KINDS)).kept == replace(kept, causes=())


async def test_the_nearest_of_the_same_meaning_is_found(semantic: MilvusSemanticCache) -> None:
    await semantic.put(ENTRY, at_angle(0.3))
    await semantic.put(replace(ENTRY, key="b" * 64, payload='{"text":"near"}'), at_angle(0.1))
    await semantic.put(replace(ENTRY, key="d" * 64, meaning="n" * 64), at_angle(0.0))

    async def of(key: str, same: tuple[str, str] | None) -> Near | None:
        near = await semantic.nearest(at_angle(0.0), NOW, same)
        return near if near is not None and near.kept.key == key * 64 else None

    near = await eventually(lambda: of("b", SAME))
    assert near is not None
    assert near.kept == replace(ENTRY, key="b" * 64, payload='{"text":"near"}')
    assert abs(near.cosine - 0.995) < 0.001
    any_meaning = await eventually(lambda: of("d", None))
    assert any_meaning is not None
    assert any_meaning.kept.meaning == "n" * 64


async def test_other_meanings_and_versions_are_never_found(semantic: MilvusSemanticCache) -> None:
    await semantic.put(ENTRY, at_angle(0))
    await eventually(lambda: semantic.nearest(at_angle(0), NOW, SAME))
    assert await semantic.nearest(at_angle(0), NOW, ("n" * 64, ENTRY.versions)) is None
    assert await semantic.nearest(at_angle(0), NOW, (ENTRY.meaning, "x")) is None


async def test_only_what_is_alive_is_found(semantic: MilvusSemanticCache) -> None:
    await semantic.put(ENTRY, at_angle(0))
    await eventually(lambda: semantic.nearest(at_angle(0), NOW, SAME))
    assert await semantic.nearest(at_angle(0), NOW + 60, SAME) is None
    assert await semantic.nearest(at_angle(0), NOW - 1, SAME) is None


async def test_a_key_written_again_stands_once(semantic: MilvusSemanticCache) -> None:
    await semantic.put(ENTRY, at_angle(0))
    await semantic.put(replace(ENTRY, payload='{"text":"new"}'), at_angle(0))

    async def new() -> Near | None:
        near = await semantic.nearest(at_angle(0), NOW, SAME)
        return near if near and near.kept.payload == '{"text":"new"}' else None

    assert await eventually(new)


async def test_vectors_of_a_user_are_deleted(semantic: MilvusSemanticCache) -> None:
    await semantic.put(ENTRY, at_angle(0))
    await semantic.put(replace(ENTRY, key="b" * 64, causes=("x" * 64,), meaning="n" * 64), at_angle(0))
    await eventually(lambda: semantic.nearest(at_angle(0), NOW, SAME))
    await semantic.forget(ENTRY.causes[0])
    assert await eventually(lambda: semantic.nearest(at_angle(0), NOW, SAME), wanted=False) is None
    assert await eventually(lambda: semantic.nearest(at_angle(0), NOW, ("n" * 64, "")))
    await semantic.drop("b" * 64)
    assert await eventually(lambda: semantic.nearest(at_angle(0), NOW, ("n" * 64, "")), wanted=False) is None


async def test_clearing_leaves_no_vector(semantic: MilvusSemanticCache) -> None:
    await semantic.put(ENTRY, at_angle(0))
    await eventually(lambda: semantic.nearest(at_angle(0), NOW, SAME))
    await semantic.clear()
    assert await eventually(lambda: semantic.nearest(at_angle(0), NOW), wanted=False) is None

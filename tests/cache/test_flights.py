"""Equal questions at once: one run, in a process and across replicas, which ends with the last who waits for it."""

import asyncio
from pathlib import Path

from tests.cache.world import World, cache_stores, gateway

TRAINS = "明天北京到上海的高铁票"


async def waiting(world: World, asked: int) -> None:
    """Until the agent is being asked and everybody's question has been looked up."""
    async with asyncio.timeout(20):
        while not world.looker.looked or (await world.stats_now())["redis"]["misses"] < asked:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_fifty_at_once_cost_one_run(world: World) -> None:
    world.looker.gate = asyncio.Event()
    asking = [asyncio.create_task(world.ask(TRAINS, f"u{n}")) for n in range(50)]
    await waiting(world, 50)
    world.looker.gate.set()
    replies = await asyncio.gather(*asking)
    assert world.looker.looked == 1
    assert len({reply["reply"] for reply in replies}) == 1
    assert {reply["user_id"] for reply in replies} == {f"u{n}" for n in range(50)}
    assert (await world.stats())["writes"] == 1


async def test_a_run_goes_on_while_one_of_many_still_waits(world: World) -> None:
    world.looker.gate = asyncio.Event()
    first, second, third = [asyncio.create_task(world.ask(TRAINS, f"u{n}")) for n in range(3)]
    await waiting(world, 3)
    first.cancel()
    second.cancel()
    await asyncio.wait({first, second})
    assert world.looker.broken_off == 0
    world.looker.gate.set()
    assert (await third)["status"] == "answered"
    assert world.looker.looked == 1


async def test_a_run_ends_when_the_last_has_left(world: World) -> None:
    world.looker.gate = asyncio.Event()
    asking = [asyncio.create_task(world.ask(TRAINS, f"u{n}")) for n in range(3)]
    await waiting(world, 3)
    for task in asking:
        task.cancel()
    await asyncio.wait(asking)
    assert world.looker.broken_off == 1
    world.looker.gate = None
    assert (await world.ask(TRAINS))["status"] == "answered"


async def test_who_joins_a_run_that_brings_nothing_to_share_runs_for_themselves(world: World) -> None:
    world.looker.gate = asyncio.Event()
    asking = [asyncio.create_task(world.ask(TRAINS, f"u{n}")) for n in range(3)]
    await waiting(world, 3)
    world.looker.status = "failed"
    world.looker.gate.set()
    assert {(await task)["status"] for task in asking} == {"failed"}
    assert world.looker.looked == 1


async def test_replicas_share_a_run_too(tmp_path: Path) -> None:
    async with (
        cache_stores(tmp_path / "one") as kept,
        gateway(kept) as one,
        gateway(kept) as two,
    ):
        one.looker.gate = asyncio.Event()
        first = asyncio.create_task(one.ask(TRAINS, "u1"))
        await waiting(one, 1)
        second = asyncio.create_task(two.ask(TRAINS, "u2"))
        await two.clock.somebody_sleeps()
        while two.clock.sleeping < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        one.looker.gate.set()
        await first
        while not second.done():
            two.clock.advance(0.05)
            await asyncio.sleep(0.01)
        assert (await second)["cache_level"] == "redis"
        assert (one.looker.looked, two.looker.looked) == (1, 0)


async def test_a_replica_does_not_wait_for_another_for_ever(tmp_path: Path) -> None:
    async with cache_stores(tmp_path / "one") as kept, gateway(kept) as one, gateway(kept) as two:
        one.looker.gate = asyncio.Event()
        first = asyncio.create_task(one.ask(TRAINS, "u1"))
        await waiting(one, 1)
        second = asyncio.create_task(two.ask(TRAINS, "u2"))
        while not second.done():
            two.clock.advance(1)
            await asyncio.sleep(0.01)
        assert ((await second)["cached"], two.looker.looked) == (False, 1)
        first.cancel()
        await asyncio.wait({first})

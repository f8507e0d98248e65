"""What is never written: orders, cancellations, follow-ups, and answers that are not whole."""

import asyncio
from typing import Any

import pytest

from tests.cache.world import World

TRAINS = "明天北京到上海的高铁票"
ORDER = "订一张明天北京到上海的高铁票二等座"


async def writes(world: World) -> int:
    number: int = (await world.stats())["writes"]
    return number


async def test_an_order_and_its_confirmation_are_never_written(world: World) -> None:
    assert (await world.ask(ORDER))["status"] == "confirmation_required"
    assert (await world.ask("确认"))["orders"]
    assert (await world.ask("我的订单"))["status"] == "answered"
    assert (await world.ask("取消我的订单"))["status"] == "confirmation_required"
    assert (await world.ask("确认"))["status"] == "answered"
    assert await writes(world) == 0


@pytest.mark.parametrize("text", ["去上海的高铁", "昨天北京到上海的高铁票", "讲个笑话", "你好", "啊啊啊啊"])
async def test_what_was_no_answer_is_never_written(world: World, text: str) -> None:
    assert (await world.ask(text))["status"] != "failed"
    assert await writes(world) == 0


@pytest.mark.parametrize("status", ["failed", "unreachable"])
async def test_a_failure_is_never_written(world: World, status: str) -> None:
    world.looker.status = status
    assert (await world.ask(TRAINS))["status"] == "failed"
    assert await writes(world) == 0
    world.looker.status = "completed"
    assert (await world.ask(TRAINS))["status"] == "answered"
    assert await writes(world) == 1


async def test_a_partial_answer_is_never_written(world: World) -> None:
    reply = await world.ask("明天上海天气怎么样，再查去上海的高铁")
    assert reply["status"] == "partial"
    assert await writes(world) == 0


async def test_an_answer_that_found_nothing_lives_a_minute(world: World) -> None:
    world.looker.rows = 0
    assert (await world.ask("明天上海天气怎么样"))["status"] == "answered"
    world.clock.advance(50)
    assert await world.level("明天上海天气怎么样") == "redis"
    world.clock.advance(11)
    assert await world.level("明天上海天气怎么样") is None


async def test_a_run_that_was_cut_is_never_written(world: World) -> None:
    world.looker.gate = asyncio.Event()
    cut = asyncio.create_task(world.ask(TRAINS))
    while not world.looker.looked:  # noqa: ASYNC110
        await asyncio.sleep(0)
    cut.cancel()
    await asyncio.wait({cut})
    assert world.looker.broken_off == 1
    assert await writes(world) == 0


async def test_an_answer_from_data_that_changed_meanwhile_is_not_found(world: World) -> None:
    world.looker.gate = asyncio.Event()
    asking = asyncio.create_task(world.ask(TRAINS))
    while not world.looker.looked:  # noqa: ASYNC110
        await asyncio.sleep(0)
    await world.cache.outdate(["train"])
    world.looker.gate.set()
    await asking
    assert await world.level(TRAINS, "u2") is None


async def test_an_order_here_drops_what_was_said_of_its_goods_and_nothing_else(world: World) -> None:
    await world.ask(TRAINS, "u2")
    await world.ask("明天上海天气怎么样", "u2")
    await world.ask(ORDER)
    assert await world.level(TRAINS, "u3") == "redis"
    await world.ask("确认")
    assert await world.level(TRAINS, "u3") is None
    assert await world.level("查明天北京去上海的高铁", "u4") == "milvus"
    assert await world.level("明天上海天气怎么样", "u3") == "redis"


async def test_a_cancellation_by_its_route_drops_them_too(world: World) -> None:
    await world.ask(ORDER)
    order: dict[str, Any] = (await world.ask("确认"))["orders"][0]
    await world.ask(TRAINS, "u2")
    cancelled = await world.client.post(f"/api/orders/{order['order_id']}/cancel", params={"user_id": "u1"})
    assert cancelled.status_code == 200
    assert await world.level(TRAINS, "u3") is None

"""A yes whose outcome is not known yet: nothing is given up for it, nothing is bought twice, nothing untrue is said."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from core.ports.agents import Unreachable
from core.shared.call_context import CallContext
from core.types.agent_protocol import AgentRequest, AgentResponse
from tests.gateway.test_orders import WISH, Shop, shop

__all__ = ["shop"]


async def two_halves(shop: Shop) -> None:
    """An order, and the offer of another day beside its cancellation."""
    await shop.say(WISH)
    await shop.say("确认")
    offered = await shop.say("改签到后天")
    assert [offer["action"] for offer in offered["offers"]] == ["place", "cancel"]


async def states(shop: Shop) -> list[str]:
    return sorted(order["status"] for order in (await shop.orders())["orders"])


async def test_while_the_new_booking_is_unknown_the_old_order_stays(shop: Shop) -> None:
    await two_halves(shop)
    shop.seller.silent_after_work = True
    said = await shop.say("确认")
    assert said["status"] == "failed"
    assert "原来的订单先不取消" in said["reply"]
    shop.seller.silent_after_work = False
    assert await states(shop) == ["confirmed", "confirmed"]
    done = await shop.say("确认")
    assert [order["status"] for order in done["orders"]] == ["confirmed", "cancelled"]
    assert await states(shop) == ["cancelled", "confirmed"]


async def test_while_the_agent_is_away_neither_half_happens_and_both_can_still(shop: Shop) -> None:
    await two_halves(shop)
    shop.seller.refused = True
    said = await shop.say("确认")
    assert said["orders"] == []
    shop.seller.refused = False
    done = await shop.say("确认")
    assert [order["status"] for order in done["orders"]] == ["confirmed", "cancelled"]


@contextlib.asynccontextmanager
async def held(shop: Shop) -> AsyncIterator[tuple[asyncio.Event, asyncio.Event]]:
    """The seller takes an order and answers when it is let go."""
    asked, go, seller = asyncio.Event(), asyncio.Event(), shop.seller

    async def slow(request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        if context.offer_id is not None:
            asked.set()
            await go.wait()
        return await seller(request, context)

    intents = ["order train tickets", "query orders", "cancel order"]
    shop.network.add("TicketAssistant", intents, slow)
    try:
        yield asked, go
    finally:
        go.set()
        shop.network.add("TicketAssistant", intents, seller)


async def test_a_client_that_leaves_in_the_middle_gets_both_halves_done(shop: Shop) -> None:
    await two_halves(shop)
    async with held(shop) as (asked, go):
        leaving = asyncio.create_task(shop.say("确认"))
        await asyncio.wait_for(asked.wait(), 10)
        leaving.cancel()
        await asyncio.wait({leaving})
        again = await shop.say("确认")
        assert "正在办理" in again["reply"]
        assert again["orders"] == []
        assert await states(shop) == ["confirmed"]
        go.set()
        async with asyncio.timeout(10):
            while await states(shop) != ["cancelled", "confirmed"]:  # noqa: ASYNC110
                await asyncio.sleep(0)


@pytest.mark.parametrize("said", ["算了", "再想想", "改成两张"])
async def test_words_that_come_too_late_are_told_so(shop: Shop, said: str) -> None:
    await shop.say(WISH)
    shop.seller.silent_after_work = True
    await shop.say("确认")
    shop.seller.silent_after_work = False
    late = await shop.say(said)
    assert "撤不回来" in late["reply"]
    assert [order["status"] for order in (await shop.say("确认"))["orders"]] == ["confirmed"]
    assert await states(shop) == ["confirmed"]


async def test_after_its_time_an_unknown_order_is_looked_up_and_not_made(shop: Shop) -> None:
    await shop.say(WISH)
    shop.seller.unreachable = True
    assert "结果暂时没有收到" in (await shop.say("确认"))["reply"]
    shop.seller.unreachable = False
    shop.clock.advance(11 * 60)
    assert "没有办成" in (await shop.say("确认"))["reply"]
    assert shop.seller.orders == {}


async def test_after_its_time_an_order_that_was_made_is_found(shop: Shop) -> None:
    await shop.say(WISH)
    shop.seller.silent_after_work = True
    await shop.say("确认")
    shop.seller.silent_after_work = False
    shop.clock.advance(11 * 60)
    assert [order["status"] for order in (await shop.say("确认"))["orders"]] == ["confirmed"]
    assert len(shop.seller.orders) == 1


async def test_before_something_more_is_offered_the_earlier_order_is_looked_up(shop: Shop) -> None:
    await shop.say(WISH)
    shop.seller.silent_after_work = True
    await shop.say("确认")
    shop.seller.silent_after_work = False
    again = await shop.say(WISH)
    assert again["status"] == "confirmation_required"
    assert "之前那一单：已下单" in again["reply"]


async def test_an_offer_that_was_agreed_to_meanwhile_cannot_be_withdrawn(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]["offer_id"]
    async with held(shop) as (asked, go):
        confirming = asyncio.create_task(shop.client.post(f"/api/offers/{offer}/confirm?user_id=u1"))
        await asyncio.wait_for(asked.wait(), 10)
        assert (await shop.client.delete(f"/api/offers/{offer}?user_id=u1")).status_code == 409
        go.set()
        assert (await confirming).status_code == 200

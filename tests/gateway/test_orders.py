"""Offers and orders over HTTP: nothing is bought without a clear yes, and a yes counts once."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.bootstrap import build_backend
from core.gateway.app import create_app
from core.ports.offers import OfferStore
from core.service import Backend
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import load_settings
from tests.support.network import InMemoryNetwork, answering
from tests.support.orders import INTENTS, TrainSeller
from tests.support.stores import in_memory_stores

SETTINGS = load_settings(Path(__file__).parents[2] / "config.yaml", {})
WISH = "订一张明天北京到上海的G1二等座"


@dataclass
class Shop:
    """A gateway with one seller, and what a person does there."""

    client: httpx.AsyncClient
    seller: TrainSeller
    clock: ManualClock
    network: InMemoryNetwork
    offers: OfferStore

    async def say(self, text: str, user: str = "u1", session: str = "s1") -> dict[str, Any]:
        self.clock.advance(1)
        response = await self.client.post("/api/chat", json={"query": text, "user_id": user, "session_id": session})
        body: dict[str, Any] = response.json()
        assert response.status_code == 200, body
        return body

    async def orders(self, user: str = "u1", **more: Any) -> dict[str, Any]:
        response = await self.client.get("/api/orders", params={"user_id": user, **more})
        body: dict[str, Any] = response.json()
        return body


@pytest.fixture
async def shop() -> AsyncIterator[Shop]:
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    network, seller = InMemoryNetwork(), TrainSeller()
    network.add("TicketAssistant", INTENTS, seller)
    stores = in_memory_stores()
    network.add("WeatherQueryAssistant", ["query weather"], answering("晴。"))

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        yield build_backend(network, stores, SETTINGS, clock)

    app = create_app(open_backend)
    asking = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8888")
    async with app.router.lifespan_context(app), asking as client:
        yield Shop(client, seller, clock, network, stores.offers)


async def test_an_order_waits_for_a_yes_and_is_made_once(shop: Shop) -> None:
    offered = await shop.say(WISH)
    assert offered["status"] == "confirmation_required"
    offer = offered["offers"][0]
    assert (offer["action"], offer["kind"], offer["total_price"]) == ("place", "train", "553.00")
    assert offer["expires_at"] == "2026-08-16T12:10:01+08:00"
    assert "G1 北京南→上海虹桥 二等座" in offered["reply"]
    assert "¥553.00" in offered["reply"]
    assert shop.seller.orders == {}
    placed = await shop.say("确认")
    assert placed["status"] == "answered"
    assert [order["status"] for order in placed["orders"]] == ["confirmed"]
    assert "已下单" in placed["reply"]
    assert "T0001" in placed["reply"]
    assert placed["tasks"][0]["slots"]["train_no"] == "G1"
    again = await shop.say("确认")
    assert again["orders"] == []
    assert "没有重复下单" in again["reply"]
    assert (shop.seller.stock, len(shop.seller.orders)) == (4, 1)


NO_CLEAR_YES = "可以是可以，不过太贵了|可以退吗|明天上海天气怎么样|好的吗|再想想|确认一下上海的天气|对了"


@pytest.mark.parametrize("text", NO_CLEAR_YES.split("|"))
async def test_what_is_no_clear_yes_buys_nothing_and_leaves_the_offer_standing(shop: Shop, text: str) -> None:
    await shop.say(WISH)
    await shop.say(text)
    assert shop.seller.orders == {}
    assert (await shop.say("确认"))["orders"]


async def test_a_no_withdraws(shop: Shop) -> None:
    await shop.say(WISH)
    assert "不办了" in (await shop.say("算了"))["reply"]
    assert (await shop.say("确认"))["orders"] == []
    assert shop.seller.orders == {}


async def test_another_quantity_is_a_new_offer_in_place_of_the_old(shop: Shop) -> None:
    first = (await shop.say(WISH))["offers"][0]
    changed = await shop.say("改成两张")
    assert changed["status"] == "confirmation_required"
    assert changed["offers"][0]["total_price"] == "1106.00"
    assert changed["offers"][0]["offer_id"] != first["offer_id"]
    assert (await shop.client.post(f"/api/offers/{first['offer_id']}/confirm?user_id=u1")).status_code == 409
    assert (await shop.say("好的，订吧"))["orders"][0]["quantity"] == 2


async def test_an_offer_dies_after_ten_minutes(shop: Shop) -> None:
    await shop.say(WISH)
    shop.clock.advance(600)
    late = await shop.say("确认")
    assert "失效" in late["reply"]
    assert shop.seller.orders == {}


async def test_a_changed_price_places_nothing_and_is_said(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    shop.seller.price = "600.00"
    refused = await shop.client.post(f"/api/offers/{offer['offer_id']}/confirm?user_id=u1")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "¥600.00" in refused.json()["detail"]
    assert shop.seller.orders == {}


async def test_a_yes_of_another_user_or_session_is_no_yes(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    await shop.say("确认", user="u2")
    await shop.say("确认", session="s2")
    foreign = await shop.client.post(f"/api/offers/{offer['offer_id']}/confirm?user_id=u2")
    missing = await shop.client.post("/api/offers/none/confirm?user_id=u2")
    assert foreign.status_code == missing.status_code == 404
    assert foreign.json()["detail"] == missing.json()["detail"]
    assert (await shop.client.delete(f"/api/offers/{offer['offer_id']}?user_id=u2")).status_code == 404
    assert shop.seller.orders == {}


async def test_of_many_confirmations_at_once_one_places(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    path = f"/api/offers/{offer['offer_id']}/confirm?user_id=u1"
    answers = await asyncio.gather(*(shop.client.post(path) for _ in range(10)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert len(shop.seller.orders) == 1


async def test_an_offer_can_be_withdrawn_by_its_route(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    assert (await shop.client.delete(f"/api/offers/{offer['offer_id']}?user_id=u1")).status_code == 204
    assert (await shop.client.post(f"/api/offers/{offer['offer_id']}/confirm?user_id=u1")).status_code == 409


async def buy(shop: Shop, times: int = 1) -> None:
    for _ in range(times):
        await shop.say(WISH)
        await shop.say("确认")


async def test_the_same_again_is_a_second_order(shop: Shop) -> None:
    await buy(shop, 2)
    assert (shop.seller.stock, len(shop.seller.orders)) == (3, 2)


async def test_orders_come_newest_first_page_by_page(shop: Shop) -> None:
    await buy(shop, 3)
    first = await shop.orders(limit=2)
    assert [o["order_id"] for o in first["orders"]] == ["T0003", "T0002"]
    second = await shop.orders(limit=2, before=first["next"])
    assert ([o["order_id"] for o in second["orders"]], second["next"]) == (["T0001"], None)
    assert (await shop.orders(user="u2"))["orders"] == []


async def test_an_order_of_another_is_like_none(shop: Shop) -> None:
    await buy(shop)
    own = await shop.client.get("/api/orders/T0001?user_id=u1")
    foreign = await shop.client.get("/api/orders/T0001?user_id=u2")
    missing = await shop.client.get("/api/orders/T9999?user_id=u2")
    assert own.json()["order_id"] == "T0001"
    assert foreign.status_code == missing.status_code == 404
    assert {**foreign.json(), "trace_id": ""} == {**missing.json(), "trace_id": ""}


async def test_a_cancellation_is_shown_asked_and_done_once(shop: Shop) -> None:
    await buy(shop)
    offered = await shop.say("取消我的火车票订单")
    assert (offered["status"], offered["offers"][0]["action"]) == ("confirmation_required", "cancel")
    assert shop.seller.stock == 4
    done = await shop.say("确认取消")
    assert done["orders"][0]["status"] == "cancelled"
    assert "已取消" in done["reply"]
    assert shop.seller.stock == 5


async def test_the_cancel_route_answers_twice_the_same(shop: Shop) -> None:
    await buy(shop)
    first = await shop.client.post("/api/orders/T0001/cancel?user_id=u1")
    second = await shop.client.post("/api/orders/T0001/cancel?user_id=u1")
    assert first.json() == second.json()
    assert first.json()["status"] == "cancelled"
    assert shop.seller.stock == 5
    assert (await shop.client.post("/api/orders/T0001/cancel?user_id=u2")).status_code == 404


async def test_a_silent_agent_makes_a_list_of_orders_an_error_not_half_a_list(shop: Shop) -> None:
    await buy(shop)
    shop.seller.unreachable = True
    response = await shop.client.get("/api/orders?user_id=u1")
    assert (response.status_code, response.json()["code"]) == (503, "upstream_unavailable")
    assert response.headers["retry-after"] == "5"


async def test_an_order_whose_answer_was_lost_is_found_by_asking_again_and_made_once(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    shop.seller.silent_after_work = True
    lost = await shop.say("确认")
    assert (lost["status"], lost["orders"]) == ("failed", [])
    assert "结果暂时没有收到" in lost["reply"]
    route = await shop.client.post(f"/api/offers/{offer['offer_id']}/confirm?user_id=u1")
    assert (route.status_code, route.json()["code"]) == (503, "upstream_unavailable")
    shop.seller.silent_after_work = False
    found = await shop.say("确认")
    assert [order["order_id"] for order in found["orders"]] == ["T0001"]
    assert (shop.seller.stock, len(shop.seller.orders)) == (4, 1)


async def test_what_was_never_sent_leaves_the_offer_standing(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    shop.seller.refused = True
    assert "没有下单" in (await shop.say("确认"))["reply"]
    assert (await shop.client.post(f"/api/offers/{offer['offer_id']}/confirm?user_id=u1")).status_code == 503
    shop.seller.refused = False
    assert len((await shop.say("确认"))["orders"]) == 1


async def test_an_offer_left_on_the_way_by_a_dead_process_is_taken_up_again(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    kept = await shop.offers.get("u1", offer["offer_id"])
    assert kept is not None
    await shop.offers.move(kept, "placing", now=shop.clock.now())
    at_once = await shop.client.post(f"/api/offers/{offer['offer_id']}/confirm?user_id=u1")
    assert "正在办理" in at_once.json()["detail"]
    shop.clock.advance(60)
    assert len((await shop.say("确认"))["orders"]) == 1


async def test_a_withdrawn_offer_does_not_claim_to_have_been_placed(shop: Shop) -> None:
    offer = (await shop.say(WISH))["offers"][0]
    await shop.client.delete(f"/api/offers/{offer['offer_id']}?user_id=u1")
    refused = await shop.client.post(f"/api/offers/{offer['offer_id']}/confirm?user_id=u1")
    assert "已经撤回了，没有下单" in refused.json()["detail"]


REFUSALS = "取消吧|退吧|取消|好吧，算了|太贵了，不要了|嗯……还是不买了|no thanks"


@pytest.mark.parametrize("text", REFUSALS.split("|"))
async def test_a_no_to_a_purchase_is_heard_however_it_is_said(shop: Shop, text: str) -> None:
    await shop.say(WISH)
    assert "不办了" in (await shop.say(text))["reply"]
    await shop.say("确认")
    assert shop.seller.orders == {}


@pytest.mark.parametrize("text", ["嗯", "不好", "我买了", "好了", "就这样", "不是"])
async def test_a_mumble_buys_nothing_and_is_asked_about(shop: Shop, text: str) -> None:
    await shop.say(WISH)
    body = await shop.say(text)
    assert (body["status"], shop.seller.orders) == ("confirmation_required", {})
    assert "回复“确认”" in body["reply"]


async def test_a_plain_good_answers_only_the_question_just_put(shop: Shop) -> None:
    await shop.say(WISH)
    await shop.say("明天上海天气怎么样")
    await shop.say("好的")
    assert shop.seller.orders == {}
    assert (await shop.say("确认"))["orders"]
    await shop.say(WISH)
    assert (await shop.say("好的"))["orders"]


@pytest.mark.parametrize("text", ["换成一等座", "好的，但是换成一等座", "要两张一等座"])
async def test_a_changed_wish_takes_the_old_offers_place(shop: Shop, text: str) -> None:
    first = (await shop.say(WISH))["offers"][0]
    changed = await shop.say(text)
    assert "一等座" in changed["offers"][0]["items"][0]["item"]["title"], changed["reply"]
    assert (await shop.client.post(f"/api/offers/{first['offer_id']}/confirm?user_id=u1")).status_code == 409
    assert shop.seller.orders == {}


@pytest.mark.parametrize(("text", "quantity"), [("行，订两张吧", 2), ("再加一张", 2), ("要3张", 3)])
async def test_another_quantity_said_in_any_way_is_quoted_anew(shop: Shop, text: str, quantity: int) -> None:
    await shop.say(WISH)
    changed = await shop.say(text)
    assert changed["offers"][0]["items"][0]["quantity"] == quantity
    assert (await shop.say("确认"))["orders"][0]["quantity"] == quantity


async def test_more_than_there_is_is_refused_before_it_is_offered(shop: Shop) -> None:
    await shop.say(WISH)
    body = await shop.say("改成900张")
    assert "只剩5张" in body["reply"]
    assert body["offers"][0]["items"][0]["quantity"] == 1
    assert (await shop.say("确认"))["orders"][0]["quantity"] == 1


async def test_my_orders_are_told_in_a_conversation(shop: Shop) -> None:
    await buy(shop)
    body = await shop.say("查一下我的订单")
    assert body["intents"] == ["query orders"]
    assert body["steps"][0]["data"]["rows"][0]["order_id"] == "T0001"


async def bought(shop: Shop) -> str:
    await shop.say(WISH)
    return str((await shop.say("确认"))["orders"][0]["order_id"])


@pytest.mark.parametrize("said", ["改签到后天", "帮我改签到后天", "改到后天"])
async def test_a_change_is_offered_as_a_new_booking_beside_the_cancellation(shop: Shop, said: str) -> None:
    old = await bought(shop)
    offered = await shop.say(said)
    assert [offer["action"] for offer in offered["offers"]] == ["place", "cancel"]
    assert [task["intent"] for task in offered["tasks"]] == ["order train tickets", "cancel order"]
    assert offered["tasks"][0]["slots"]["date"] == "2026-08-18"
    assert "先订好新的" in offered["reply"]
    done = await shop.say("确认")
    assert [order["status"] for order in done["orders"]] == ["confirmed", "cancelled"]
    assert done["orders"][1]["order_id"] == old


async def test_when_the_new_booking_fails_the_old_one_is_kept(shop: Shop) -> None:
    await bought(shop)
    await shop.say("改签到后天")
    shop.seller.price = "600.00"
    done = await shop.say("确认")
    assert done["orders"] == []
    assert "原来的订单没有取消" in done["reply"]
    assert [order["status"] for order in (await shop.orders())["orders"]] == ["confirmed"]
    again = await shop.say("确认")
    assert again["orders"] == []


async def test_a_cancelled_order_is_not_changed(shop: Shop) -> None:
    await bought(shop)
    await shop.say("取消这个订单")
    await shop.say("确认")
    offered = await shop.say("改签到后天")
    assert offered["offers"] == []


@pytest.mark.parametrize("said", ["可以是可以，不过太贵了", "太贵了"])
async def test_a_remark_about_an_offer_is_no_yes_and_the_offer_still_stands(shop: Shop, said: str) -> None:
    await shop.say(WISH)
    asked = await shop.say(said)
    assert asked["status"] == "confirmation_required"
    assert "还没有办理" in asked["reply"]
    assert shop.seller.orders == {}
    assert len((await shop.say("确认"))["orders"]) == 1


async def test_small_talk_after_an_offer_says_that_it_still_waits(shop: Shop) -> None:
    await shop.say(WISH)
    thanked = await shop.say("谢谢")
    assert "不客气" in thanked["reply"]
    assert "报价为您保留到12:10" in thanked["reply"]
    assert shop.seller.orders == {}


async def test_a_change_of_the_change_takes_its_place(shop: Shop) -> None:
    await bought(shop)
    await shop.say("改签到后天")
    offered = await shop.say("改签到大后天")
    assert [offer["action"] for offer in offered["offers"]] == ["place", "cancel"]
    assert offered["tasks"][0]["slots"]["date"] == "2026-08-19"
    done = await shop.say("确认")
    assert [order["status"] for order in done["orders"]] == ["confirmed", "cancelled"]
    again = await shop.say("改签到大后天")
    assert [offer["action"] for offer in again["offers"]] == ["place", "cancel"]


async def test_a_new_wish_that_leads_to_nothing_says_what_a_yes_would_mean(shop: Shop) -> None:
    await shop.say(WISH)
    said = await shop.say("订九十九张明天北京到上海的G1二等座")
    assert said["offers"] == []
    assert "回复“确认”办理的是它" in said["reply"]


async def test_a_yes_after_a_cancellation_does_not_speak_of_ordering(shop: Shop) -> None:
    await bought(shop)
    await shop.say("取消这个订单")
    await shop.say("确认")
    assert (await shop.say("确认"))["reply"] == "这笔订单已经取消过了，没有重复办理。"

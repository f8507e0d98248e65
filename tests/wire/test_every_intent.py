"""Every intent of the mission, from a sentence to rows, through the real wire."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from core.adapters.agents.network import open_network
from core.orders.placing import Placing
from core.shared.call_context import new_traceparent
from core.shared.clock import SystemClock
from core.types.agent_protocol import Quote
from core.types.orders import Offer
from tests.support.whole import Whole, free_settings, whole

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

SELLABLE = {"item_id", "title", "price", "remaining"}
FIELDS = {
    "train": "train_no train_type from_station to_station from_city to_city date depart_at arrive_at duration_min "
    "seat_class",
    "flight": "flight_no airline from_airport to_airport from_city to_city date depart_at arrive_at duration_min cabin",
    "concert": "artist venue city date starts_at area",
    "car_rental": "brand model seats city date days",
    "tour_group": "name from_city destination days date",
    "insurance": "name insurer coverage days",
}
QUERIES = [
    ("query train tickets", "明天北京到上海的高铁", "train"),
    ("query flight tickets", "后天广州飞成都的机票", "flight"),
    ("query concert tickets", "上海最近有什么演唱会", "concert"),
    ("query car rental", "明天在三亚租车三天", "car_rental"),
    ("query tour group", "云南五日游有什么团", "tour_group"),
    ("query insurance", "看看去日本玩七天的旅行保险", "insurance"),
]
ORDERS = [
    ("order train tickets", "订两张明天北京到上海最便宜的高铁票", "train"),
    ("order flight tickets", "帮我订后天广州飞成都最便宜的机票", "flight"),
    ("order concert tickets", "买一张五月天演唱会最便宜的票", "concert"),
    ("order car rental", "明天在三亚租一辆最便宜的车，租三天，帮我订", "car_rental"),
    ("order tour group", "报名成都两日游最便宜的团", "tour_group"),
    ("order insurance", "买一份七天的旅行保险，最便宜的", "insurance"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    async with whole(free_settings(tmp_path_factory.mktemp("data"))) as running_whole:
        await running_whole.until("ok")
        yield running_whole


@pytest.mark.parametrize(("intent", "sentence", "kind"), QUERIES)
async def test_a_query_brings_rows_with_the_names_of_the_contract(
    started: Whole, intent: str, sentence: str, kind: str
) -> None:
    body = await started.ask(sentence)
    assert body["intents"] == [intent]
    assert body["status"] == "answered", body["reply"]
    data = body["steps"][-1]["data"]
    assert data["kind"] == kind
    assert data["rows"]
    assert len(data["rows"]) <= 20
    for row in data["rows"]:
        assert set(row) >= SELLABLE | set(FIELDS[kind].split())
    assert body["offers"] == []


@pytest.mark.parametrize(("intent", "sentence", "kind"), ORDERS)
async def test_an_order_is_offered_confirmed_listed_and_cancelled(
    started: Whole, intent: str, sentence: str, kind: str
) -> None:
    who = {"user_id": f"buyer-{kind}"}
    offered = await started.ask(sentence, **who)
    assert (offered["intents"], offered["status"]) == ([intent], "confirmation_required"), offered["reply"]
    (offer,) = offered["offers"]
    (item,) = offer["items"]
    assert offer["kind"] == kind
    before = item["item"]["remaining"]
    placed = await started.ask("确认", **who)
    (order,) = placed["orders"]
    assert (order["kind"], order["status"], order["quantity"]) == (kind, "confirmed", item["quantity"])
    assert order["total_price"] == offer["total_price"]
    listed = (await started.client.get("/api/orders", params=who)).json()["orders"]
    assert listed == [order]
    assert (await remaining(started, sentence, item["item"]["item_id"])) == before - item["quantity"]
    asked = await started.ask("取消订单", **who)
    assert asked["offers"][0]["action"] == "cancel"
    assert (await started.ask("确认", **who))["orders"][0]["status"] == "cancelled"
    assert (await remaining(started, sentence, item["item"]["item_id"])) == before


async def remaining(started: Whole, sentence: str, item_id: str) -> int:
    """What is left of an item, seen by somebody else who only looks."""
    body = await started.ask(sentence, user_id="onlooker")
    rows: list[dict[str, Any]] = [offer["items"][0]["item"] for offer in body["offers"]]
    left: int = next((row["remaining"] for row in rows if row["item_id"] == item_id), 0)
    return left  # what is sold out is not offered any more


async def test_out_and_back_in_one_sentence_are_two_tasks_of_one_intent(started: Whole) -> None:
    body = await started.ask("周五北京去上海，周日回来，查去程和回程的高铁")
    assert [task["intent"] for task in body["tasks"]] == ["query train tickets"] * 2
    legs = [(task["slots"]["from_city"], task["slots"]["to_city"]) for task in body["tasks"]]
    assert legs == [("北京", "上海"), ("上海", "北京")]
    assert [bool(step["data"]["rows"]) for step in body["steps"]] == [True, True]


async def test_orders_of_several_agents_are_one_list_newest_first(started: Whole) -> None:
    who = {"user_id": "collector"}
    for sentence in ("订一张明天北京到上海最便宜的高铁票", "报名成都两日游最便宜的团"):
        await started.ask(sentence, **who)
        assert (await started.ask("确认", **who))["orders"]
    body = await started.ask("查一下我的订单", **who)
    assert [row["kind"] for row in body["steps"][0]["data"]["rows"]] == ["tour_group", "train"]
    orders = (await started.client.get("/api/orders", params={**who, "limit": 1})).json()
    assert [order["kind"] for order in orders["orders"]] == ["tour_group"]
    rest = (await started.client.get("/api/orders", params={**who, "before": orders["next"]})).json()
    assert [order["kind"] for order in rest["orders"]] == ["train"]


async def test_several_orders_in_one_sentence_are_several_offers_and_one_yes(started: Whole) -> None:
    who = {"user_id": "traveller"}
    body = await started.ask("订明天北京到上海最便宜的高铁票，再买一份七天的旅行保险，最便宜的", **who)
    assert sorted(offer["kind"] for offer in body["offers"]) == ["insurance", "train"]
    assert len((await started.ask("确认", **who))["orders"]) == 2


async def test_an_order_without_a_choice_lists_and_asks_and_buys_nothing(started: Whole) -> None:
    body = await started.ask("订两张后天杭州到南京的二等座", user_id="undecided")
    assert body["status"] == "follow_up"
    assert body["offers"] == []
    assert body["steps"][0]["data"]["rows"]


@pytest.mark.parametrize("hostile", ["上海' OR '1'='1", "%%%", "上_海", "'; DROP TABLE trains; --", "长" * 3900])
async def test_hostile_words_are_answered_cleanly(started: Whole, hostile: str) -> None:
    body = await started.ask(f"明天{hostile}到杭州的高铁")
    rows = [row for step in body["steps"] if step["data"] for row in step["data"]["rows"]]
    assert body["status"] in ("answered", "follow_up", "out_of_scope", "not_understood")
    assert {row["to_city"] for row in rows} <= {"杭州"}


@pytest.mark.parametrize(("intent", "sentence", "kind"), [case for case in ORDERS if case[2] != "car_rental"])
async def test_another_quantity_is_quoted_by_the_agent_itself(
    started: Whole, intent: str, sentence: str, kind: str
) -> None:
    who = {"user_id": f"more-{kind}", "session_id": "s1"}
    first = (await started.ask(sentence, **who))["offers"][0]
    changed = await started.ask("改成三份" if kind == "insurance" else "改成三张", **who)
    assert changed["status"] == "confirmation_required", changed["reply"]
    offer = changed["offers"][0]
    assert offer["items"][0]["quantity"] == 3
    assert offer["items"][0]["item"]["item_id"] == first["items"][0]["item"]["item_id"]
    orders = (await started.ask("确认", **who))["orders"]
    assert [order["quantity"] for order in orders] == [3]


@pytest.mark.parametrize("order_id", ["a" * 33, "a" * 64, "SV1", "-", "_"])
async def test_an_order_that_cannot_be_is_not_found(started: Whole, order_id: str) -> None:
    for answer in (
        await started.client.get(f"/api/orders/{order_id}", params={"user_id": "nobody"}),
        await started.client.post(f"/api/orders/{order_id}/cancel", params={"user_id": "nobody"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_the_real_agent_tells_what_became_of_an_order_by_its_key(tmp_path: Path) -> None:
    """What a gateway does that was never answered: it looks, and orders nothing."""
    settings = free_settings(tmp_path)
    clock = SystemClock(settings.now)
    async with whole(settings) as running_whole, open_network(settings.agents, clock, 1) as network:
        await running_whole.until("ok")
        offered = await running_whole.ask("订一张明天北京到上海最便宜的高铁票", user_id="lost")
        placed = (await running_whole.ask("确认", user_id="lost"))["orders"][0]
        offer_id = offered["offers"][0]["offer_id"]
        quote = Quote.model_validate(
            {"skill": "order train tickets", "action": "place", "kind": "train", "items": offered["offers"][0]["items"]}
        )
        now = clock.now()
        placing = Placing(network)
        for key, found in ((offer_id, [placed["order_id"]]), ("never-confirmed", [])):
            offer = Offer(key, "lost", "default", "r1", "TicketAssistant", quote, now, now)
            placement = await placing.look_up(offer, new_traceparent())
            assert [order["order_id"] for order in placement.orders] == found
            assert not placement.unknown

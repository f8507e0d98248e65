"""What was confirmed is carried out exactly and once; orders are listed, and found again to be cancelled."""

import asyncio
from typing import Any

import pytest
import pytest_asyncio

from a2a_servers.ticket_agent import SPEC
from tests.a2a_servers.rows import concert_row, order_row, train_row
from tests.a2a_servers.shop import CHANGED, Shop, shop_on
from tests.a2a_servers.tool_server import CRASH_TEXT
from tests.a2a_servers.world import World, agent_beside
from tests.support.whole import free_port

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

CONFIRMED = {"smartvoyage": {"user_id": "u1", "offer_id": "o-1", "idempotency_key": "o-1:1"}}
TICKET = {"item_id": "t-1", "quantity": 2, "expected_price": "553.00"}
TRAIN, CONCERT = "SV100000000000000001", "SV300000000000000002"


@pytest_asyncio.fixture(loop_scope="module")
async def shop(shop_world: tuple[Shop, World]) -> Shop:
    shop_world[0].open()
    return shop_world[0]


@pytest_asyncio.fixture(loop_scope="module")
async def world(shop_world: tuple[Shop, World]) -> World:
    return shop_world[1]


def train_order(**changes: Any) -> dict[str, Any]:
    return order_row(order_id=TRAIN, **changes)


def concert_order(**changes: Any) -> dict[str, Any]:
    return order_row(
        order_id=CONCERT, kind="concert", item=concert_row(), quantity=1, total_price="480.00", **changes
    )


async def place(world: World, item_id: str = "t-1", metadata: Any = None, words: str = "") -> Any:
    return await world.ask("order train tickets", {**TICKET, "item_id": item_id}, metadata or CONFIRMED, words)


async def cancel(world: World, words: str = "", **slots: Any) -> Any:
    return await world.ask("cancel order", slots, words=words)


async def test_what_was_confirmed_is_placed_exactly(shop: Shop, world: World) -> None:
    answer = await place(world, words="下单：G1 两张，其实要一等座三张")
    name, arguments, meta = shop.server.calls[0]
    assert (name, arguments) == ("order_train_ticket", TICKET)
    inner = meta["smartvoyage"]
    assert (inner["user_id"], inner["offer_id"], inner["idempotency_key"]) == ("u1", "o-1", "o-1:1")
    assert len(shop.server.calls) == 1
    assert answer["status"] == "completed"
    assert answer["data"]["kind"] == "order"
    assert answer["observation"] == (
        "已下单：G1 北京南→上海虹桥，8月17日（周一）07:00，2张，共¥1106，订单号SV100000000000000001。"
    )


async def test_a_confirmed_cancellation_is_told_from_the_row(shop: Shop, world: World) -> None:
    answer = await world.ask("cancel order", {"order_id": TRAIN}, CONFIRMED)
    assert shop.server.calls[0][:2] == ("cancel_order", {"order_id": TRAIN})
    assert answer["observation"].startswith("已取消：G1 北京南→上海虹桥")


async def test_a_refused_order_is_told_in_the_tools_words(shop: Shop, world: World) -> None:
    answer = await place(world, "changed")
    assert (answer["status"], answer["observation"]) == ("failed", CHANGED)


@pytest.mark.parametrize("item_id", ["slow", "crash", "void"])
async def test_an_order_without_an_answer_is_not_said_to_have_failed_and_not_sent_again(
    shop: Shop, world: World, item_id: str
) -> None:
    metadata = {"smartvoyage": {**CONFIRMED["smartvoyage"], "remaining_ms": 400}}
    answer = await place(world, item_id, metadata)
    shop.server.released.set()
    assert answer["status"] == "failed"
    assert answer["observation"].startswith("这一单的结果暂时没有收到，请稍后查看“我的订单”")
    assert CRASH_TEXT not in str(answer)
    assert len(shop.server.calls) == 1


async def test_without_time_an_order_is_not_begun(shop: Shop, world: World) -> None:
    answer = await place(world, metadata={"smartvoyage": {**CONFIRMED["smartvoyage"], "remaining_ms": 0}})
    assert "什么都没有办理" in answer["observation"]
    assert not shop.server.calls


async def test_an_incomplete_confirmation_places_nothing(shop: Shop, world: World) -> None:
    answer = await world.ask("order train tickets", {"item_id": "t-1"}, CONFIRMED, "两张，¥553")
    assert (answer["status"], answer["observation"]) == ("failed", "确认的内容不完整，没有办理，请重新选择后再确认。")
    assert not shop.server.calls


async def test_the_same_confirmation_twice_carries_the_same_key(shop: Shop, world: World) -> None:
    await asyncio.gather(place(world), place(world))
    keys = {meta["smartvoyage"]["idempotency_key"] for _, _, meta in shop.server.calls}
    assert keys == {"o-1:1"}


async def test_orders_are_listed_with_all_that_matters(shop: Shop, world: World) -> None:
    shop.open(orders=[train_order(), concert_order(status="cancelled")])
    answer = await world.ask("query orders", {})
    assert answer["data"]["kind"] == "order"
    assert answer["observation"].split("\n") == [
        "您有2笔订单：",
        f"1. G1 北京南→上海虹桥，8月17日（周一）07:00，2张，共¥1106，已预订，订单号{TRAIN}",
        f"2. 五月天演唱会 看台，8月22日（周六）19:30，1张，共¥480，已取消，订单号{CONCERT}",
        "想取消哪一笔，告诉我订单号或车次、日期这样的内容就行。",
    ]


async def test_page_and_order_number_reach_the_tool(shop: Shop, world: World) -> None:
    await world.ask("query orders", {"limit": 5, "before": "2026|x"})
    await world.ask("query orders", {"order_id": TRAIN})
    said = [arguments for _, arguments, _ in shop.server.calls]
    assert (said[0]["limit"], said[0]["before"]) == (5, "2026|x")
    assert said[1]["order_id"] == TRAIN


@pytest.mark.parametrize(("slots", "words", "said"), [
    ({}, "", "没有查到您的火车票、机票或演唱会门票订单。"),
    ({}, "查一下我的机票订单", "没有查到您的机票订单。"),
    ({"order_id": TRAIN}, "", f"没有找到订单号为{TRAIN}的订单，请核对一下。"),
    ({"before": "x"}, "", "没有更早的火车票、机票或演唱会门票订单了。"),
    ({"status": "cancelled"}, "", "没有查到符合条件的火车票、机票或演唱会门票订单。"),
])
async def test_no_orders_are_said_kindly(
    shop: Shop, world: World, slots: dict[str, Any], words: str, said: str
) -> None:
    answer = await world.ask("query orders", slots, words=words)
    assert (answer["status"], answer["observation"]) == ("completed", said)
    assert answer["data"]["rows"] == []


async def test_orders_of_anothers_kinds_are_not_asked_for(shop: Shop, world: World) -> None:
    answer = await world.ask("query orders", {}, words="我的保险订单")
    assert answer["data"] == {"kind": "order", "rows": [], "more": 0, "origin": None}
    assert not shop.server.calls


async def test_the_only_order_is_quoted_for_cancellation(shop: Shop, world: World) -> None:
    shop.open(orders=[train_order(), concert_order(status="cancelled")])
    answer = await cancel(world, "取消订单")
    assert answer["status"] == "input_required"
    quote = answer["quotes"][0]
    assert (quote["skill"], quote["action"], quote["kind"]) == ("cancel order", "cancel", "train")
    assert quote["items"] == [{
        "item": {**train_row(), "order_id": TRAIN}, "quantity": 2, "unit_price": "553.00",
    }]
    assert answer["observation"].startswith("找到这笔订单：G1 北京南→上海虹桥，8月17日（周一）07:00，2张，共¥1106")
    assert shop.server.called_names() == ["query_orders"]
    assert shop.server.calls[0][1]["status"] == "confirmed"


@pytest.mark.parametrize(("slots", "words", "meant"), [
    ({}, "退掉演唱会的票", CONCERT),
    ({"train_no": "G1"}, "", TRAIN),
    ({"date": "2026-08-22"}, "", CONCERT),
    ({}, f"把{TRAIN}退了", TRAIN),
    ({"order_id": CONCERT}, "取消火车票", CONCERT),
    ({"kind": "train"}, "", TRAIN),
])
async def test_an_order_is_found_by_what_was_said(
    shop: Shop, world: World, slots: dict[str, Any], words: str, meant: str
) -> None:
    shop.open(orders=[train_order(), concert_order()])
    answer = await cancel(world, words, **slots)
    assert answer["quotes"][0]["items"][0]["item"]["order_id"] == meant


async def test_a_plain_text_names_the_kind_of_order(shop: Shop, world: World) -> None:
    shop.open(orders=[train_order(), concert_order()])
    answer = await world.say("取消我的火车票订单")
    assert answer["quotes"][0]["items"][0]["item"]["order_id"] == TRAIN


async def test_several_orders_are_listed_and_asked_about(shop: Shop, world: World) -> None:
    shop.open(orders=[train_order(), concert_order()])
    answer = await cancel(world, "取消订单")
    assert (answer["status"], answer["quotes"]) == ("input_required", [])
    assert answer["observation"].startswith("有2笔订单可以取消：\n1. G1")
    assert answer["observation"].endswith("请问取消哪一笔？")
    assert len(answer["data"]["rows"]) == 2


@pytest.mark.parametrize(("slots", "words", "said"), [
    ({}, "取消订单", "您目前没有可以取消的订单。"),
    ({}, "退机票", "您目前没有可以取消的机票订单。"),
    ({"train_no": "G9"}, "", "您目前没有符合条件的可以取消的订单。"),
    ({"order_id": CONCERT}, "", f"没有找到订单号为{CONCERT}的订单，请核对一下。"),
])
async def test_no_order_to_cancel_is_said_clearly(
    shop: Shop, world: World, slots: dict[str, Any], words: str, said: str
) -> None:
    shop.open(orders=[train_order()] if slots.get("train_no") else [])
    answer = await cancel(world, words, **slots)
    assert (answer["status"], answer["observation"]) == ("completed", said)
    assert answer["data"] == {"kind": "order", "rows": [], "more": 0, "origin": None}


async def test_an_order_already_cancelled_is_said_to_be(shop: Shop, world: World) -> None:
    shop.open(orders=[train_order(status="cancelled")])
    answer = await cancel(world, order_id=TRAIN)
    assert (answer["status"], answer["quotes"]) == ("completed", [])
    assert "之前已经取消了" in answer["observation"]


async def test_a_kind_of_another_agent_is_not_looked_for(shop: Shop, world: World) -> None:
    answer = await cancel(world, "取消我的保险")
    assert answer["observation"] == "您目前没有可以取消的旅行保险订单。"
    assert not shop.server.calls


@pytest.mark.parametrize(("item_id", "code"), [("changed", "refused"), ("slow", "unknown"), ("crash", "unknown")])
async def test_a_failed_order_says_in_a_code_what_is_known_of_it(
    shop: Shop, world: World, item_id: str, code: str
) -> None:
    answer = await place(world, item_id, {"smartvoyage": {**CONFIRMED["smartvoyage"], "remaining_ms": 400}})
    shop.server.released.set()
    assert (answer["status"], answer["code"]) == ("failed", code)


async def test_an_order_that_never_left_is_said_not_to_have_been_sent() -> None:
    shop = shop_on(free_port())
    async with agent_beside(shop.server, SPEC) as beside:
        async with shop.server.running():
            await beside.until_tools_are(True)
        answer = await place(beside)
        await beside.until_tools_are(False)
        again = await place(beside, metadata={"smartvoyage": {**CONFIRMED["smartvoyage"], "remaining_ms": 400}})
    assert [answer["code"], again["code"]] == ["unavailable"] * 2
    assert "什么都没有办理" in answer["observation"]
    assert shop.server.called_names() == []

"""Orders, changes of mind and answers in part, over HTTP: what people say next always finds what it means."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio

from tests.support.whole import Whole, free_settings, whole

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]


@dataclass(frozen=True)
class Said:
    """What a turn must come to; `slots` must match those of the first task."""

    text: str
    status: str
    says: str
    slots: dict[str, Any] = field(default_factory=dict)


TRAINS = [
    Said("后天上海到杭州的高铁", "answered", "想订哪一趟"),
    Said("第一个", "confirmation_required", "需要为您下单吗"),
    Said("还是第三个吧", "confirmation_required", "需要为您下单吗", {"quantity": 1}),
    Said("就这趟吧", "answered", "已下单"),
    Said("订一张明天北京到上海最便宜的机票", "confirmation_required", "需要为您下单吗"),
    Said("确认", "answered", "已下单"),
    Said("我的订单", "answered", "您有2笔订单"),
    Said("取消订单", "follow_up", "请问取消哪一笔"),
    Said("第二笔", "confirmation_required", "确认取消吗"),
    Said("算了", "answered", "不办了"),
    Said("取消第二个", "confirmation_required", "确认取消吗"),
    Said("好的", "answered", "已取消"),
    Said("改签", "follow_up", "不能直接改签"),
    Said("昨天上海到杭州的高铁和明天上海天气", "partial", "火车票：昨天已经过去了"),
    Said("算了", "answered", "先不查了"),
    Said("谢谢", "out_of_scope", "不客气"),
]
ANSWERS = [
    Said("明天去上海的高铁", "follow_up", "从哪个城市出发"),
    Said("我住杭州", "answered", "常住城市杭州", {"from_city": "杭州", "to_city": "上海", "date": "2026-08-17"}),
    Said("查明天火星的天气，再看看北京到上海的高铁", "partial", "没有找到“火星”"),
    Said("上海", "answered", "上海8月17日", {"city": "上海", "date": "2026-08-17"}),
    Said("海南天气", "follow_up", "海口、三亚"),
    Said("三亚", "answered", "三亚", {"city": "三亚"}),
    Said("买份去三亚的保险", "follow_up", "请问预订哪一个"),
    Said("再见", "out_of_scope", "一路顺风"),
    Said("第二个", "confirmation_required", "需要为您下单吗"),
    Said("算了", "answered", "不办了"),
    Said("确认", "answered", "没有下单"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    async with whole(free_settings(tmp_path_factory.mktemp("data"))) as running_whole:
        await running_whole.until("ok")
        yield running_whole


@pytest.mark.parametrize("talk", [TRAINS, ANSWERS], ids=["orders", "answers"])
async def test_each_turn_finds_what_it_means(started: Whole, talk: list[Said]) -> None:
    user = f"user-{len(talk)}"
    for turn in talk:
        body = await started.ask(turn.text, user_id=user, session_id="s")
        assert (body["status"], turn.says in body["reply"]) == (turn.status, True), (turn.text, body["reply"])
        if turn.slots:
            assert body["tasks"][0]["slots"].items() >= turn.slots.items(), turn.text


async def test_the_orders_are_those_that_were_confirmed(started: Whole) -> None:
    listed = await started.client.get("/api/orders", params={"user_id": f"user-{len(TRAINS)}"})
    standing = [(order["kind"], order["status"]) for order in listed.json()["orders"]]
    assert standing == [("flight", "confirmed"), ("train", "cancelled")]
    nothing = await started.client.get("/api/orders", params={"user_id": f"user-{len(ANSWERS)}"})
    assert nothing.json()["orders"] == []

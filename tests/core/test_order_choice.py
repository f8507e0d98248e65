"""取消哪一笔: whatever way the order is chosen, it is the one to cancel."""

from datetime import datetime

import pytest

from core.language import read
from core.language.frames import Frame, ReadContext
from core.language.slots import Slots
from core.reasoning.order_choice import of_orders
from core.shared.clock import SHANGHAI
from core.shared.json_types import JsonObject
from core.types.memory import PastTask, TaskContext

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))


def order(order_id: str, kind: str, **item: str) -> JsonObject:
    return {"order_id": order_id, "kind": kind, "status": "confirmed", "item": {**item}}


SHOWN = (
    order("SV1", "flight", flight_no="CA1101", from_city="北京", to_city="上海", date="2026-08-17"),
    order("SV2", "train", train_no="G7501", from_city="上海", to_city="杭州", date="2026-08-18"),
)
WHICH = TaskContext((PastTask("cancel order", Slots(action="cancel")),), True, SHOWN, "order")
LISTED = TaskContext((PastTask("query orders", Slots()),), False, SHOWN, "order")
PLACED = TaskContext((PastTask("order train tickets", Slots()),), False, SHOWN[1:], "order")
CHANGE = TaskContext((PastTask("query orders", Slots(order_id="SV2", action="change")),), True, SHOWN, "order")


def only(said: str, context: TaskContext) -> Frame:
    known = ReadContext((), context.tasks, context.asked, context.shown, context.shown_kind)
    frames = of_orders(read(said, NOW, known), context).frames
    assert len(frames) == 1, frames
    return frames[0]


@pytest.mark.parametrize(
    ("said", "context", "order_id"),
    [
        ("第一个", WHICH, "SV1"),
        ("第二笔", WHICH, "SV2"),
        ("第2单吧", WHICH, "SV2"),
        ("2", WHICH, "SV2"),
        ("取消第一个", WHICH, "SV1"),
        ("最后一个", WHICH, "SV2"),
        ("G7501", WHICH, "SV2"),
        ("取消第一个", LISTED, "SV1"),
        ("第二个退了", LISTED, "SV2"),
        ("取消火车票", LISTED, "SV2"),
        ("退了吧", PLACED, "SV2"),
        ("刚才那单取消吧", PLACED, "SV2"),
        ("好的", CHANGE, "SV2"),
        ("可以", CHANGE, "SV2"),
    ],
)
def test_the_order_that_is_meant_is_to_be_cancelled(said: str, context: TaskContext, order_id: str) -> None:
    frame = only(said, context)
    assert (frame.intent, frame.slots.order_id, frame.slots.action, frame.troubles) == (
        "cancel order", order_id, "cancel", (),
    )


@pytest.mark.parametrize("said", ["第五个", "9", "第三笔"])
def test_an_order_that_was_not_listed_is_asked_about(said: str) -> None:
    frame = only(said, WHICH)
    assert (frame.intent, [trouble.kind for trouble in frame.troubles]) == ("cancel order", ["no_such_item"])


def test_without_our_question_a_choice_only_looks() -> None:
    assert only("第二个", LISTED).intent == "query orders"


@pytest.mark.parametrize("context", [PLACED, LISTED])
def test_a_change_is_a_trouble_that_names_what_can_be_done(context: TaskContext) -> None:
    frame = only("第一个改签到20号", context)
    assert [trouble.kind for trouble in frame.troubles] == ["unsupported"]

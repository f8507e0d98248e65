"""What a turn leaves for the next to lean on."""

from dataclasses import replace
from datetime import datetime, timedelta

from core.language.slots import Slots, slots_from_json
from core.memory.context import next_context, with_new_preferences
from core.shared.clock import SHANGHAI
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Quote, QuoteItem, ResultData
from core.types.memory import PastTask, TaskContext
from core.types.orders import Offer
from core.types.plan import AgentQuote, Step, StepResult, StepStatus
from core.types.turn import Answer, ReplyStatus
from core.types.understanding import Task, Understanding

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
TRAIN, CANCEL, WEATHER = "query train tickets", "cancel order", "query weather"


def train(number: int) -> JsonObject:
    return {"item_id": f"i{number}", "train_no": f"G{number}", "date": "2026-08-17", "depart_at": f"0{number}:00"}


def order(number: int) -> JsonObject:
    return {"order_id": f"SV{number}", "kind": "train", "status": "confirmed", "item": train(number)}


def result(intent: str, kind: str, rows: list[JsonObject], status: StepStatus = "ok", task: str = "t1") -> StepResult:
    step = Step(1, task, intent, "查", "查", Slots())
    return StepResult(step, status, 1, data=ResultData(kind=kind, rows=rows))


def understood(*intents: str, waiting: tuple[str, ...] = ()) -> Understanding:
    tasks = tuple(Task(f"t{n}", intent, "查", Slots()) for n, intent in enumerate(intents, 1))
    return Understanding("tasks", tasks, waiting=waiting, asking="？" if waiting else "")


def answer(status: ReplyStatus, of: Understanding, *results: StepResult) -> Answer:
    return Answer("", status, of, results)


def offer(action: str, item: JsonObject) -> Offer:
    quote = Quote.model_validate(
        {"skill": "s", "action": action, "kind": "train", "items": [QuoteItem(item=item, unit_price="1.00")]}
    )
    return Offer("o1", "u1", "s1", "r1", "agent", quote, NOW, NOW + timedelta(minutes=10))


LISTED = TaskContext((PastTask(TRAIN, Slots()),), shown=(train(1), train(2), train(3)), shown_kind="train")
ORDERS = TaskContext((PastTask("query orders", Slots()),), shown=(order(1), order(2)), shown_kind="order")


def test_after_placing_and_cancelling_the_orders_are_before_the_person() -> None:
    said = Answer("", "answered", understood("order train tickets"), orders=(order(7),))
    context = next_context(LISTED, said)
    assert (context.shown_kind, context.shown) == ("order", (order(7),))


def test_a_list_of_orders_is_shown_as_orders() -> None:
    context = next_context(LISTED, answer("answered", understood("query orders"),
                                          result("query orders", "order", [order(1), order(2)])))
    assert (context.shown_kind, len(context.shown)) == ("order", 2)


def test_a_question_about_orders_stands_and_the_orders_are_shown() -> None:
    asking = result(CANCEL, "order", [order(1), order(2)], "input_required")
    context = next_context(LISTED, answer("follow_up", understood(CANCEL), asking))
    assert (context.asked, context.shown_kind) == (True, "order")
    assert [task.intent for task in context.tasks] == [CANCEL]


def test_an_offer_to_cancel_leaves_the_list_it_was_chosen_from() -> None:
    chosen = result(CANCEL, "order", [order(2)], "input_required")
    said = Answer("", "confirmation_required", understood(CANCEL), (chosen,),
                  offers=(offer("cancel", {**train(2), "order_id": "SV2"}),))
    assert next_context(ORDERS, said).shown == ORDERS.shown
    alone = next_context(LISTED, said)
    assert (alone.shown_kind, alone.shown) == ("order", (order(2),))


def test_an_offer_from_a_list_leaves_the_list_and_any_other_takes_its_place() -> None:
    of = understood("order train tickets")
    other_class = {**train(2), "item_id": "another class"}
    kept = next_context(LISTED, Answer("", "confirmation_required", of, offers=(offer("place", other_class),)))
    assert kept.shown == LISTED.shown
    new = next_context(LISTED, Answer("", "confirmation_required", of, offers=(offer("place", train(9)),)))
    assert new.shown == (train(9),)


def test_a_quote_is_no_question() -> None:
    quote = Quote.model_validate({"skill": "s", "action": "place", "kind": "train",
                                  "items": [QuoteItem(item=train(1), unit_price="1.00")]})
    step = Step(1, "t1", "order train tickets", "订", "订", Slots())
    quoted = StepResult(step, "input_required", 1, quotes=(AgentQuote("a", quote),))
    assert not next_context(LISTED, answer("confirmation_required", understood(TRAIN), quoted)).asked


def test_only_what_waits_is_asked_about() -> None:
    said = answer("partial", understood(TRAIN, WEATHER, waiting=("t1",)), result(WEATHER, "weather", [{}], task="t2"))
    context = next_context(TaskContext(), said)
    assert (context.asked, [task.intent for task in context.tasks]) == (True, [TRAIN])


def test_a_withdrawal_forgets_the_wish_and_keeps_what_is_shown() -> None:
    asked = TaskContext(LISTED.tasks, True, LISTED.shown, "train")
    context = next_context(asked, answer("answered", Understanding("withdrawn", message="好的")))
    assert context == TaskContext(shown=LISTED.shown, shown_kind="train")


def test_small_talk_leaves_a_question_standing() -> None:
    asked = TaskContext(LISTED.tasks, True, LISTED.shown, "train")
    assert next_context(asked, answer("out_of_scope", Understanding("out_of_scope", message="不客气"))) == asked


def test_of_a_journey_there_and_back_both_lists_are_before_the_person() -> None:
    way: JsonObject = {"from_city": "北京", "to_city": "上海"}
    back: JsonObject = {"from_city": "上海", "to_city": "北京"}
    there, again = slots_from_json(way), slots_from_json(back)
    out = replace(result(TRAIN, "train", [{**train(1), **way}]), step=Step(1, "t1", TRAIN, "查", "查", there))
    sold_out: JsonObject = {**train(2), **back, "seat_class": "二等座", "remaining": 0}
    left: JsonObject = {**train(2), **back, "seat_class": "一等座", "remaining": 3}
    home = replace(
        result(TRAIN, "train", [sold_out, left], task="t2"), step=Step(2, "t2", TRAIN, "查", "查", again)
    )
    context = next_context(TaskContext(), answer("answered", understood(TRAIN, TRAIN), out, home))
    assert [row.get("from_city") for row in context.shown] == ["北京", "上海"]
    assert context.shown[1]["seat_class"] == "一等座"  # what is sold out is no row to choose


def test_a_preference_that_is_told_takes_the_place_of_what_was_carried() -> None:
    before = TaskContext((PastTask(TRAIN, Slots(to_city="上海", seat_class="二等座")),))
    assert with_new_preferences(before, {"seat_class": "一等座"}).tasks[0].slots == Slots(to_city="上海")
    assert with_new_preferences(before, {"name": "小王"}) == before

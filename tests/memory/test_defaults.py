"""The profile fills what a wish leaves open, and never more."""

import pytest

from core.language.slots import Slots
from core.memory.defaults import with_profile
from core.types.memory import Profile
from core.types.understanding import Task

TRAIN, FLIGHT = "query train tickets", "query flight tickets"
PROFILE: Profile = {
    "seat_class": "二等座", "seat_pref": "靠窗", "cabin": "经济舱", "train_type": "G", "home_city": "苏州",
    "airline": "国航",
}


def task(intent: str, slots: Slots) -> Task:
    return Task("t1", intent, "问", slots)


def filled(intent: str, slots: Slots, profile: Profile = PROFILE) -> Slots:
    return with_profile((task(intent, slots),), profile)[0][0].slots


def test_open_slots_are_filled_and_named() -> None:
    wish = task(TRAIN, Slots(to_city="上海"))
    tasks, note = with_profile((wish, task(FLIGHT, Slots(from_city="北京", to_city="广州"))), PROFILE)
    assert tasks[0].slots == Slots(from_city="苏州", to_city="上海", train_type="G", seat_class="二等座")
    assert tasks[1].slots == Slots(from_city="北京", to_city="广州", airline="中国国航", cabin="经济舱")
    assert note == "已按您的偏好筛选：从苏州出发、高铁、二等座、中国国航、经济舱"
    assert wish.slots == Slots(to_city="上海")


def test_nothing_is_said_where_nothing_was_applied() -> None:
    tasks = (task("query weather", Slots(city="上海")), task("query concert tickets", Slots(city="上海")))
    assert with_profile(tasks, PROFILE) == (tasks, "")
    assert with_profile(tasks, {}) == (tasks, "")


def test_what_was_said_is_never_overridden() -> None:
    said = Slots(from_city="北京", to_city="上海", seat_class="一等座", train_type="D")
    assert filled(TRAIN, said) == said
    assert filled(FLIGHT, Slots(cabin="头等舱", airline="东方航空")) == Slots(cabin="头等舱", airline="东方航空")


LEFT_OPEN = {
    "what was excluded": (Slots(exclude={"seat_class": ("二等座",), "train_type": ("G",)}), "seat_class"),
    "a type beside a berth": (Slots(seat_class="硬卧"), "train_type"),
    "a fast seat on a slow train": (Slots(train_type="K"), "seat_class"),
    "a fast seat on a train named by number": (Slots(train_no="K101"), "seat_class"),
    "a type beside a number": (Slots(train_no="D301"), "train_type"),
    "a start without a destination": (Slots(city="上海"), "from_city"),
    "a start that is the destination": (Slots(to_city="苏州"), "from_city"),
    "a start beside a station": (Slots(from_station="虹桥", to_city="北京"), "from_city"),
    "anything of a chosen item": (Slots(item_id="i1"), "seat_class"),
}


@pytest.mark.parametrize(("slots", "slot"), LEFT_OPEN.values(), ids=LEFT_OPEN.keys())
def test_what_cannot_go_together_stays_open(slots: Slots, slot: str) -> None:
    assert getattr(filled(TRAIN, slots), slot) is None


def test_a_train_of_the_preferred_type_gets_the_preferred_seat() -> None:
    assert filled(TRAIN, Slots(train_no="G1")).seat_class == "二等座"


def test_a_place_in_the_carriage_counts_for_orders_only() -> None:
    assert filled(TRAIN, Slots()).seat_pref is None
    assert filled("order train tickets", Slots()).seat_pref == "靠窗"
    assert filled("order flight tickets", Slots(), {"seat_pref": "下铺"}).seat_pref is None
    assert filled("order train tickets", Slots(seat_class="硬卧"), {"seat_pref": "下铺"}).seat_pref == "下铺"


@pytest.mark.parametrize("value", ["舒服的", 2, True, ["二等座"], "", "经济舱"])
def test_what_is_no_value_of_the_slot_is_no_filter(value: str | int | bool | list[str]) -> None:
    tasks = (task(TRAIN, Slots(to_city="上海")),)
    assert with_profile(tasks, {"seat_class": value, "home_city": value, "train_type": value}) == (tasks, "")


def test_other_spellings_are_understood() -> None:
    profile: Profile = {"train_type": "高铁", "seat_class": "一等", "home_city": "苏州市"}
    assert filled(TRAIN, Slots(to_city="上海"), profile) == Slots(
        from_city="苏州", to_city="上海", train_type="G", seat_class="一等座"
    )

"""What the words name is chosen among the rows, and no remark claims that nothing was named."""

import pytest

from a2a_servers.choosing import Chosen, choose
from a2a_servers.counting import with_numbers, with_travellers
from a2a_servers.naming import named_in
from a2a_servers.tools import Tool
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData
from tests.a2a_servers.rows import car_row, concert_row, insurance_row, train_row

AREAS = [
    concert_row(item_id=area, area=area, price=price)
    for area, price in (("内场VIP", "1855"), ("内场A区", "1480"), ("看台一层", "900"), ("看台三层", "400"))
]
CARS = [
    car_row(item_id=model, brand=brand, model=model)
    for brand, model in (("比亚迪", "海鸥"), ("比亚迪", "秦PLUS"), ("大众", "朗逸"), ("坦克", "300"))
]
POLICIES = [insurance_row(item_id=name, name=name) for name in ("航空意外险", "航班延误险", "安心游境内旅行保险")]
CLASSES = [train_row(item_id=seat, seat_class=seat) for seat in ("二等座", "一等座")]
CAR_TOOL = Tool(
    "q", "query car rental", "car_rental", "", parameters=frozenset({"seats", "day_price_max", "price_max"})
)


@pytest.mark.parametrize(("kind", "rows", "words", "meant"), [
    ("concert", AREAS, "订两张五月天成都12月4号内场A区的票", ["内场A区"]),
    ("concert", AREAS, "要内场的", ["内场VIP", "内场A区"]),
    ("concert", AREAS, "不要看台，要VIP", ["内场VIP"]),
    ("concert", AREAS, "订两张五月天的演唱会门票", None),
    ("car_rental", CARS, "预订明天成都的比亚迪秦PLUS一辆", ["秦PLUS"]),
    ("car_rental", CARS, "订辆比亚迪", ["海鸥", "秦PLUS"]),
    ("car_rental", CARS, "订一辆车，不超过300元", None),
    ("insurance", POLICIES, "我要买航空意外险2份", ["航空意外险"]),
    ("insurance", POLICIES, "买一份旅游意外险", None),
    ("train", CLASSES, "一张二等座一张一等座", ["二等座", "一等座"]),
    ("train", CLASSES, "订一张高铁票", None),
])
def test_rows_are_named_by_the_words(kind: str, rows: list[JsonObject], words: str, meant: list[str] | None) -> None:
    named = named_in(words, {}, kind, rows)
    assert (named and [row["item_id"] for row in named.of(rows)]) == meant


def test_two_classes_of_one_train_are_two_things() -> None:
    named = named_in("一张二等座一张一等座", {}, "train", CLASSES)
    assert named is not None
    assert named.several_classes


def test_no_remark_says_that_an_area_was_not_named_when_it_was() -> None:
    found = ResultData(kind="concert", rows=AREAS[:2])
    choice = choose(found, {}, 2, sorted_by_wish=False, named="内场")
    assert isinstance(choice, Chosen)
    assert choice.remark == "“内场”有2种区域可选，先按最便宜的内场A区报价。"


def test_a_class_that_no_row_has_is_said_to_be_missing() -> None:
    choice = choose(ResultData(kind="train", rows=CLASSES), {"seat_class": "特等座"}, 1, sorted_by_wish=False)
    assert isinstance(choice, Chosen)
    assert choice.remark.startswith("没有查到“特等座”，先按最便宜的")


@pytest.mark.parametrize(("words", "slots", "found"), [
    ("明天在成都租一辆七座车三天", {}, {"seats": 7}),
    ("订一张二等座", {}, {}),
    ("租车三天，每天不超过150", {"price_max": "150.00"}, {"price_max": None, "day_price_max": "150.00"}),
    ("租车三天，150元一天以内", {"price_max": "150.00"}, {"price_max": None, "day_price_max": "150.00"}),
    ("租车三天，不超过450", {"price_max": "450.00"}, {"price_max": "450.00"}),
])
def test_numbers_that_no_slot_holds_are_read(words: str, slots: JsonObject, found: JsonObject) -> None:
    assert with_numbers(CAR_TOOL, words, slots) == found


@pytest.mark.parametrize("words", ["两张大人一张儿童", "2个成人，1个小孩", "大人两张，儿童一张"])
def test_grown_ups_and_children_are_counted_together(words: str) -> None:
    assert with_travellers("train", words, {"quantity": 1}) == {"adults": 2, "children": 1}
    assert with_travellers("train", "两张大人", {"quantity": 2}) == {"quantity": 2}

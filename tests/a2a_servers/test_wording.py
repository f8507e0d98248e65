"""What people read without a model, kind by kind."""

import pytest

from a2a_servers.goods import GOODS
from a2a_servers.spec import AgentSpec
from a2a_servers.ticket_agent import SPEC as TICKET
from a2a_servers.trip_agent import SPEC as TRIP
from a2a_servers.weather_agent import SPEC as WEATHER
from a2a_servers.wording.items import described
from core.shared.json_types import JsonObject, JsonValue
from core.types.agent_protocol import ResultData
from tests.a2a_servers.rows import (
    car_row,
    concert_row,
    flight_row,
    insurance_row,
    order_row,
    tour_row,
    train_row,
    weather_row,
)

SPEC = AgentSpec("Words", "", {**TRIP.templates, **TICKET.templates, **WEATHER.templates})
KINDS = [*SPEC.templates, "hotel"]
ROUTE: JsonObject = {"from_city": "北京", "to_city": "上海", "date": "2026-08-17"}


def words(
    kind: str, rows: list[JsonObject], query: JsonObject = ROUTE, *, brief: bool = False, more: int = 0,
    origin: str | None = "demo",
) -> str:
    return SPEC.word(kind, ResultData(kind=kind, rows=rows, more=more, origin=origin), query, brief)


def trains(count: int, **changes: JsonValue) -> list[JsonObject]:
    return [
        train_row(train_no=f"G{n}", depart_at=f"2026-08-17T{6 + n:02}:00:00+08:00", seat_class=seat, **changes)
        for n in range(1, count + 1) for seat in ("二等座", "一等座")
    ]


def evenings(count: int, **changes: JsonValue) -> list[JsonObject]:
    return [
        concert_row(date=f"2026-08-{20 + n}", starts_at=f"2026-08-{20 + n}T19:30:00+08:00", area=area, price=price,
                    **changes)
        for n in range(1, count + 1) for area, price in (("内场", "1280.00"), ("看台", "480.00"))
    ]


SKIES: list[dict[str, JsonValue]] = [
    {},
    {"condition_day": "晴", "condition_night": "晴", "precip_mm": 0},
    {"condition_day": "小雪", "condition_night": "阴", "temp_max_c": -2, "temp_min_c": -15},
    {"condition_day": "霾", "condition_night": "霾", "temp_max_c": 8, "temp_min_c": 1, "precip_mm": 0},
    {"temp_max_c": 36, "temp_min_c": 22, "wind": "南风2级"},
    {"city": "呼和浩特", "condition_day": "雷阵雨", "condition_night": "多云", "precip_mm": 12.3},
]


@pytest.mark.parametrize("sky", SKIES)
@pytest.mark.parametrize("origin", ["demo", "collected"])
def test_one_day_of_weather_takes_100_to_150_characters(sky: dict[str, JsonValue], origin: str) -> None:
    assert 100 <= len(words("weather", [weather_row(**sky)], origin=origin)) <= 150


def test_weather_names_everything_a_forecaster_names() -> None:
    said = words("weather", [weather_row()])
    for part in ("上海", "8月17日", "周一", "24～31℃", "多云", "小雨", "78%", "东南风3级", "6.5毫米", "演示数据"):
        assert part in said


def test_collected_weather_is_not_called_demo_data() -> None:
    assert "演示数据" not in words("weather", [weather_row()], origin="collected")


def test_several_days_of_weather_have_a_line_each() -> None:
    said = words("weather", [weather_row(date=f"2026-08-{day}") for day in range(17, 27)])
    assert said.count("\n· ") == 7
    assert "还有3天" in said


def test_the_brief_weather_is_one_short_line() -> None:
    said = words("weather", [weather_row()], brief=True)
    assert said == "上海8月17日多云转小雨，24～31℃，降水6.5毫米（演示数据）。"


def test_the_brief_weather_of_several_days_names_the_city_once() -> None:
    said = words("weather", [weather_row(date=f"2026-08-{day}") for day in range(17, 22)], brief=True)
    assert said.count("上海") == 1
    assert said.endswith("（另有3天，演示数据）。")


def test_the_classes_of_one_train_stand_on_one_line() -> None:
    rows = [train_row(), train_row(seat_class="一等座", price="933.50", remaining=5)]
    said = words("train", rows)
    assert "1. G1 北京南 07:00 → 上海虹桥 11:29，4小时29分，二等座¥553 余12张 / 一等座¥933.5 余5张" in said
    assert "共1趟" in said
    assert "再帮您筛选" in said


def test_four_trains_are_shown_and_all_are_counted() -> None:
    said = words("train", trains(9))
    assert "共9趟" in said
    assert "4. G4" in said
    assert "5. G5" not in said


def test_rows_that_were_cut_are_counted_too() -> None:
    assert "不同车次和席别共43个选择" in words("train", trains(10), more=23)


def test_sold_out_trains_come_last_and_are_called_so() -> None:
    said = words("train", [train_row(remaining=0), train_row(train_no="G9", depart_at="2026-08-17T09:00:00+08:00")])
    assert said.index("G9") < said.index("G1 ")
    assert "已售完" in said


def test_the_brief_form_shows_the_cheapest_class_of_two_departures() -> None:
    said = words("train", trains(9), brief=True)
    assert "G1 07:00—11:29 二等座¥553 余12张" in said
    assert "G3" not in said
    assert len(said) <= 100
    assert "\n" not in said


def test_a_flight_that_lands_after_midnight_says_so() -> None:
    said = words("flight", [flight_row()])
    assert "东方航空 MU5101 首都国际机场T2 22:30 → 虹桥国际机场T2 00:50（+1天）" in said
    assert "经济舱¥880 余5张" in said


def test_nothing_found_names_the_route_and_what_to_try() -> None:
    said = words("train", [])
    assert said.startswith("抱歉，没有查到8月17日（周一）北京到上海的火车票。")
    assert "换个日期" in said


def test_departures_of_one_tour_are_joined() -> None:
    rows = [tour_row(date=f"2026-08-{day}") for day in range(17, 22)]
    said = words("tour_group", rows, {"destination": "成都"})
    assert "共1条线路" in said
    assert "¥599/人" in said
    assert "8月17日、8月18日、8月19日等5个日期可选" in said


def test_a_tours_length_is_said_once() -> None:
    assert "二日游，" in words("tour_group", [tour_row()])
    assert "熊猫之旅（2天）" in words("tour_group", [tour_row(name="熊猫之旅")])


def test_no_tour_of_that_length_is_said_kindly() -> None:
    assert "成都3天的跟团游" in words("tour_group", [], {"destination": "成都", "days": 3})


def test_rows_of_an_unknown_kind_are_worded_by_what_they_hold() -> None:
    rows: list[JsonObject] = [
        {"item_id": "h1", "title": "外滩云舍", "price": "688.00", "remaining": 3, "city": "上海", "district": "黄浦区"}
    ]
    said = words("hotel", rows, {}, origin=None)
    assert "1. 外滩云舍，¥688，余3份，城市上海，区域黄浦区" in said
    assert "为您找到1条结果：" in said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("row", [{}, {"price": None}, {"date": "soon", "depart_at": 7, "remaining": "many"}])
@pytest.mark.parametrize("brief", [True, False])
def test_strange_rows_are_worded_without_a_crash(kind: str, row: JsonObject, brief: bool) -> None:
    assert words(kind, [row], {}, brief=brief)


@pytest.mark.parametrize("kind", KINDS)
def test_three_brief_results_fit_a_summary(kind: str) -> None:
    rows: dict[str, list[JsonObject]] = {
        "weather": [weather_row(date=f"2026-08-{day}") for day in range(17, 24)], "train": trains(9),
        "flight": [flight_row(flight_no=f"MU51{n:02}") for n in range(9)], "hotel": [{"title": "外滩云舍"}],
        "tour_group": [tour_row(name=f"成都经典线路{n}号") for n in range(9)], "concert": evenings(9),
        "car_rental": [car_row(model=f"帕萨特{n}") for n in range(9)],
        "insurance": [insurance_row(name=f"安心境内旅行险{n}号") for n in range(9)],
        "order": [order_row(order_id=f"SV{n}") for n in range(9)],
    }
    assert len(words(kind, rows[kind], brief=True)) <= 100


def test_the_areas_of_one_evening_stand_on_one_line_cheapest_first() -> None:
    said = words("concert", [*evenings(2), concert_row(date="2026-08-21", starts_at="2026-08-21T19:30:00+08:00",
                                                       area="VIP", price="1880.00", remaining=0)], {"artist": "五月天"})
    assert "上海的五月天演唱会，共2场（演示数据）：" in said
    assert "1. 五月天演唱会 8月21日（周五）19:30，上海体育场，" in said
    assert "看台¥480 余60张 / 内场¥1280 余60张 / VIP¥1880 已售完\n2. " in said
    assert said.endswith("我再帮您筛选。")


def test_an_evening_with_many_areas_shows_four_and_counts_all() -> None:
    said = words("concert", [concert_row(area=f"看台{n}区", price=f"{400 + n}.00") for n in range(7)])
    assert "看台3区¥403 余60张等7个区域" in said
    assert "看台4区" not in said


def test_a_venue_in_another_city_is_named_with_it() -> None:
    assert "广州·天河体育中心" in words("concert", [concert_row(city="广州", venue="天河体育中心")])


def test_concerts_of_several_artists_are_named_each() -> None:
    said = words("concert", [*evenings(1), *evenings(1, artist="周深", city="杭州", venue="奥体中心")], {}, brief=True)
    assert "8月21日上海五月天，看台¥480 余60张；8月21日杭州周深" in said


def test_no_concert_names_what_was_looked_for() -> None:
    said = words("concert", [], {"artist": "五月天", "city": "上海"})
    assert said.startswith("抱歉，没有查到上海的五月天演唱会的门票。")


def test_a_rental_is_priced_as_a_whole_and_by_the_day() -> None:
    said = words("car_rental", [car_row(), car_row(brand="别克", model="别克GL8", seats=7, days=3, remaining=0)], {})
    assert said.startswith("三亚租车，8月17日（周一）起租3天，共2款可选（演示数据）：")
    assert "1. 大众帕萨特，5座，3天共¥750（合每天¥250），余4辆" in said
    assert "2. 别克GL8，7座" in said


def test_a_rental_of_one_day_has_one_price() -> None:
    assert "5座，¥250，余4辆" in words("car_rental", [car_row(days=1, price="250.00")], {})


def test_no_car_says_where_and_for_how_long() -> None:
    said = words("car_rental", [], {"city": "三亚", "date": "2026-08-17", "days": 3})
    assert said.startswith("抱歉，没有查到8月17日（周一）三亚租3天的车。")


def test_insurance_says_what_it_covers_and_shortens_long_lists() -> None:
    said = words("insurance", [insurance_row(), insurance_row(name="乐游险", coverage="境外医疗三十万元，" * 8)], {})
    assert "1. 安心境内旅行险（平安保险），保7天，¥35/份，余500份，保障意外身故伤残50万元" in said
    assert said.count("境外医疗三十万元") == 4
    assert "境外医疗三十万元等" in said


def test_rows_that_were_cut_are_counted_in_every_kind() -> None:
    assert "共20款可选" in words("car_rental", [car_row()] * 5, {}, more=15)
    assert "共20款" in words("insurance", [insurance_row()] * 5, {}, more=15)
    assert "不同场次和区域共20个选择" in words("concert", evenings(3), {}, more=14)
    assert "您有20笔" in words("order", [order_row()] * 5, {}, more=15)


def test_a_later_page_of_orders_does_not_claim_to_be_all() -> None:
    assert words("order", [order_row()], {"before": "x"}).startswith("更早的订单有1笔：")


def test_each_agent_names_its_own_kinds_of_orders() -> None:
    empty = ResultData(kind="order")
    assert TRIP.word("order", empty, {}, False) == "没有查到您的租车、跟团游或旅行保险订单。"
    assert TICKET.word("order", empty, {}, False) == "没有查到您的火车票、机票或演唱会门票订单。"


@pytest.mark.parametrize("kind", GOODS)
@pytest.mark.parametrize("row", [{}, {"price": None}, {"date": "soon", "days": "many", "remaining": "many"}])
def test_strange_items_are_described_without_a_crash(kind: str, row: JsonObject) -> None:
    assert described(kind, row) is not None


@pytest.mark.parametrize("kind", ["concert", "car_rental", "insurance", "order", "tour_group", "train"])
def test_a_full_result_stays_readable(kind: str) -> None:
    rows: dict[str, list[JsonObject]] = {
        "concert": evenings(9), "car_rental": [car_row()] * 9, "insurance": [insurance_row()] * 9,
        "order": [order_row()] * 9, "tour_group": [tour_row(name=f"线路{n}") for n in range(9)], "train": trains(9),
    }
    said = words(kind, rows[kind])
    assert 3 <= sum(line[:1].isdigit() and line[1] == "." for line in said.split("\n")) <= 5
    assert len(said) <= 500


def test_an_operators_rows_among_demo_rows_are_told_apart() -> None:
    rows = trains(3)
    mixed: list[JsonObject] = [{**row, "origin": "demo" if place else "imported"} for place, row in enumerate(rows)]
    assert "含演示数据" in words("train", mixed)
    own: list[JsonObject] = [{**row, "origin": "imported"} for row in rows]
    assert "演示数据" not in words("train", own, origin="imported")
    assert "含演示数据" not in words("train", rows)

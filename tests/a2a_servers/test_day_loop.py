"""A question over days is answered by looking at them: at most five looks, the best day's rows, the comparison."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from a2a_servers.spec import AgentSpec
from a2a_servers.wording.car import CarTemplate
from a2a_servers.wording.journey import TRAIN
from a2a_servers.wording.weather import WeatherTemplate
from tests.a2a_servers.calendar_server import NOT_YET, Calendar, calendar_on
from tests.a2a_servers.tool_server import CRASH_TEXT
from tests.a2a_servers.world import World, agent_with_tools
from tests.support.whole import free_port

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

SPEC = AgentSpec(
    "TestAssistant", "测试用的助手", {"train": TRAIN, "car_rental": CarTemplate(), "weather": WeatherTemplate()}
)
ROUTE = {"from_city": "北京", "to_city": "上海"}
WEEK = {f"2026-08-{day}": [f"{price}.00"] for day, price in zip(range(17, 24), (560, 540, 553, 530, 520, 545, 600),
                                                              strict=True)}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[tuple[Calendar, World]]:
    calendar = calendar_on(free_port(), "trains", "weather", "cars")
    async with agent_with_tools(SPEC, calendar.server) as world:
        yield calendar, world


@pytest_asyncio.fixture(loop_scope="module")
async def calendar(shared: tuple[Calendar, World]) -> Calendar:
    shared[0].shows(WEEK)
    return shared[0]


@pytest_asyncio.fixture(loop_scope="module")
async def world(shared: tuple[Calendar, World]) -> World:
    return shared[1]


def over(first: int, last: int, **more: Any) -> dict[str, Any]:
    return {"date": f"2026-08-{first}", "date_end": f"2026-08-{last}", **more}


async def cheapest(world: World, first: int, last: int, **more: Any) -> Any:
    return await world.ask("query train tickets", {**ROUTE, **over(first, last, sort="price", day_by="price"), **more})


async def test_five_days_are_looked_at_one_by_one_and_the_cheapest_is_told_with_the_comparison(
    calendar: Calendar, world: World
) -> None:
    answer = await cheapest(world, 17, 21)
    assert calendar.looks == [(f"2026-08-{day}", None) for day in range(17, 22)]
    assert answer["status"] == "completed"
    assert [row["date"] for row in answer["data"]["rows"]] == ["2026-08-21"]
    head, days, *_ = answer["observation"].split("\n")
    assert head == "8月17日至8月21日北京到上海的火车票，最便宜的是8月21日（周五），¥520起。"
    assert days == "逐日最低价：8月17日¥560，8月18日¥540，8月19日¥553，8月20日¥530，8月21日¥520。"


async def test_each_round_tells_its_thought_its_action_and_what_was_seen(calendar: Calendar, world: World) -> None:
    rounds = (await cheapest(world, 17, 19))["rounds"]
    assert [one["thought"] for one in rounds] == [
        "要知道哪天最便宜，先看8月17日。", "再看8月18日。", "再看8月19日。",
    ]
    assert rounds[1]["action"]["tool_name"] == "query_train_tickets"
    assert rounds[1]["action"]["parameter"] == {**ROUTE, "date": "2026-08-18", "sort": "price"}
    assert rounds[1]["observation"] == "8月18日共1个选择，8月18日¥540。"
    assert all(one["elapsed_ms"] >= 0 and one["model_calls"] == 0 for one in rounds)


async def test_a_week_takes_five_looks_the_last_of_them_at_the_best_day_alone(
    calendar: Calendar, world: World
) -> None:
    calendar.shows(WEEK, page=1)
    answer = await cheapest(world, 17, 23)
    assert calendar.looks == [
        ("2026-08-17", "2026-08-18"), ("2026-08-19", "2026-08-20"), ("2026-08-21", "2026-08-22"),
        ("2026-08-23", None), ("2026-08-21", None),
    ]
    assert [row["price"] for row in answer["data"]["rows"]] == ["520.00"]
    assert "8月18日¥540" in answer["observation"]
    assert "8月22日不低于¥520" in answer["observation"]


async def test_no_more_than_fifteen_days_are_looked_at_in_five_looks(calendar: Calendar, world: World) -> None:
    calendar.shows({"2026-08-29": ["400.00"]})
    answer = await world.ask(
        "query train tickets", {**ROUTE, "date": "2026-08-17", "date_end": "2026-09-16", "day_by": "price"}
    )
    assert len(calendar.looks) <= 5
    assert "最便宜的是8月29日（周六），¥400起" in answer["observation"]
    assert "一次最多看15天，9月1日起的可以再问我。" in answer["observation"]


async def test_sold_out_days_are_not_the_cheapest(calendar: Calendar, world: World) -> None:
    calendar.shows(WEEK, sold_out=frozenset({"2026-08-21"}))
    answer = await cheapest(world, 19, 21)
    assert "最便宜的是8月20日" in answer["observation"]
    assert "8月21日已售完" in answer["observation"]


async def test_a_sorted_look_at_several_days_asks_for_the_best_day(calendar: Calendar, world: World) -> None:
    answer = await world.ask("query train tickets", {**ROUTE, **over(17, 19, sort="price")})
    assert len(calendar.looks) == 3
    assert "最便宜的是8月18日" in answer["observation"]


@pytest.mark.parametrize("slots", [
    over(17, 19), {"date": "2026-08-17", "sort": "price"}, {"date": "2026-08-17", "day_by": "price"},
    over(17, 17, day_by="price"), over(17, 19, day_by="anything"),
])
async def test_everything_else_takes_one_look(calendar: Calendar, world: World, slots: dict[str, Any]) -> None:
    answer = await world.ask("query train tickets", {**ROUTE, **slots})
    assert answer["status"] == "completed"
    assert len(calendar.looks) == 1
    assert len(answer["rounds"]) == 1


async def test_conditions_that_were_said_hold_on_every_day(calendar: Calendar, world: World) -> None:
    answer = await cheapest(world, 17, 18, seat_class="二等座", direct=True)
    assert {said["seat_class"] for _, said, _ in calendar.server.calls} == {"二等座"}
    assert "8月17日至8月18日北京到上海的二等座直达火车票" in answer["observation"]


async def test_a_day_that_is_refused_does_not_hide_the_others(calendar: Calendar, world: World) -> None:
    calendar.shows(WEEK, until="2026-08-20")
    answer = await cheapest(world, 19, 21)
    assert answer["status"] == "completed"
    assert "最便宜的是8月20日" in answer["observation"]
    assert "8月21日没有查到" in answer["observation"]
    assert NOT_YET in answer["rounds"][-1]["observation"]


async def test_a_refusal_at_the_first_look_is_the_answer(calendar: Calendar, world: World) -> None:
    calendar.shows(WEEK, until="2026-08-16")
    answer = await cheapest(world, 17, 21)
    assert (answer["status"], answer["observation"]) == ("failed", NOT_YET)
    assert len(calendar.looks) == 1


async def test_an_outage_on_the_way_leaves_what_was_seen(calendar: Calendar, world: World) -> None:
    calendar.shows(WEEK, breaks_at="2026-08-19")
    answer = await cheapest(world, 17, 21)
    assert answer["status"] == "completed"
    assert "最便宜的是8月18日" in answer["observation"]
    assert "8月19日没有查到，8月20日没有查到，8月21日没有查到" in answer["observation"]
    assert CRASH_TEXT not in str(answer)
    assert len(calendar.looks) == 3


async def test_nothing_on_any_day_is_said_kindly(calendar: Calendar, world: World) -> None:
    calendar.shows({})
    answer = await cheapest(world, 17, 19)
    assert answer["status"] == "completed"
    assert answer["observation"].startswith("抱歉，没有查到8月17日至8月19日北京到上海的火车票。")
    assert answer["data"]["rows"] == []


async def test_two_actions_share_the_five_looks_of_a_request(calendar: Calendar, world: World) -> None:
    action = {"tool_name": "query train tickets", "parameter": {**ROUTE, **over(17, 23, day_by="price")}}
    await world.send({"data": {"action_code": [action, action]}})
    assert len(calendar.looks) <= 5


async def test_a_loop_never_orders_and_never_quotes(calendar: Calendar, world: World) -> None:
    answer = await cheapest(world, 17, 21)
    assert set(calendar.server.called_names()) == {"query_train_tickets"}
    assert answer["quotes"] == []


async def test_an_order_over_several_days_is_one_quote_of_the_cheapest(calendar: Calendar, world: World) -> None:
    answer = await world.ask("order train tickets", {**ROUTE, **over(17, 21, sort="price", day_by="price")})
    assert answer["status"] == "input_required"
    assert [quote["items"][0]["unit_price"] for quote in answer["quotes"]] == ["520.00"]
    assert "order_train_ticket" not in calendar.server.called_names()
    assert len(calendar.looks) == 1


async def test_beside_other_results_the_best_day_is_told_in_a_line(calendar: Calendar, world: World) -> None:
    brief = {"smartvoyage": {"wording": False}}
    answer = await world.ask("query train tickets", {**ROUTE, **over(17, 21, day_by="price")}, brief)
    assert answer["observation"].startswith("8月17日至8月21日里最便宜的是8月21日（¥520起）；8月21日北京到上海")
    assert "\n" not in answer["observation"]


async def test_the_days_that_have_anything_are_told_apart(calendar: Calendar, world: World) -> None:
    calendar.shows({"2026-08-18": ["540.00"], "2026-08-20": ["530.00"]})
    answer = await world.ask("query train tickets", {**ROUTE, **over(17, 23, day_by="found")})
    assert len(calendar.looks) == 1
    assert answer["observation"].startswith(
        "8月17日至8月23日北京到上海的火车票，有的是8月18日（周二）、8月20日（周四）。"
        "8月17日、8月19日、8月21日、8月22日、8月23日没有。"
    )
    assert [row["date"] for row in answer["data"]["rows"]] == ["2026-08-18"]


async def test_a_page_that_was_cut_is_followed_by_a_look_at_the_days_it_did_not_show(
    calendar: Calendar, world: World
) -> None:
    calendar.shows({"2026-08-17": ["300.00"], "2026-08-18": ["310.00"], "2026-08-19": ["320.00"]}, page=2)
    answer = await world.ask("query train tickets", {**ROUTE, **over(17, 19, day_by="found")})
    assert calendar.looks == [("2026-08-17", "2026-08-19"), ("2026-08-19", None), ("2026-08-17", None)]
    assert "每天都有" in answer["observation"]


async def test_the_dry_days_of_a_forecast_are_picked(calendar: Calendar, world: World) -> None:
    calendar.shows(rain=frozenset({"2026-08-18", "2026-08-19"}))
    answer = await world.ask("query weather", {"city": "上海", **over(17, 20, day_by="dry")})
    assert answer["observation"].startswith("上海8月17日至8月20日里，不下雨的有2天：8月17日（周一）、8月20日（周四）。")
    assert [row["date"] for row in answer["data"]["rows"]] == ["2026-08-17", "2026-08-20"]


async def test_a_forecast_without_a_dry_day_says_so(calendar: Calendar, world: World) -> None:
    calendar.shows(rain=frozenset({"2026-08-17", "2026-08-18"}))
    answer = await world.ask("query weather", {"city": "上海", **over(17, 18, day_by="dry")})
    assert answer["observation"] == "上海8月17日至8月18日里没有哪天不下雨。"
    assert answer["data"]["rows"] == []


async def test_cars_are_compared_by_the_day_they_are_fetched(calendar: Calendar, world: World) -> None:
    calendar.shows({f"2026-08-{day}": [f"{price}.00"] for day, price in ((17, 300), (18, 280), (19, 290))})
    slots = {"city": "三亚", "days": 3, **over(17, 19, sort="price", day_by="price")}
    answer = await world.ask("query car rental", slots)
    assert [said for _, said, _ in calendar.server.calls] == [
        {"date": f"2026-08-{day}", "date_end": None, "days": 3} for day in (17, 18, 19)
    ]
    assert "三亚的租车，最便宜的是8月18日（周二），¥280起" in answer["observation"]


async def test_a_rental_over_several_days_stays_one_question(calendar: Calendar, world: World) -> None:
    await world.ask("query car rental", {"city": "三亚", **over(17, 19, sort="price")})
    assert len(calendar.looks) == 1


async def test_a_question_in_words_starts_the_loop(calendar: Calendar, world: World) -> None:
    answer = await world.say("下周一以后最便宜的一天从北京到上海的火车票")
    assert len(calendar.looks) == 4
    assert "8月17日至8月23日北京到上海的火车票，最便宜的是8月21日" in answer["observation"]

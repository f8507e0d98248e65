"""A model may say which days are looked at next; what it says is held to the tool, the days and what is known."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.a2a_servers.calendar_server import Calendar, calendar_on
from tests.a2a_servers.model_world import Pair, caller, thinking_agent
from tests.support.model_server import Act, answer, error
from tests.support.whole import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROUTE = {"from_city": "北京", "to_city": "上海"}
SLOTS = {**ROUTE, "date": "2026-08-17", "date_end": "2026-08-19", "day_by": "price"}
PRICES = {"2026-08-17": ["560.00"], "2026-08-18": ["540.00"], "2026-08-19": ["553.00"]}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared() -> AsyncIterator[tuple[Calendar, Pair]]:
    calendar = calendar_on(free_port(), "trains", "weather")
    async with thinking_agent(prompt=None, tools=calendar.server) as pair:
        yield calendar, pair


@pytest.fixture
def calendar(shared: tuple[Calendar, Pair]) -> Calendar:
    shared[0].shows(PRICES)
    return shared[0]


@pytest.fixture
def pair(shared: tuple[Calendar, Pair]) -> Pair:
    shared[1].plays(error(500))
    return shared[1]


def proposed(*days: str | tuple[str, str], tool: str = "query_train_tickets", **more: Any) -> Act:
    """An action code that looks at these days."""
    spans = [day if isinstance(day, tuple) else (day, None) for day in days]
    parameters = [{"date": first, **({"date_end": last} if last else {}), **more} for first, last in spans]
    code = [{"tool_name": tool, "parameter": parameter} for parameter in parameters]
    return answer(json.dumps({"thought": "从中间的日子看起。", "action_code": code}, ensure_ascii=False))


async def ask(pair: Pair, calls: int = 4) -> Any:
    return await pair.agent.ask("query train tickets", SLOTS, caller(calls))


async def test_the_model_says_which_days_come_first(calendar: Calendar, pair: Pair) -> None:
    pair.plays(proposed("2026-08-18", "2026-08-17", "2026-08-19"))
    said = await ask(pair)
    assert calendar.looks == [("2026-08-18", None), ("2026-08-17", None), ("2026-08-19", None)]
    assert "最便宜的是8月18日" in said["observation"]
    assert said["usage"] == {"model_calls": 1, "model_tokens": 11, "degraded": False}
    assert [(one["thought"], one["model_calls"]) for one in said["rounds"]] == [
        ("从中间的日子看起。", 1), ("从中间的日子看起。", 0), ("从中间的日子看起。", 0),
    ]


async def test_it_sees_the_question_the_tool_and_what_was_seen_and_decides_again(
    calendar: Calendar, pair: Pair
) -> None:
    pair.plays(proposed("2026-08-18"), proposed("2026-08-17", "2026-08-19"))
    said = await ask(pair)
    assert len(pair.model.calls) == 2
    assert "8月18日共1个选择，8月18日¥540。" in pair.asked[1]
    assert "还剩 4 个动作" in pair.asked[1]
    assert '"要找的": "哪天最便宜"' in pair.asked[0]
    assert "order_train_ticket" not in pair.asked[0]
    assert len(said["rounds"]) == 3


async def test_what_a_model_leaves_out_the_rules_look_at(calendar: Calendar, pair: Pair) -> None:
    pair.plays(proposed("2026-08-17"), proposed(), error(500))
    said = await ask(pair)
    assert sorted(calendar.looks) == [(day, None) for day in PRICES]
    assert "最便宜的是8月18日" in said["observation"]


UNFIT = {
    "an order": proposed("2026-08-17", tool="order_train_ticket"),
    "an order's price": proposed("2026-08-17", item_id="t-1"),
    "another tool": proposed("2026-08-17", tool="query_weather"),
    "an invented tool": proposed("2026-08-17", tool="drop_tables"),
    "an invented condition": proposed("2026-08-17", seat_class="一等座"),
    "another route": proposed("2026-08-17", from_city="广州"),
    "an unknown parameter": proposed("2026-08-17", user_id="bob"),
    "a day outside": proposed("2026-08-25"),
    "a day in words": proposed("下周二"),
    "days turned round": proposed(("2026-08-19", "2026-08-17")),
    "more actions than are left": proposed(*["2026-08-17"] * 6),
    "the same day twice": proposed("2026-08-17", "2026-08-17"),
    "an object": proposed("2026-08-17", from_city={"a": 1}),
    "prose": answer("先看周一吧。"),
    "a list": answer("[1, 2]"),
    "no days": answer('{"thought": "看", "action_code": [{"tool_name": "query_train_tickets", "parameter": {}}]}'),
}


@pytest.mark.parametrize("bad", UNFIT.values(), ids=UNFIT)
async def test_what_may_not_be_done_is_not_done_and_the_rules_go_on(
    calendar: Calendar, pair: Pair, bad: Act
) -> None:
    pair.plays(bad)
    said = await ask(pair)
    assert set(calendar.server.called_names()) == {"query_train_tickets"}
    assert calendar.looks == [(day, None) for day in PRICES]
    assert {(name, meta["from_city"], meta["seat_class"]) for name, meta, _ in calendar.server.calls} == {
        ("query_train_tickets", "北京", None)
    }
    assert "最便宜的是8月18日" in said["observation"]
    assert said["usage"]["degraded"] is True


async def test_an_unfit_answer_is_shown_its_fault(calendar: Calendar, pair: Pair) -> None:
    pair.plays(UNFIT["an order"], proposed("2026-08-19", "2026-08-18", "2026-08-17"))
    await ask(pair)
    assert "这里只能用 query_train_tickets" in pair.asked[1]
    assert [first for first, _ in calendar.looks] == ["2026-08-19", "2026-08-18", "2026-08-17"]


async def test_a_failing_model_leaves_it_to_the_rules_and_is_asked_no_more(calendar: Calendar, pair: Pair) -> None:
    pair.plays(error(401))
    said = await ask(pair)
    assert len(pair.model.calls) == 1
    assert said["usage"]["degraded"] is True
    assert "最便宜的是8月18日" in said["observation"]


@pytest.mark.parametrize("calls", [0, 1])
async def test_the_last_call_is_kept_for_the_words(calendar: Calendar, pair: Pair, calls: int) -> None:
    await ask(pair, calls)
    assert pair.model.calls == []
    assert len(calendar.looks) == 3

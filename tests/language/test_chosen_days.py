"""Days that are to be found: by what, and among which days."""

import datetime as dt
from typing import Any

import pytest

from core.language import read
from core.language.signature import signature
from core.shared.clock import SHANGHAI

NOW = SHANGHAI.localize(dt.datetime(2026, 12, 1, 12))

ASKED: dict[str, tuple[str, str, str, str]] = {
    "下周三以后最便宜的一天从北京去三亚的机票": ("query flight tickets", "price", "12-09", "12-15"),
    "这周哪天从北京去上海的机票最便宜": ("query flight tickets", "price", "12-01", "12-06"),
    "从北京到上海哪天的高铁最便宜": ("query train tickets", "price", "12-01", "12-07"),
    "下周北京到上海哪天最快": ("query train tickets", "duration", "12-07", "12-13"),
    "下周哪天有北京到上海直达的高铁": ("query train tickets", "found", "12-07", "12-13"),
    "12月10日以后从北京飞三亚最便宜的": ("query flight tickets", "price", "12-10", "12-16"),
    "下周在上海租车哪天最便宜": ("query car rental", "price", "12-07", "12-13"),
    "下周北京哪天不下雨": ("query weather", "dry", "12-07", "12-13"),
    "三亚哪几天会下雨": ("query weather", "rain", "12-01", "12-07"),
    "三亚不下雨的那几天的一日游": ("query tour group", "dry", "12-01", "12-07"),
    "下周三亚不下雨的日子有什么一日游": ("query tour group", "dry", "12-07", "12-13"),
}

NOT_ASKED = [
    "明天北京到上海最便宜的高铁", "下周北京到上海的高铁", "未来一周北京到上海最便宜的机票", "下周北京的天气",
    "如果明天三亚不下雨，就看三亚一日游", "什么时候有五月天演唱会", "订下周最便宜的一天从北京到上海的高铁",
    "明天下午三点以后北京到上海最便宜的高铁", "下周三以后北京到上海的高铁", "从下周一起在三亚租三天车，要最便宜的",
]


def slots_of(text: str) -> list[tuple[str, Any]]:
    return [(frame.intent, frame.slots.to_json()) for frame in read(text, NOW).frames]


@pytest.mark.parametrize("text", ASKED)
def test_a_day_is_looked_for_among_days(text: str) -> None:
    intent, by, first, last = ASKED[text]
    [(found, slots)] = slots_of(text)
    assert (found, slots["day_by"]) == (intent, by)
    assert (slots["date"], slots["date_end"]) == (f"2026-{first}", f"2026-{last}")


@pytest.mark.parametrize("text", NOT_ASKED)
def test_a_day_that_was_named_is_not_looked_for(text: str) -> None:
    assert all("day_by" not in slots for _, slots in slots_of(text))


@pytest.mark.parametrize("text", ASKED)
def test_the_rewritten_query_is_read_in_the_same_way(text: str) -> None:
    frame = read(text, NOW).frames[0]
    again = read(frame.query, NOW).frames[0]
    names = ("day_by", "date", "date_end", "from_city", "to_city", "city", "destination", "days")
    assert [getattr(again.slots, name) for name in names] == [getattr(frame.slots, name) for name in names]


def test_a_forecast_that_was_asked_for_beside_the_tours_stays() -> None:
    intents = [intent for intent, _ in slots_of("看看三亚天气，再查三亚不下雨的那几天的一日游")]
    assert intents == ["query weather", "query tour group"]


def test_which_day_and_the_cheapest_of_all_are_two_questions_to_the_cache() -> None:
    one, other = (signature(read(f"下周{words}", NOW)) for words in (
        "哪天从北京去上海的机票最便宜", "从北京去上海最便宜的机票"
    ))
    assert one != other

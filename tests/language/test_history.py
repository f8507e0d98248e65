"""What leaning on history may never do: change a sentence that stands by itself, raise, or leave a query half said."""

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import read
from core.language.frames import Reading
from core.shared.clock import SHANGHAI
from tests.language.talk import Talk
from tests.language.test_properties import WORDS
from tests.language.test_sentences import table

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12, 0))
# What was said before, and the rows that were shown for it.
BEFORE = [
    ("明天北京到上海的高铁", "trains"), ("后天杭州天气", "weather"), ("周杰伦上海演唱会", "concerts"),
    ("周五去周日回，北京到上海的机票", "flights"), ("成都三日游", "tours"), ("我的订单", "orders"),
]
ABOUT_ORDERS = ("cancel order", "query orders")
POINTING = [
    "第二个", "最后一个", "就", "那", "呢", "更早的", "便宜点的", "往后推", "一天", "那边", "一样的", "再来", "换成",
    "最便宜的", "那趟", "这个", "回程", "G7505", "南航", "第",
]
LEANING = ["那南京呢", "换成大后天", "机票呢", "那边天气怎么样", "二等座的呢", "还有更早的吗", "订两张"]


def talk_after(said: str, rows: str) -> Talk:
    talk = Talk(NOW)
    talk.say(said)
    talk.show(rows)
    return talk


def stands_alone(reading: Reading) -> bool:
    """Complete, and about nothing that was ordered before."""
    missing = any(trouble.kind == "missing" for frame in reading.frames for trouble in frame.troubles)
    return bool(reading.frames) and not missing and not any(f.intent in ABOUT_ORDERS for f in reading.frames)


@pytest.mark.parametrize(("said", "rows"), BEFORE)
def test_a_complete_sentence_is_read_the_same_whatever_went_before(said: str, rows: str) -> None:
    changed = []
    for _, sentence, _ in table():
        fresh = read(sentence, NOW)
        after = talk_after(said, rows).say(sentence)
        if stands_alone(fresh) and (after.frames != fresh.frames or after.leaned):
            changed.append(sentence)
    assert changed == []


def test_no_city_and_no_day_leaks_into_another_subject() -> None:
    after = talk_after("后天上海到杭州的高铁", "trains").say("明天北京天气")
    assert (len(after.frames), after.frames[0].slots.city, str(after.frames[0].slots.date)) == (1, "北京", "2026-08-17")
    assert not after.leaned


@pytest.mark.parametrize("text", LEANING)
def test_the_query_of_a_reading_that_leans_stands_by_itself(text: str) -> None:
    frame = talk_after("后天上海到杭州的高铁", "trains").say(text).frames[0]
    again = read(frame.query, NOW).frames[0]
    assert (again.intent, again.slots) == (frame.intent, frame.slots)


def test_a_row_beyond_the_list_is_asked_about_and_the_wish_stays() -> None:
    talk = talk_after("后天上海到杭州的高铁", "trains")
    frame = talk.say("第四个").frames[0]
    assert [(trouble.kind, trouble.said) for trouble in frame.troubles] == [("no_such_item", "第四个")]
    assert frame.slots.item_id is None
    assert talk.say("换成大后天").frames[0].slots.to_city == "杭州"


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(BEFORE), st.booleans(), st.lists(st.sampled_from([*POINTING, *WORDS]), max_size=8))
def test_nothing_that_points_back_is_too_strange(before: tuple[str, str], asked: bool, words: list[str]) -> None:
    talk = talk_after(*before)
    talk.context = replace(talk.context, asked=asked)
    reading = talk.say("".join(words))
    assert all(frame.slots.date is None or frame.slots.date >= NOW.date() for frame in reading.frames)
    assert all((frame.slots.quantity or 1) > 0 for frame in reading.frames)


def test_what_was_just_bought_is_cancelled_by_its_train_and_day_where_its_number_is_not_known() -> None:
    talk = talk_after("后天上海到杭州的高铁", "trains")
    talk.say("第二个")
    talk.context = replace(talk.context, shown=talk.context.shown[1:2])
    slots = talk.say("算了，刚才那单取消吧").frames[0].slots
    assert (slots.train_no, str(slots.date), slots.action) == ("G7505", "2026-08-18", "cancel")

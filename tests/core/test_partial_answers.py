"""Of several wishes one in trouble is asked about, and the others are answered."""

import pytest

from core.language.slots import Slots
from core.reasoning.waiting import held_back
from core.types.understanding import Task, When
from tests.core.talks import Talk
from tests.support.network import answering

WEATHER, TRAIN, FLIGHT, ORDER = (
    "query weather", "query train tickets", "query flight tickets", "order train tickets",
)


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.network.add("weather", [WEATHER], answering("晴。"))
    talk.network.add("ticket", [TRAIN, FLIGHT, ORDER], answering("有票。", kind="train"))
    return talk


@pytest.mark.parametrize(
    ("said", "answered", "question"),
    [
        ("查明天火星的天气，再看看北京到上海的高铁", "有票。", "天气：没有找到“火星”这个地方，请确认一下城市名称。"),
        ("昨天上海到杭州的高铁和明天上海天气", "晴。", "火车票：昨天已经过去了，请告诉我一个今天或以后的日期。"),
        ("后天想去北京，看看飞机和那边天气", "晴。", "机票：请问从哪个城市出发？"),
    ],
)
async def test_the_others_are_answered_and_the_question_stands_below(
    talk: Talk, said: str, answered: str, question: str
) -> None:
    answer = await talk.say(said)
    assert (answer.status, answer.text) == ("partial", f"{answered}\n{question}")
    assert answer.understanding.follow_up_message == question
    assert len(answer.understanding.tasks) == 2
    assert len(talk.asked) == 1


async def test_the_answer_runs_only_what_had_waited(talk: Talk) -> None:
    await talk.say("后天想去北京，看看飞机和那边天气")
    assert (await talk.known()).task_context.asked
    answer = await talk.say("上海")
    assert answer.status == "answered"
    assert [tool for tool, _ in talk.asked] == [WEATHER, FLIGHT]
    assert talk.asked[1][1] == {"from_city": "上海", "to_city": "北京", "date": "2026-08-18"}


async def test_where_nothing_can_be_answered_the_question_is_all(talk: Talk) -> None:
    answer = await talk.say("明天火星天气，还有去北京的高铁")
    assert answer.status == "follow_up"
    assert talk.asked == []


async def test_what_a_condition_joins_waits_as_a_whole_and_keeps_its_condition(talk: Talk) -> None:
    asked = await talk.say("明天去杭州的高铁，如果没有就看机票")
    assert (asked.status, asked.text) == ("follow_up", "火车票和机票：请问从哪个城市出发？")
    answer = await talk.say("北京")
    assert [tool for tool, _ in talk.asked] == [TRAIN]
    assert [result.status for result in answer.results] == ["ok", "skipped"]
    assert "火车票已经查到，就没有再查机票。" in answer.text


async def test_a_no_gives_up_what_we_had_asked_about(talk: Talk) -> None:
    await talk.say("明天去杭州的高铁")
    answer = await talk.say("算了")
    assert (answer.status, answer.text) == ("answered", "好的，那就先不查了。需要时随时告诉我。")
    context = (await talk.known()).task_context
    assert (context.tasks, context.asked) == ((), False)
    await talk.say("北京")
    assert talk.asked == []


async def test_a_word_between_does_not_lose_the_question(talk: Talk) -> None:
    await talk.say("明天去杭州的高铁")
    assert (await talk.say("谢谢")).text == "不客气，祝您旅途愉快！"
    assert (await talk.say("北京")).status == "answered"
    assert talk.asked[0][1]["from_city"] == "北京"


async def test_where_one_lives_answers_from_where_one_goes(talk: Talk) -> None:
    await talk.say("明天去上海的高铁")
    answer = await talk.say("我住杭州")
    assert (answer.status, answer.text) == ("answered", "有票。\n好的，记下了：常住城市杭州。")
    assert talk.asked[0][1]["from_city"] == "杭州"
    assert (await talk.known()).user_profile == {"home_city": "杭州"}


async def test_a_no_after_an_answer_repeats_nothing(talk: Talk) -> None:
    await talk.say("明天上海天气")
    assert (await talk.say("算了")).status == "answered"
    assert (await talk.say("算了，先不订了")).status == "answered"
    assert len(talk.asked) == 1


def task(number: int, intent: str, when: When | None = None) -> Task:
    return Task(f"t{number}", intent, "查", Slots(), when)


def test_with_an_order_in_trouble_all_orders_wait() -> None:
    tasks = [task(1, ORDER), task(2, WEATHER), task(3, ORDER)]
    assert held_back(tasks, {"t3"}) == ("t1", "t3")
    assert held_back(tasks, {"t2"}) == ("t2",)


def test_a_condition_waits_with_what_it_looks_at() -> None:
    tasks = [task(1, WEATHER), task(2, TRAIN, When("t1", "rain")), task(3, FLIGHT, When("t2", "none_found"))]
    assert held_back(tasks, {"t3"}) == ("t1", "t2", "t3")
    assert held_back(tasks, {"t1"}) == ("t1", "t2", "t3")

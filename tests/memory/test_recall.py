"""Answers about memory come from the memories alone."""

from datetime import datetime

import pytest

from core.memory.recall import HOW_TO_CLEAR, recall
from core.shared.clock import SHANGHAI
from core.types.memory import Fact, MemoryContext, Message

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
KNOWN = MemoryContext(
    short_term=(Message("user", "查明天北京到上海的高铁", NOW), Message("assistant", "有 20 趟。", NOW)),
    user_profile={"seat_class": "二等座", "train_type": "G", "direct": True, "name": "林小满", "饮食": ["少盐"]},
    long_term=tuple(Fact(text, NOW) for text in ("住在上海", "对海鲜过敏", "同行有两个孩子", "住在苏州")),
)
NOBODY = MemoryContext()

ANSWERS = {
    "你记得我什么": "称呼林小满、饮食：少盐；您提到过：住在苏州、同行有两个孩子、对海鲜过敏",
    "你都记得什么": "您的偏好：席别二等座、车型高铁、只要直达",
    "我的偏好是什么": "席别二等座",
    "我喜欢坐什么座": "席别二等座",
    "我叫什么": "您叫林小满",
    "你知道我叫什么吗": "您叫林小满",
    "我家在哪": "住在苏州",
    "我对什么过敏？": "对海鲜过敏",
    "我带几个孩子": "同行有两个孩子",
    "刚才我问了什么": "“查明天北京到上海的高铁”",
    "你还记得我吗": "林小满",
}


@pytest.mark.parametrize(("question", "part"), ANSWERS.items())
def test_a_question_is_answered_from_what_is_known(question: str, part: str) -> None:
    assert part in (recall(question, KNOWN) or "")


@pytest.mark.parametrize("question", ANSWERS)
def test_what_is_not_known_is_said_to_be_so(question: str) -> None:
    answer = recall(question, NOBODY)
    assert answer is not None
    assert "还没有" in answer
    assert "林小满" not in answer


def test_a_place_that_was_left_is_not_told() -> None:
    assert "上海" not in (recall("我家在哪", KNOWN) or "")


@pytest.mark.parametrize("wish", ["把我的偏好删了", "删除我的记忆", "清空聊天记录", "忘了我吧", "我的名字删掉"])
def test_nothing_is_deleted_by_chat_but_the_way_is_named(wish: str) -> None:
    answer = recall(wish, KNOWN)
    assert answer is not None
    assert answer.startswith(HOW_TO_CLEAR)
    assert "林小满" in answer


NO_MATTER_OF_MEMORY = (
    "明天去北京的高铁|取消我的订单|我上次订的什么票|按我的偏好查明天北京到上海的高铁|好的|谢谢|第二个|你是谁|"
    "带两个孩子去三亚玩|我喜欢靠窗，帮我查明天北京到上海的高铁|上海有什么好玩的|那上海呢|改成后天"
)


@pytest.mark.parametrize("said", NO_MATTER_OF_MEMORY.split("|"))
def test_other_messages_are_left_to_others(said: str) -> None:
    assert recall(said, KNOWN) is None


ACKNOWLEDGED = {
    "我要靠窗，记一下": "好的，记下了：座位靠窗。",
    "我叫王芳，对花生过敏": "好的，记下了：称呼王芳；对花生过敏。",
    "以后不要二等座了": "好的，不再把席别二等座当作您的偏好。",
    "以后都要一等座，不要直达了": "好的，记下了：席别一等座。不再把只要直达当作您的偏好。",
    "我家在苏州": "好的，记下了：常住城市苏州。",
}


@pytest.mark.parametrize(("said", "answer"), ACKNOWLEDGED.items())
def test_what_is_only_told_is_acknowledged(said: str, answer: str) -> None:
    assert recall(said, KNOWN) == answer


def test_a_wish_not_to_be_remembered_is_heard() -> None:
    assert "不会记成" in (recall("我对海鲜过敏，别记", KNOWN) or "")

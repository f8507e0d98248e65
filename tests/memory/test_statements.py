"""What a sentence teaches about its author, and what of it is a wish."""

import pytest

from core.memory.facts import facts_of
from core.memory.preferences import preferences_of
from core.memory.statements import only_tells, wish_part
from core.types.memory import Profile
from tests.memory.tables import rows

PROFILE: Profile = {"seat_pref": "靠窗", "seat_class": "二等座", "home_city": "苏州"}


@pytest.mark.parametrize(("said", "facts"), rows("facts.tsv"))
def test_durable_facts_are_kept_and_nothing_else(said: str, facts: str) -> None:
    assert "|".join(facts_of(said)) == facts


@pytest.mark.parametrize(("said", "changes"), rows("preferences.tsv"))
def test_lasting_preferences_are_kept_and_nothing_else(said: str, changes: str) -> None:
    assert "|".join(f"{key}={value}" for key, value in preferences_of(said, PROFILE).items()) == changes


def test_only_what_is_there_can_be_taken_back() -> None:
    assert preferences_of("以后不要靠窗了", {"seat_pref": "靠过道"}) == {}
    assert preferences_of("以后不要靠窗了", {}) == {}


WISHES = {
    "我喜欢靠窗，帮我查明天北京到上海的高铁": "帮我查明天北京到上海的高铁",
    "我住在苏州，对海鲜过敏。上海天气怎么样？": "上海天气怎么样？",
    "帮我查明天北京到上海的高铁，我一般坐二等座": "帮我查明天北京到上海的高铁，",
    "带两个孩子去三亚玩": "带两个孩子去三亚玩",
    "我一般坐二等座": "我一般坐二等座",
    "明天北京到上海的二等座": "明天北京到上海的二等座",
}


@pytest.mark.parametrize(("said", "wish"), WISHES.items())
def test_clauses_that_only_tell_are_no_part_of_the_wish(said: str, wish: str) -> None:
    assert wish_part(said, {}) == wish


ONLY_TOLD = "我一般坐二等座|我要靠窗，记一下|你好，我叫王芳，对花生过敏|以后都给我订一等座"


@pytest.mark.parametrize("said", ONLY_TOLD.split("|"))
def test_a_message_may_say_nothing_but_what_is_to_be_remembered(said: str) -> None:
    assert only_tells(said, {})


NOT_ONLY_TOLD = "好的|带两个孩子去三亚玩|我喜欢靠窗，查明天的票|我对什么过敏|我要靠窗，别记"


@pytest.mark.parametrize("said", NOT_ONLY_TOLD.split("|"))
def test_other_messages_say_more_or_nothing(said: str) -> None:
    assert not only_tells(said, {})

"""What is said of sights beyond a list of names: a detail that nobody keeps is said to be missing."""

import pytest

from core.language.sights import Sight
from core.reasoning.sight_answers import answer_about

SIGHTS = (Sight("西湖", "苏堤白堤都值得走。"), Sight("灵隐寺", "古木深处。"), Sight("河坊街", "老字号多。"))
NAMES = tuple(sight.name for sight in SIGHTS)


@pytest.mark.parametrize(
    ("said", "seen", "told", "missing"),
    [
        ("杭州有什么景点", (), NAMES, ()),
        ("西湖门票多少钱", (), ("西湖",), ("门票",)),
        ("想去灵隐寺看看", (), ("灵隐寺",), ()),
        ("西湖附近还有哪些景点", (), ("灵隐寺", "河坊街"), ()),
        ("推荐个评分高的景点", (), NAMES, ("评分",)),
        ("几点开门", NAMES, (), ("开放时间",)),
        ("第二个怎么样", NAMES, ("灵隐寺",), ()),
    ],
)
def test_the_sights_that_are_meant_and_what_is_missing(
    said: str, seen: tuple[str, ...], told: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    answer = answer_about(said, "杭州", SIGHTS, seen)
    assert tuple(sight.name for sight in answer.sights) == told
    assert all(name in answer.before + answer.after for name in missing)


def test_where_all_were_shown_there_are_no_others_to_tell() -> None:
    answer = answer_about("还有别的吗", "杭州", SIGHTS, NAMES)
    assert answer.sights == ()
    assert "收录" in answer.before


def test_a_place_that_no_list_had_is_not_guessed() -> None:
    assert answer_about("第九个", "杭州", SIGHTS, NAMES).sights == ()

"""Sights by a model: names and a sentence, never prices or hours; the bundled list stands beneath."""

import json

import pytest

from tests.model.world import World, understood
from tests.support.model_server import Act, answer, error

TEXT = "杭州有什么好玩的"


def sights(*pairs: tuple[str, str]) -> Act:
    listed = [{"name": name, "note": note} for name, note in pairs]
    return answer(json.dumps({"sights": listed}, ensure_ascii=False))


async def test_the_model_names_sights_with_a_sentence_each(whole: World) -> None:
    reply = await whole.ask(TEXT, sights(("西湖", "沿着苏堤慢慢走"), ("龙井村", "茶园一层层铺上山坡。")))
    assert whole.stages == ["attraction"]
    assert reply.answer.text == "杭州值得一去的地方：\n· 西湖：沿着苏堤慢慢走。\n· 龙井村：茶园一层层铺上山坡。"
    data = reply.answer.results[0].data
    assert data is not None
    assert (data.origin, [row["title"] for row in data.rows]) == ("model", ["西湖", "龙井村"])
    assert not reply.answer.degraded


@pytest.mark.parametrize(
    "note",
    [
        "门票80元。", "早上8点开放。", "周一闭馆。", "免费入园。", "八点开门。", "详见http://evil.example。",
        "<b>好</b>。", "客服电话很好打。",
    ],
)
async def test_a_note_with_money_hours_or_links_is_dropped(whole: World, note: str) -> None:
    reply = await whole.ask(TEXT, sights(("西湖", "沿着苏堤慢慢走"), ("龙井村", note)))
    assert "西湖" in reply.answer.text
    assert "龙井村" not in reply.answer.text


async def test_a_sight_of_another_city_is_dropped(whole: World) -> None:
    reply = await whole.ask(TEXT, sights(("八达岭长城", "城墙蜿蜒。"), ("西湖", "湖光山色。")))
    assert "长城" not in reply.answer.text


@pytest.mark.parametrize("act", [error(503), answer("{}"), answer("西湖、灵隐寺"), sights(("八达岭长城", "远。"))])
async def test_the_bundled_list_answers_where_the_model_cannot(whole: World, act: Act) -> None:
    reply = await whole.ask(TEXT, act)
    assert "西湖" in reply.answer.text
    assert reply.answer.degraded
    assert len(whole.stages) <= 3


async def test_without_a_city_nobody_is_asked_but_the_person(whole: World) -> None:
    reply = await whole.ask("推荐几个景点", understood())
    assert reply.answer.status == "follow_up"
    assert whole.stages == []

"""How many calls typical sentences cost: never one for what the grammar, a table or a template does as well."""

import pytest

from core.language.slots import Slots
from core.types.memory import PastTask, TaskContext
from tests.a2a_servers.rows import flight_row
from tests.model.test_outputs import CONDITIONAL, GOOD_PLAN, TWO
from tests.model.world import World, spoken, stage_of, task, understood, world
from tests.support.model_server import Act, answer

WORDS = spoken("后天杭州多云转小雨。", "G7505二等座73元。")
VAGUE = understood(task("query tour group", "查询三亚的跟团游", destination="三亚"))

COSTS: list[tuple[str, str, list[Act], list[str]]] = [
    ("single clear", "后天上海到杭州的高铁", [], []),
    ("two independent", TWO, [WORDS], ["summary"]),
    ("four independent", f"{TWO}，上海天气，后天上海到杭州的机票", [WORDS], ["summary"]),
    ("conditional", CONDITIONAL, [GOOD_PLAN, WORDS], ["plan", "summary"]),
    ("order", "订一张后天上海到杭州的二等座", [], []),
    ("small talk", "你好", [], []),
]


@pytest.mark.parametrize(("text", "acts", "stages"), [cost[1:] for cost in COSTS], ids=[cost[0] for cost in COSTS])
async def test_a_typical_sentence_costs_no_more_than_it_must(
    whole: World, text: str, acts: list[Act], stages: list[str]
) -> None:
    whole.agent.rows["query flight tickets"] = [flight_row()]
    reply = await whole.ask(text, *acts or [understood()])
    assert whole.stages == stages
    assert reply.model_calls == len(whole.stages)


async def test_a_vague_sentence_costs_one_call_to_understand(whole: World) -> None:
    whole.agent.find = lambda parameter: [{"title": "三亚五日游", "name": "三亚五日游", "price": "1999.00"}]
    await whole.ask("想找个暖和的海边躺平", VAGUE)
    assert whole.stages == ["intent"]


async def test_a_message_that_leans_on_the_last_one_costs_none_where_the_grammar_knows_it(whole: World) -> None:
    context = TaskContext(tasks=(PastTask("query weather", Slots(city="北京")),))
    await whole.remembers("北京天气怎么样", "北京晴。", context=context)
    await whole.ask("那杭州呢", understood())
    assert whole.stages == []
    assert whole.asked("query weather")[0]["city"] == "杭州"


async def test_a_single_result_is_not_worded_twice(whole: World) -> None:
    reply = await whole.ask("后天上海到杭州的高铁", WORDS)
    assert whole.stages == []
    assert reply.answer.text == reply.answer.results[0].text


async def test_a_stage_whose_small_model_fails_validation_is_raised_once_to_the_main_one() -> None:
    async with world({"intent": {"model": "small-model"}}) as whole:
        good = understood(task("query train tickets", from_city="北京", to_city="上海", date="2026-08-21"))
        await whole.ask("琢磨琢磨下周五从北京去上海的高铁票", answer("我不知道"), good)
        assert [call.body["model"] for call in whole.server.calls] == ["small-model", "test-model"]
        await whole.ask("琢磨琢磨下周五从北京去上海的高铁票", good, session="s2")
        assert whole.server.calls[-1].body["model"] == "small-model"


async def test_a_long_history_is_trimmed_by_tokens_newest_first(whole: World) -> None:
    said = [f"第{number}句" + "长" * 300 for number in range(10)]
    await whole.remembers(*said)
    await whole.ask("想找个暖和的海边躺平", VAGUE)
    user = whole.server.calls[0].body["messages"][1]["content"]
    shown = [number for number in range(10) if f"第{number}句" in user]
    assert shown == list(range(10 - len(shown), 10))
    assert 3 <= len(shown) <= 5


async def test_the_fixed_part_of_a_prompt_is_the_same_for_every_person(whole: World) -> None:
    await whole.ask("想找个暖和的海边躺平", VAGUE)
    await whole.remembers("我家在成都", "好的。", session="other")
    await whole.ask("弄个能看日出的山里团", VAGUE, session="other")
    first, second = (call.body["messages"] for call in whole.server.calls if stage_of(call.body) == "intent")
    assert first[0] == second[0]
    assert first[1] != second[1]

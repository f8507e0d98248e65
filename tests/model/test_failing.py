"""A model that fails: the rules take over, the reply stays true, and no more is asked of it than is allowed."""

import asyncio

import pytest

from core.gateway.health import health_of
from core.types.turn import Reply
from tests.model.test_outputs import CONDITIONAL, GOOD_PLAN, TWO
from tests.model.world import KEY, World, spoken
from tests.support.log_lines import log_lines
from tests.support.model_server import UNANSWERED, Act, Pause, answer, body, chunk, error, said, streamed

VAGUE = "琢磨琢磨下周五从北京去上海的高铁票"
HTML = Act([b"<!DOCTYPE html><html><title>502 Bad Gateway</title></html>"], 502, {"content-type": "text/html"})
SECRETS = (KEY, "Traceback", "<html", "127.0.0.1", "sk-", "智途旅行助手里负责")

FAILURES = [
    pytest.param(error(503), id="503"),
    pytest.param(error(429, "slow down"), id="429"),
    pytest.param(error(401, f"Incorrect API key provided: {KEY}"), id="401"),
    pytest.param(error(403, "no"), id="403"),
    pytest.param(error(404, "no such model"), id="404"),
    pytest.param(error(429, "quota", code="insufficient_quota"), id="quota"),
    pytest.param(error(400, "context too long", code="context_length_exceeded"), id="too long"),
    pytest.param(HTML, id="html"),
    pytest.param(Act(end="reset"), id="reset"),
    pytest.param(body({"choices": None}), id="no choices"),
    pytest.param(answer("……", finish="content_filter"), id="filtered"),
    pytest.param(answer(None, tool_calls=[]), id="tool call"),
    pytest.param(answer("我不知道"), id="prose"),
]


def _nothing_leaks(reply: Reply) -> None:
    shown = repr(reply.answer)
    assert not [secret for secret in SECRETS if secret in shown]


@pytest.mark.parametrize("act", FAILURES)
async def test_the_rules_understand_where_the_model_cannot(whole: World, act: Act) -> None:
    reply = await whole.ask(VAGUE, act)
    assert (reply.answer.status, reply.answer.degraded) == ("answered", True)
    assert whole.asked("query train tickets")[0]["date"] == "2026-08-21"
    assert "G7505" in reply.answer.text
    _nothing_leaks(reply)


@pytest.mark.parametrize("act", FAILURES)
async def test_the_templates_word_where_the_model_cannot(whole: World, act: Act) -> None:
    reply = await whole.ask(TWO, act)
    assert (reply.answer.status, reply.answer.degraded) == ("answered", True)
    assert "G7505" in reply.answer.text
    assert "多云转小雨" in reply.answer.text
    _nothing_leaks(reply)


@pytest.mark.parametrize("act", FAILURES)
async def test_a_failing_address_sees_at_most_three_calls_a_stage_and_twelve_a_turn(whole: World, act: Act) -> None:
    whole.agent.broken = {"query weather"}
    reply = await whole.ask(f"整一下，{CONDITIONAL}，再弄几个杭州的景点", act)
    assert all(whole.stages.count(stage) <= 3 for stage in ("intent", "summary", "attraction"))
    assert len(whole.stages) <= 12
    assert reply.model_calls == len(whole.stages)
    assert reply.answer.degraded


async def test_no_turn_makes_more_than_twelve_calls(whole: World) -> None:
    whole.agent.rows = {}
    text = "整一下，如果后天杭州下雨，就查后天上海到杭州的高铁，推荐几个北京、上海、杭州、成都、西安、南京的景点"
    await whole.ask(text, answer("{}"))
    assert len(whole.stages) <= 12


async def test_a_model_that_hangs_leaves_the_rules_their_time(whole: World) -> None:
    whole.server.plays(UNANSWERED)
    asking = asyncio.create_task(whole.ask(VAGUE))
    await whole.server.called.wait()
    for _ in range(3):
        await asyncio.sleep(0)
        whole.clock.advance(8.5)
    reply = await asking
    assert reply.answer.degraded
    assert "G7505" in reply.answer.text
    assert reply.elapsed_ms < 30_000
    assert len(whole.stages) == 1


async def test_a_drip_of_words_ends_with_its_share_of_the_turn(whole: World) -> None:
    drip = streamed(*[part for _ in range(400) for part in (chunk("杭"), Pause(5))])
    reply = await whole.ask(TWO, drip)
    assert reply.answer.degraded
    assert "G7505" in reply.answer.text
    assert reply.elapsed_ms <= 60_000


async def test_a_stream_that_is_cut_is_finished_by_the_template(whole: World) -> None:
    cut = streamed(chunk("后天杭州多云转小雨。"), chunk("G7505二等"), end="cut")
    reply = await whole.ask(TWO, cut)
    assert reply.answer.text.startswith("后天杭州多云转小雨。")
    assert "【火车票】G7505" in reply.answer.text
    assert reply.answer.degraded


async def test_a_stream_without_a_finish_is_not_complete(whole: World) -> None:
    reply = await whole.ask(TWO, streamed(chunk("后天杭州多云转小雨。"), b"data: [DONE]\n\n"))
    assert "G7505" in reply.answer.text
    assert reply.answer.degraded


async def test_thinking_never_reaches_a_person(whole: World) -> None:
    words = said("<thi", "nk>先列G7505，价格随便写99元</thi", "nk>后天杭州多云转小雨。", "G7505二等座73元。")
    reply = await whole.ask(TWO, words)
    assert reply.answer.text == "后天杭州多云转小雨。G7505二等座73元。"
    assert not reply.answer.degraded


async def test_while_the_breaker_is_open_no_call_is_made_and_health_says_so(whole: World) -> None:
    whole.server.plays(error(503))
    await whole.ask(VAGUE)
    await whole.ask(VAGUE)
    calls = len(whole.server.calls)
    reply = await whole.ask(VAGUE)
    assert len(whole.server.calls) == calls
    assert reply.answer.degraded
    assert reply.model_calls == 0
    health = health_of(whole.backend)
    assert health.components["language_model"].status == "down"
    assert health.status == "degraded"


async def test_after_thirty_seconds_one_probe_brings_the_model_back(whole: World) -> None:
    whole.server.plays(error(503))
    await whole.ask(VAGUE)
    await whole.ask(VAGUE)
    whole.clock.advance(31)
    calls = len(whole.server.calls)
    reply = await whole.ask(VAGUE, answer('{"tasks": [], "follow_up_message": null}'))
    assert len(whole.server.calls) == calls + 1
    assert not reply.answer.degraded
    assert health_of(whole.backend).components["language_model"].status == "ok"


async def test_a_refused_key_is_told_to_the_operator_once(whole: World) -> None:
    whole.server.plays(error(401, f"Incorrect API key provided: {KEY}"))
    with log_lines() as lines:
        await whole.ask(VAGUE)
        await whole.ask(VAGUE)
    told = [line for line in lines if line["level"] == "error"]
    assert len(told) == 1
    assert "LLM_API_KEY" in told[0]["message"]
    assert KEY not in repr(lines)


async def test_a_client_that_leaves_closes_the_models_connection(whole: World) -> None:
    whole.server.plays(UNANSWERED)
    asking = asyncio.create_task(whole.events(VAGUE))
    await whole.server.called.wait()
    asking.cancel()
    await asyncio.wait({asking})
    await whole.server.left.wait()
    assert len(whole.server.calls) == 1


async def test_calls_and_tokens_are_counted(whole: World) -> None:
    reply = await whole.ask(CONDITIONAL, GOOD_PLAN, spoken("后天杭州有小雨。"))
    assert reply.model_calls == len(whole.stages)
    assert reply.model_tokens >= 11 * 2

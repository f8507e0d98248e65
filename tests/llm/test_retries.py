"""Who is asked again, when, and how often: judged by the calls that arrive and the waits on the clock."""

import asyncio
from datetime import timedelta
from email.utils import format_datetime

import pytest

from core.adapters.llm.budget import StageBudget
from core.adapters.llm.opening import open_model
from core.ports.language_model import FailureKind, LanguageModel
from tests.llm.asking import failure_of, read_all, wants_json, words
from tests.llm.conftest import NOW, LeapingClock, budget_on, settings_for
from tests.support.model_server import (
    DONE,
    UNANSWERED,
    Act,
    ModelServer,
    Pause,
    answer,
    body,
    chunk,
    error,
    event,
    said,
    streamed,
)  # fmt: skip


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 529])
async def test_an_address_that_always_fails_sees_three_calls(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, status: int
) -> None:
    server.plays(error(status, "try later"))
    budget = budget_on(clock)
    failure = await failure_of(model, words(), budget)
    assert (failure.kind, len(server.calls), budget.calls_left) == ("unavailable", 3, 9)


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (error(400, "bad request"), "rejected"),
        (error(401, "Incorrect API key"), "rejected"),
        (error(403, "region"), "rejected"),
        (error(404, "no such model", code="model_not_found"), "rejected"),
        (error(402, "Insufficient Balance"), "rejected"),
        (error(429, "You exceeded your current quota", code="insufficient_quota"), "rejected"),
        (error(429, "余额不足或无可用资源包", code="1113"), "rejected"),
        (error(400, "Access denied, account not in good standing", code="Arrearage"), "rejected"),
        (error(400, "This model's maximum context length is 4096 tokens"), "too_long"),
        (error(400, "Range of input length should be [1, 30720]", code="InvalidParameter"), "too_long"),
        (error(500, "the request exceeds the available context size", code="exceed_context_size_error"), "too_long"),
        (error(413, "too large"), "too_long"),
        (error(400, "Output data may contain inappropriate content.", code="data_inspection_failed"), "filtered"),
        (error(400, "Content Exists Risk"), "filtered"),
        (error(400, "系统检测到输入或生成内容可能包含不安全或敏感内容", code="1301"), "filtered"),
        (body({"detail": "Not Found"}, status=404), "rejected"),
        (body([{"error": {"code": 400, "message": "API key not valid"}}], status=400), "rejected"),
        (Act([b"<html>moved</html>"], 301, {"location": "http://127.0.0.1:9/"}), "rejected"),
    ],
)
@pytest.mark.parametrize("streams", [True, False])
async def test_what_waiting_cannot_mend_is_asked_once(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, act: Act, kind: FailureKind, streams: bool
) -> None:
    server.plays(act)
    if streams:
        failure = (await read_all(model, words(), budget_on(clock)))[1]
    else:
        failure = await failure_of(model, words(), budget_on(clock))
    assert failure is not None
    assert (failure.kind, len(server.calls), clock.waits) == (kind, 1, [])


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry_after": "2"}, 2),
        ({"retry_after": "7.5"}, 7.5),
        ({"retry_after_ms": "1500", "retry_after": "9"}, 1.5),
        ({"retry_after": format_datetime(NOW + timedelta(seconds=4))}, 4),
    ],
)
async def test_retry_after_is_honoured(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, headers: dict[str, str], wait: float
) -> None:
    server.plays(error(429, "rate limit", **headers), answer("好"))
    assert (await model.complete(words(), budget_on(clock))).text == "好"
    assert len(server.calls) == 2
    assert clock.waits == pytest.approx([wait])


@pytest.mark.parametrize("header", ["", "soon", "-5", "0", format_datetime(NOW - timedelta(hours=1)), "Sun, 99 Foo"])
async def test_without_a_usable_retry_after_the_waits_grow(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, header: str
) -> None:
    server.plays(error(503, retry_after=header), error(503), answer("好"))
    await model.complete(words(), budget_on(clock))
    first, second = clock.waits
    assert 0.25 <= first <= 0.75
    assert 0.5 <= second <= 1.5


async def test_a_retry_after_beyond_the_deadline_is_not_waited_for(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(429, "rate limit", retry_after="30"), answer("好"))
    failure = await failure_of(model, words(), budget_on(clock, seconds=30))
    assert (failure.kind, failure.retry_after_s, len(server.calls), clock.waits) == ("unavailable", 30, 1, [])


async def test_a_stream_is_tried_again_while_nothing_was_given_out(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(streamed(chunk(None, role="assistant"), end="reset"), streamed(chunk(""), end="cut"), said("您好"))
    pieces, failure = await read_all(model, words(), budget_on(clock))
    assert ("".join(pieces), failure, len(server.calls)) == ("您好", None, 3)


@pytest.mark.parametrize(
    "end",
    [
        streamed(chunk("为您查到"), end="reset"),
        streamed(chunk("为您查到"), end="cut"),
        streamed(chunk("为您查到"), event({"error": {"message": "overloaded", "code": 503}})),
        streamed(chunk("为您查到"), b"data: {oops\n\n"),
    ],
)
async def test_a_stream_that_breaks_after_its_first_words_keeps_them_and_fails(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, end: Act
) -> None:
    server.plays(end)
    pieces, failure = await read_all(model, words(), budget_on(clock))
    assert failure is not None
    assert (pieces, failure.kind, len(server.calls)) == (["为您查到"], "unavailable", 1)


async def test_a_stream_without_a_finish_reason_is_incomplete(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(streamed(chunk("为您查到3趟。"), DONE))
    pieces, failure = await read_all(model, words(), budget_on(clock))
    assert failure is not None
    assert (pieces, failure.kind, len(server.calls)) == (["为您查到3趟。"], "incomplete", 1)


async def test_a_turn_makes_no_more_calls_than_its_budget(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(500))
    budget = budget_on(clock, calls=2)
    assert (await failure_of(model, words(), budget)).kind == "unavailable"
    assert (await failure_of(model, words(), budget)).kind == "budget"
    assert len(server.calls) == 2


async def test_a_stage_makes_no_more_calls_than_its_part(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(500), answer("不是 JSON"), error(500))
    turn = budget_on(clock)
    stage = StageBudget(turn, calls=3, keep_back_s=5)
    assert (await model.complete(wants_json(), stage)).text == "不是 JSON"
    assert (await failure_of(model, wants_json(), stage)).kind == "unavailable"
    assert (len(server.calls), turn.calls_left) == (3, 9)
    assert stage.remaining_s() == pytest.approx(turn.remaining_s() - 5)


async def test_a_turn_without_time_makes_no_call(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(answer("好"))
    budget = budget_on(clock, seconds=5)
    clock.advance(5)
    assert (await failure_of(model, words(), budget)).kind == "budget"
    assert server.calls == []


async def test_an_address_that_hangs_is_left_at_its_time_and_asked_again(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(UNANSWERED, answer("好"))
    asking = asyncio.create_task(model.complete(words(), budget_on(clock)))
    await server.called.wait()
    clock.advance(24.9)
    assert not server.left.is_set()
    clock.advance(0.1)
    assert (await asking).text == "好"
    assert (server.left.is_set(), len(server.calls)) == (True, 2)


async def test_no_try_outlives_the_turn(server: ModelServer, clock: LeapingClock) -> None:
    server.plays(UNANSWERED)
    async with open_model(settings_for(server.url, timeout_s=120), clock) as model:
        assert model is not None
        asking = asyncio.create_task(failure_of(model, words(), budget_on(clock, seconds=60)))
        await server.called.wait()
        clock.advance(60)
        assert (await asking).kind == "unavailable"
    assert len(server.calls) == 1


@pytest.mark.parametrize("streams", [True, False])
async def test_a_drip_ends_with_the_deadline_too(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, streams: bool
) -> None:
    drops = [part for sign in "为您查询到以下车次，请稍等片刻马上就好" for part in (Pause(5), chunk(sign))]
    server.plays(streamed(*drops))
    if streams:
        failure = (await read_all(model, words(), budget_on(clock, seconds=40)))[1]
    else:
        failure = await failure_of(model, words(), budget_on(clock, seconds=40))
    assert failure is not None
    assert failure.kind == "unavailable"
    assert clock.monotonic() < 60
    async with asyncio.timeout(5):
        await server.left.wait()

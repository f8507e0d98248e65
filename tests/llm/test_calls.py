"""One ask over real HTTP: what is sent, what comes back, how it ends."""

import asyncio
from contextlib import aclosing

import pytest

from core.adapters.llm.opening import open_model
from core.ports.language_model import FailureKind, LanguageModel
from core.shared.clock import ManualClock
from tests.llm.asking import PROMPT, failure_of, read_all, wants_json, words
from tests.llm.conftest import KEY, LeapingClock, budget_on, settings_for
from tests.support.model_server import (
    DONE,
    UNANSWERED,
    Act,
    ModelServer,
    answer,
    body,
    chunk,
    event,
    said,
    streamed,
)  # fmt: skip

IN_PARTS = [{"type": "thinking", "thinking": "想"}, {"type": "text", "text": "您好"}]
OVER_TWO_LINES = chunk("您好", finish="stop").replace(b'"choices": ', b'"choices":\ndata: ')


async def test_an_answer_comes_back_with_its_tokens(
    model: LanguageModel, server: ModelServer, clock: ManualClock
) -> None:
    server.plays(answer("您好", tokens=42))
    budget = budget_on(clock)
    completion = await model.complete(words(), budget)
    assert (completion.text, completion.tokens, budget.tokens, budget.calls_left) == ("您好", 42, 42, 11)
    sent = server.calls[0]
    assert (sent.path, sent.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert sent.body == {
        "model": "test-model", "messages": [{"role": "user", "content": PROMPT}], "temperature": 0.2, "stream": False,
    }  # fmt: skip


async def test_a_stage_has_its_own_model_temperature_and_limit(server: ModelServer, clock: ManualClock) -> None:
    server.plays(answer("一"))
    stages = {"plan": {"model": "large", "temperature": 0, "max_tokens": 900}}
    async with open_model(settings_for(server.url, stages=stages), clock) as model:
        assert model is not None
        await model.complete(words("plan"), budget_on(clock))
        await model.complete(words("summary"), budget_on(clock))
    sent = [(call.body["model"], call.body["temperature"], call.body.get("max_tokens")) for call in server.calls]
    assert sent == [("large", 0, 900), ("test-model", 0.2, None)]


async def test_calls_one_after_another_share_a_connection(
    model: LanguageModel, server: ModelServer, clock: ManualClock
) -> None:
    server.plays(answer("一"), said("二"), answer("三"), said("四"))
    for _ in range(2):
        await model.complete(words(), budget_on(clock))
        await read_all(model, words(), budget_on(clock))
    assert (len(server.calls), server.connections) == (4, 1)


async def test_all_who_open_a_model_share_one_client(server: ModelServer, clock: ManualClock) -> None:
    settings = settings_for(server.url)
    async with open_model(settings, clock) as first, open_model(settings, clock) as second:
        assert first is second
    async with open_model(settings, clock) as third:
        assert third is not first


async def test_words_come_as_they_are_spoken(model: LanguageModel, server: ModelServer, clock: ManualClock) -> None:
    gate = asyncio.Event()
    server.plays(streamed(chunk("您好，"), gate, chunk("北京晴。"), chunk("", finish="stop"), DONE))
    async with aclosing(model.stream(words(), budget_on(clock))) as stream:
        assert await anext(stream) == "您好，"
        gate.set()
        assert [piece async for piece in stream] == ["北京晴。"]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
async def test_bytes_cut_anywhere_make_whole_characters(
    model: LanguageModel, server: ModelServer, clock: ManualClock, size: int
) -> None:
    raw = b"".join([chunk("上海🌤️，"), chunk("三十度。"), chunk("", finish="stop"), DONE])
    server.plays(streamed(*[raw[at : at + size] for at in range(0, len(raw), size)]))
    pieces, failure = await read_all(model, words(), budget_on(clock))
    assert ("".join(pieces), failure) == ("上海🌤️，三十度。", None)


@pytest.mark.parametrize("size", [1, 2, 7])
async def test_a_single_body_may_be_cut_anywhere_too(
    model: LanguageModel, server: ModelServer, clock: ManualClock, size: int
) -> None:
    raw = b"".join(part for part in answer("上海🌤️，三十度。").parts if isinstance(part, bytes))
    server.plays(Act([raw[at : at + size] for at in range(0, len(raw), size)]))
    assert (await model.complete(words(), budget_on(clock))).text == "上海🌤️，三十度。"


async def test_half_characters_and_lost_ones_never_reach_the_reader(
    model: LanguageModel, server: ModelServer, clock: ManualClock
) -> None:
    event = b'data: {"choices":[{"delta":{"content":"%s"}}]}\n\n'
    halves = [event % half for half in (rb"\ud83c", rb"\udf24", rb"\ud83c")]
    server.plays(streamed(*halves, chunk("晴\ufffd"), chunk("", finish="stop"), DONE))
    pieces, failure = await read_all(model, words(), budget_on(clock))
    assert ("".join(pieces), failure) == ("🌤晴", None)


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (answer("一半", finish="length"), "incomplete"),
        (answer("一半", finish=None), "incomplete"),
        (answer("一半", finish="null"), "incomplete"),
        (answer("一半", finish="由于某种原因"), "incomplete"),
        (answer("", finish="content_filter"), "filtered"),
        (answer("抱歉", finish="SAFETY"), "filtered"),
        (answer(None, refusal="I cannot"), "filtered"),
        (answer("一", finish="model_context_window_exceeded"), "too_long"),
        (answer("先查", tool_calls=[{"id": "t"}], finish="tool_calls"), "unusable"),
        (answer(None, function_call={"name": "f"}), "unusable"),
        (answer(""), "unusable"),
        (answer(" \n"), "unusable"),
        (answer("<think>只是想想"), "unusable"),
        (answer(None, reasoning_content="只是想想"), "unusable"),
    ],
)
async def test_an_answer_that_is_none_fails_by_its_kind_in_one_call(
    model: LanguageModel, server: ModelServer, clock: ManualClock, act: Act, kind: FailureKind
) -> None:
    server.plays(act)
    failure = await failure_of(model, words(), budget_on(clock))
    assert (failure.kind, len(server.calls)) == (kind, 1)


@pytest.mark.parametrize(
    "act",
    [
        Act([b"<!DOCTYPE html><title>login</title>"], headers={"content-type": "text/html"}),
        Act([b"<html></html>"]),
        Act([b"ok"], headers={"content-type": "text/plain"}),
        streamed(),
        Act([b'{"choices": [{"mess']),
        Act([b"\xc4\xe3\xba\xc3\n"]),
        Act([b"[" * 100_000]),
        Act([b"[]"]),
        body({"choices": []}),
        body({"choices": ["x"]}),
        body({"choices": None, "usage": {"total_tokens": None}}),
        answer("", finish="network_error"),
        answer("", finish="insufficient_system_resource"),
        streamed(DONE),
        streamed(b"data: {oops\n\n"),
        streamed(chunk("一半"), end="cut"),
        streamed(chunk("一半"), end="reset"),
        body({"error": {"message": "upstream", "code": 502}}),
        body({"object": "error", "message": "engine died", "code": 50001}),
        streamed(event({"error": {"message": "Internal server error"}})),
    ],
    ids=range(20),
)
async def test_a_broken_answer_is_tried_three_times_and_then_unavailable(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, act: Act
) -> None:
    server.plays(act)
    failure = await failure_of(model, words(), budget_on(clock))
    assert (failure.kind, len(server.calls), len(clock.waits)) == ("unavailable", 3, 2)


@pytest.mark.parametrize(
    "act",
    [
        said("您", "好"),
        streamed(b"\xef\xbb\xbf" + chunk("您好", finish="stop")),
        streamed(b"\n\n: keep-alive\n\n", chunk("您好", finish="stop"), DONE),
        streamed(chunk("您好", finish="stop").replace(b"\n", b"\r\n"), DONE),
        streamed(chunk("您好").replace(b"\n\n", b"\n"), chunk("", finish="stop").replace(b"\n\n", b"\n")),
        streamed(b"event: message\nid: 7\n" + chunk("您好", finish="stop")),
        streamed(chunk("您好", finish="stop"), end="reset"),
        streamed(event({"choices": [{"delta": None, "finish_reason": "null"}]}), chunk("您好", finish="STOP")),
        streamed(event({"choices": [{"index": 1, "delta": {"content": "别的"}}]}), chunk("您好", finish="stop")),
        streamed(event({"choices": [{"message": {"content": "您好"}, "finish_reason": "eos"}]})),
        streamed(OVER_TWO_LINES),
        Act([b"\n\n  ", *answer("您好").parts]),
        body({"choices": [{"message": {"content": IN_PARTS}, "finish_reason": "stop"}]}),
        answer("您好", reasoning_content="想想", refusal=None, tool_calls=[], function_call=None),
        streamed(chunk(None, reasoning="想想"), chunk("您好", finish="stop"), DONE),
    ],
    ids=range(15),
)
@pytest.mark.parametrize("streams", [True, False])
async def test_every_spelling_of_the_protocol_is_read(
    model: LanguageModel, server: ModelServer, clock: ManualClock, act: Act, streams: bool
) -> None:
    server.plays(act)
    if streams:
        pieces, failure = await read_all(model, words(), budget_on(clock))
        assert failure is None
        assert "".join(pieces) == "您好"
    else:
        assert (await model.complete(words(), budget_on(clock))).text == "您好"
    assert len(server.calls) == 1


async def test_json_is_handed_on_as_it_was_written(
    model: LanguageModel, server: ModelServer, clock: ManualClock
) -> None:
    text = '{"intents": ["query weather"], "query": "什么是<think>标签</think>"}'
    server.plays(answer(text))
    assert (await model.complete(wants_json(), budget_on(clock))).text == text


async def test_nobody_listening_is_unavailable_after_three_tries(clock: LeapingClock, server: ModelServer) -> None:
    async with open_model(settings_for("http://127.0.0.1:9/v1"), clock) as model:
        assert model is not None
        failure = await failure_of(model, words(), budget_on(clock))
    assert (failure.kind, len(clock.waits)) == ("unavailable", 2)
    assert sum(clock.waits) < 5


async def test_leaving_closes_the_connection(model: LanguageModel, server: ModelServer, clock: ManualClock) -> None:
    server.plays(UNANSWERED)
    asking = asyncio.create_task(model.complete(words(), budget_on(clock)))
    await server.called.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    async with asyncio.timeout(5):
        await server.left.wait()
    assert (len(server.calls), clock.sleeping) == (1, 0)


async def test_leaving_a_stream_closes_the_connection(
    model: LanguageModel, server: ModelServer, clock: ManualClock
) -> None:
    server.plays(streamed(chunk("您好"), end="hang"))
    async with aclosing(model.stream(words(), budget_on(clock))) as stream:
        assert await anext(stream) == "您好"
    async with asyncio.timeout(5):
        await server.left.wait()
    assert clock.sleeping == 0

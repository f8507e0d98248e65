"""Thinking never reaches a reader, whole or in pieces."""

import asyncio
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.llm.opening import open_model
from core.ports.language_model import LanguageModel
from core.shared.tolerant_thinking import ThinkingFilter, has_thinking, without_thinking
from tests.llm.asking import read_all, words
from tests.llm.conftest import LeapingClock, budget_on, settings_for
from tests.support.model_server import DONE, ModelServer, answer, chunk, said, streamed

THOUGHT = [
    ("<think>想</think>您好", "您好"),
    ("\n<think>\n\n</think>\n\n您好", "您好"),
    ("<THINK>想</Think>您好", "您好"),
    ("您好，<think>再想</think>北京晴。", "您好，北京晴。"),
    ("<thinking>想<think>更想</thinking>您好", "您好"),
    ("◁think▷想◁/think▷您好", "您好"),
    ("[THINK]想[/THINK]您好", "您好"),
    ("<seed:think>想</seed:think>您好", "您好"),
    ("<think>没有说完", ""),
    ("您好。<think>没有说完", "您好。"),
    ("<|channel|>analysis<|message|>想<|end|><|start|>assistant<|channel|>final<|message|>您好<|return|>", "您好"),
    ("<|channel|>commentary to=x<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>您好", "您好"),
    ("<|channel|>analysis<|message|>只想", ""),
    ("价格 < 100，<th 也不是标签", "价格 < 100，<th 也不是标签"),
    ("您好<", "您好<"),
    ("您好<|im_end|>\n", "您好"),
    ("您好<｜end▁of▁sentence｜>", "您好"),
]
CLOSE_ONLY = [("用户在问天气。\n</think>\n您好", "您好"), ("一</think>二</think>您好", "您好"), ("想</think>", "")]


@pytest.mark.parametrize(("text", "shown"), [*THOUGHT, *CLOSE_ONLY, ("analysis想一想assistantfinal您好", "您好")])
def test_a_whole_answer_loses_its_thinking(text: str, shown: str) -> None:
    assert without_thinking(text) == shown


@given(st.sampled_from(THOUGHT), st.lists(st.integers(0, 100)))
def test_thinking_is_found_across_any_cuts(case: tuple[str, str], cuts: list[int]) -> None:
    text, shown = case
    words = ThinkingFilter()
    at = sorted({cut for cut in cuts if cut < len(text)})
    pieces = [text[a:b] for a, b in zip([0, *at], [*at, len(text)], strict=True)]
    assert "".join([words.feed(piece) for piece in pieces] + [words.finish()]) == shown
    assert not words.leaked


@given(st.sampled_from(CLOSE_ONLY), st.integers(1, 9))
def test_held_words_are_dropped_when_only_the_end_of_thinking_is_seen(case: tuple[str, str], size: int) -> None:
    text, shown = case
    words = ThinkingFilter(hold=True)
    pieces = [words.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join([*pieces, words.finish()]) == shown
    assert words.closed_unopened


def test_plain_words_have_no_thinking() -> None:
    assert not has_thinking("价格 < 100")
    assert has_thinking("好</think>")


async def test_the_first_stream_of_a_model_is_held_and_the_next_one_shown(
    server: ModelServer, clock: LeapingClock
) -> None:
    gate = asyncio.Event()
    server.plays(said("您好", "！"), streamed(chunk("您"), gate, chunk("好", finish="stop"), DONE))
    async with open_model(settings_for(server.url), clock) as model:
        assert model is not None
        assert await read_all(model, words(), budget_on(clock)) == (["您好！"], None)
        async with aclosing(model.stream(words(), budget_on(clock))) as stream:
            assert await anext(stream) == "您"
            gate.set()
            assert [piece async for piece in stream] == ["好"]


async def test_a_server_that_keeps_thinking_apart_is_shown_at_once(server: ModelServer, clock: LeapingClock) -> None:
    gate = asyncio.Event()
    server.plays(streamed(chunk(None, reasoning_content="想"), chunk("您"), gate, chunk("好", finish="stop")))
    async with open_model(settings_for(server.url), clock) as model:
        assert model is not None
        async with aclosing(model.stream(words(), budget_on(clock))) as stream:
            assert await anext(stream) == "您"
            gate.set()
            assert [piece async for piece in stream] == ["好"]


async def test_a_model_whose_thinking_has_no_beginning_is_held_until_its_end(
    server: ModelServer, clock: LeapingClock
) -> None:
    gate = asyncio.Event()
    server.plays(
        said("先想想</th", "ink>您", "好"),
        streamed(chunk("再想想"), chunk("</think>您"), gate, chunk("好", finish="stop")),
        said("这次不想"),
    )
    async with open_model(settings_for(server.url), clock) as model:
        assert model is not None
        assert "".join((await read_all(model, words(), budget_on(clock)))[0]) == "您好"
        async with aclosing(model.stream(words(), budget_on(clock))) as stream:
            assert await anext(stream) == "您"
            gate.set()
            assert [piece async for piece in stream] == ["好"]
        assert await read_all(model, words(), budget_on(clock)) == (["这次不想"], None)


async def test_thinking_that_was_shown_by_mistake_ends_the_stream_and_is_never_shown_again(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(said("先想想", "</think>", "您好"))
    pieces, failure = await read_all(model, words(), budget_on(clock))
    assert failure is not None
    assert (pieces, failure.kind) == (["先想想"], "unusable")
    assert await read_all(model, words(), budget_on(clock)) == (["您好"], None)


async def test_a_stream_of_only_thinking_is_unusable(server: ModelServer, clock: LeapingClock) -> None:
    server.plays(streamed(chunk(None, reasoning_content="想"), chunk("", finish="stop"), DONE))
    async with open_model(settings_for(server.url), clock) as model:
        assert model is not None
        pieces, failure = await read_all(model, words(), budget_on(clock))
    assert failure is not None
    assert (pieces, failure.kind, len(server.calls)) == ([], "unusable", 1)


async def test_a_whole_answer_over_http_loses_its_thinking(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(answer("用户在问好。\n</think>\n您好"))
    assert (await model.complete(words(), budget_on(clock))).text == "您好"

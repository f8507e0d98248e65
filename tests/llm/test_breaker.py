"""After five straight failures nobody waits for the model; 30 s later one call tries it."""

import asyncio

from core.adapters.llm.breaker import OPEN_S
from core.ports.language_model import LanguageModel
from tests.llm.asking import failure_of, read_all, words
from tests.llm.conftest import LeapingClock, budget_on
from tests.support.model_server import UNANSWERED, ModelServer, answer, error


async def break_it(model: LanguageModel, server: ModelServer, clock: LeapingClock) -> None:
    """Five failed calls: three of one ask, two of the next."""
    server.plays(error(500))
    for _ in range(2):
        await failure_of(model, words(), budget_on(clock))
    assert len(server.calls) == 5
    server.calls.clear()
    server.called.clear()


async def test_the_sixth_ask_fails_without_a_call_and_without_waiting(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    await break_it(model, server, clock)
    clock.waits.clear()
    failure = await failure_of(model, words(), budget := budget_on(clock))
    streamed, stream_failure = await read_all(model, words(), budget)
    assert stream_failure is not None
    assert (failure.kind, stream_failure.kind, streamed) == ("unavailable", "unavailable", [])
    assert (server.calls, clock.waits, budget.calls_left) == ([], [], 12)
    assert model.health()["status"] == "down"


async def test_after_thirty_seconds_one_call_probes_and_the_others_keep_failing(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    await break_it(model, server, clock)
    clock.advance(OPEN_S)
    server.plays(UNANSWERED)
    probe = asyncio.create_task(failure_of(model, words(), budget_on(clock)))
    await server.called.wait()
    assert (await failure_of(model, words(), budget_on(clock))).kind == "unavailable"
    clock.advance(25)
    assert (await probe).kind == "unavailable"
    assert len(server.calls) == 1
    clock.advance(OPEN_S - 1)
    await failure_of(model, words(), budget_on(clock))
    assert len(server.calls) == 1


async def test_a_probe_that_succeeds_closes_the_breaker(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    await break_it(model, server, clock)
    clock.advance(OPEN_S)
    server.plays(answer("好"))
    assert (await model.complete(words(), budget_on(clock))).text == "好"
    assert model.health() == {"status": "ok", "detail": "test-model"}
    assert (await model.complete(words(), budget_on(clock))).text == "好"


async def test_a_probe_that_is_given_up_lets_the_next_one_try(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    await break_it(model, server, clock)
    clock.advance(OPEN_S)
    server.plays(UNANSWERED, answer("好"))
    probe = asyncio.create_task(model.complete(words(), budget_on(clock)))
    await server.called.wait()
    probe.cancel()
    await asyncio.wait({probe})
    assert (await model.complete(words(), budget_on(clock))).text == "好"


async def test_a_success_starts_the_count_anew(model: LanguageModel, server: ModelServer, clock: LeapingClock) -> None:
    for _ in range(3):
        server.plays(error(500), error(500), answer("好"))
        assert (await model.complete(words(), budget_on(clock))).text == "好"
    server.plays(error(401))
    await failure_of(model, words(), budget_on(clock))
    assert model.health()["status"] == "degraded"


async def test_answers_that_are_of_no_use_do_not_speak_against_the_address(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    for act in (answer("半", finish="length"), answer("", finish="sensitive"), error(413), answer("")):
        server.plays(act)
        for _ in range(3):
            await failure_of(model, words(), budget_on(clock))
    assert (model.health()["status"], len(server.calls)) == ("ok", 12)


async def test_a_turn_that_had_no_time_left_does_not_speak_against_the_address(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(UNANSWERED)
    for _ in range(6):
        server.called.clear()
        # The clock lets waits under 20 s pass at once: the call has ended before it can be answered.
        await failure_of(model, words(), budget_on(clock, seconds=2))
    assert model.health()["status"] == "ok"

"""What an address refuses is changed once and remembered: JSON forms and parameters."""

import asyncio

import pytest

from core.adapters.llm.dialect import allows_strict
from core.adapters.llm.opening import open_model
from core.ports.language_model import LanguageModel, ModelAsk, ModelMessage
from core.shared.json_types import JsonObject
from tests.llm.asking import SCHEMA, failure_of, read_all, wants_json, words
from tests.llm.conftest import LeapingClock, budget_on, settings_for
from tests.support.model_server import Act, ModelServer, answer, error, said

OBJECT = answer('{"intents": []}')


def forms(server: ModelServer) -> list[str | None]:
    """The response formats that were asked for, in order."""
    return [call.body.get("response_format", {}).get("type") for call in server.calls]


async def test_a_schema_goes_out_strict_where_it_allows_that(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(OBJECT)
    await model.complete(wants_json("query intent/1"), budget_on(clock))
    sent = server.calls[0].body["response_format"]
    assert sent["json_schema"] == {"name": "query_intent_1", "schema": SCHEMA, "strict": True}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (SCHEMA, True),
        ({**SCHEMA, "additionalProperties": True}, False),
        ({**SCHEMA, "required": []}, False),
        ({"type": "object"}, False),
        ({"type": "array", "items": SCHEMA}, True),
        ({"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}}, False),
        ({"anyOf": [{"type": "null"}, SCHEMA]}, True),
        ({"type": "string", "enum": ["object"]}, True),
    ],
)
def test_strict_is_for_schemas_that_are_closed_all_the_way_down(schema: JsonObject, strict: bool) -> None:
    assert allows_strict(schema) is strict


async def test_json_forms_are_tried_in_order_and_remembered(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(400, "This response_format type is unavailable now"), error(422, "json_object: no"), OBJECT)
    for _ in range(2):
        assert (await model.complete(wants_json(), budget_on(clock))).text == '{"intents": []}'
    assert forms(server) == ["json_schema", "json_object", None, None]
    assert clock.waits == []


async def test_asks_that_are_refused_together_change_the_form_only_once(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    gate = asyncio.Event()
    refused = Act([gate, *error(400, "json_schema is not supported").parts], 400)
    server.plays(refused, refused, OBJECT)
    asking = [asyncio.create_task(model.complete(wants_json(), budget_on(clock))) for _ in range(2)]
    while len(server.calls) < 2:
        server.called.clear()
        await server.called.wait()
    gate.set()
    await asyncio.gather(*asking)
    assert forms(server) == ["json_schema", "json_schema", "json_object", "json_object"]


async def test_an_address_that_does_not_know_response_format_is_prompted_plainly_at_once(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(400, "Unrecognized request argument supplied: response_format"), OBJECT)
    await model.complete(wants_json(), budget_on(clock))
    assert forms(server) == ["json_schema", None]


async def test_what_one_model_refuses_another_is_still_asked_for(server: ModelServer, clock: LeapingClock) -> None:
    server.plays(error(400, "json_schema is not supported"), OBJECT)
    async with open_model(settings_for(server.url, stages={"plan": {"model": "other"}}), clock) as model:
        assert model is not None
        for stage in ("intent", "plan", "intent"):
            await model.complete(wants_json(stage), budget_on(clock))
    assert forms(server) == ["json_schema", "json_object", "json_schema", "json_object"]


@pytest.mark.parametrize(
    "message",
    [
        "Maximum context length exceeded when using response_format=json_object",
        "response_format: prompt is too long",
    ],
)
async def test_a_length_error_that_names_response_format_is_a_length_error(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, message: str
) -> None:
    server.plays(error(400, message))
    assert (await failure_of(model, wants_json(), budget_on(clock))).kind == "too_long"
    assert forms(server) == ["json_schema"]
    await failure_of(model, wants_json(), budget_on(clock))
    assert forms(server) == ["json_schema", "json_schema"]


async def test_thinking_is_switched_off_where_the_address_demands_it(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    complaint = "parameter.enable_thinking must be set to false for non-streaming calls"
    server.plays(error(400, complaint, code="invalid_parameter_error"), answer("好"))
    for _ in range(2):
        await model.complete(words(), budget_on(clock))
    assert [call.body.get("enable_thinking") for call in server.calls] == [None, False, False]


async def test_an_address_that_contradicts_itself_is_not_asked_for_ever(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(400, "enable_thinking is wrong"))
    assert (await failure_of(model, words(), budget_on(clock))).kind == "rejected"
    assert len(server.calls) <= 3


@pytest.mark.parametrize(
    ("complaint", "key", "first", "then"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
         "max_completion_tokens", None, 300),
        ("max_tokens must be less than or equal to 100", "max_tokens", 300, None),
        ("Unsupported value: 'temperature' does not support 0.2 with this model.", "temperature", 0.2, None),
    ],
)  # fmt: skip
async def test_refused_parameters_are_changed_and_remembered(
    model: LanguageModel, server: ModelServer, clock: LeapingClock,
    complaint: str, key: str, first: object, then: object,
) -> None:
    server.plays(error(400, complaint), answer("好"))
    ask = ModelAsk("summary", (ModelMessage("user", "您好"),), max_tokens=300)
    for _ in range(2):
        await model.complete(ask, budget_on(clock))
    assert [call.body.get(key) for call in server.calls] == [first, then, then]


async def test_stream_options_are_left_out_where_they_are_refused(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(400, "stream_options: Extra inputs are not permitted"), said("您好"))
    for _ in range(2):
        assert (await read_all(model, words(), budget_on(clock)))[0] == ["您好"]
    assert ["stream_options" in call.body for call in server.calls] == [True, False, False]


async def test_an_empty_answer_in_json_mode_is_asked_once_more_without_it(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(answer(""), OBJECT, OBJECT)
    await model.complete(wants_json(), budget_on(clock))
    await model.complete(wants_json(), budget_on(clock))
    assert forms(server) == ["json_schema", None, "json_schema"]


async def test_an_answer_that_stays_empty_is_unusable(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(answer(""))
    assert (await failure_of(model, wants_json(), budget_on(clock))).kind == "unusable"
    assert len(server.calls) == 2


async def test_json_mode_always_has_the_word_json_in_its_prompt(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(OBJECT)
    await model.complete(ModelAsk("intent", (ModelMessage("user", "您好"),), schema=SCHEMA), budget_on(clock))
    assert any("JSON" in message["content"] for message in server.calls[0].body["messages"])
    assert all(isinstance(message["content"], str) for message in server.calls[0].body["messages"])


async def test_adapting_and_retrying_together_stay_within_three_calls(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(error(400, "response_format: json_schema?"), error(500), error(500), OBJECT)
    assert (await failure_of(model, wants_json(), budget_on(clock))).kind == "unavailable"
    assert len(server.calls) == 3

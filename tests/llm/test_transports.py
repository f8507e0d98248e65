"""What an endpoint did, by the handed cases: played over real HTTP, judged by words, failure and calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.adapters.llm.opening import open_model
from core.ports.language_model import LanguageModel, ModelFailure
from tests.llm.asking import read_all, wants_json, words
from tests.llm.conftest import KEY, LeapingClock, budget_on, settings_for
from tests.support.log_lines import log_lines
from tests.support.model_server import Act, ModelServer, Part, Pause, body

CASES = Path(__file__).parent / "cases" / "llm_outputs.jsonl"
# A request that never happens: test_adapting shows that no content is null.
NEVER = "never_happens"


def cases() -> list[Any]:
    found = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    found = [case for case in found if case["stage"] == "transport" or "message" in case.get("transport", {})]
    found = [case for case in found if case["expect"]["action"] != NEVER]
    return [pytest.param(case, id=f"{case['id']} {case['kind']}") for case in found]


def act_of(transport: dict[str, Any]) -> Act:
    if "message" in transport:
        return body({"choices": [{"message": transport["message"], "finish_reason": transport["finish_reason"]}]})
    parts: list[Part] = []
    for line in transport.get("sse", ()):
        parts += [Pause(transport["delay_ms"] / 1000)] if "delay_ms" in transport else []
        parts.append(f"{line}\n\n".encode())
    if "body" in transport:
        text = transport["body"]
        parts.append((text if isinstance(text, str) else json.dumps(text)).encode())
    return Act(parts, transport["status"], transport["headers"], transport["end"])


async def ask(model: LanguageModel, clock: LeapingClock, *, how: str) -> tuple[str, ModelFailure | None]:
    budget = budget_on(clock)
    if how == "stream":
        pieces, failure = await read_all(model, words(), budget)
        return "".join(pieces), failure
    try:
        return (await model.complete(words() if how == "words" else wants_json(), budget)).text, None
    except ModelFailure as failed:
        return "", failed


def meets(expect: dict[str, Any], text: str, failure: ModelFailure | None) -> bool:
    match expect["action"]:
        case "any_of":
            return any(meets(option, text, failure) for option in expect["options"])
        case "parse":
            return failure is None and text == expect["value"]
        case "retry" | "adapt" | "fail":
            return failure is not None and failure.kind not in ("unusable", "budget")
        case _:
            return failure is not None and failure.kind in ("unusable", "incomplete")


@pytest.mark.parametrize("case", cases())
@pytest.mark.parametrize("how", ["stream", "words", "json"])
@pytest.mark.parametrize("thinking_tags", ["auto", "show"])
async def test_an_endpoint_is_taken_as_its_case_says(
    server: ModelServer, clock: LeapingClock, case: dict[str, Any], how: str, thinking_tags: str
) -> None:
    transport = case["transport"]
    refused = transport.get("end") == "refused"
    server.plays(Act() if refused else act_of(transport))
    url = "http://127.0.0.1:9/v1" if refused else server.url
    async with open_model(settings_for(url, thinking_tags=thinking_tags), clock) as model:
        assert model is not None
        with log_lines() as lines:
            text, failure = await ask(model, clock, how=how)
    assert meets(case["expect"], text, failure), (text, failure)
    assert len(server.calls) <= 1 + case["expect"].get("retries", 2)
    assert "<" not in text
    assert KEY not in f"{failure}{lines}"
    if case["kind"] == "http_429_retry_after":
        assert [wait for wait in clock.waits if wait < 20] == [2, 2]

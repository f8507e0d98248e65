"""The same agent in the other dialects: A2A 1.0 over HTTP+JSON, A2A 0.3, and python-a2a."""

import asyncio
import uuid
from typing import Any

import pytest

from tests.a2a_servers.tool_server import CRASH_TEXT
from tests.a2a_servers.world import TRACEPARENT, World, answer_in

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

TEXT = "明天上海天气"
ACTION = {"tool_name": "query weather", "parameter": {"city": "上海", "date": "2026-08-17"}}


@pytest.fixture
def id_() -> str:
    """A task id nobody used before."""
    return uuid.uuid4().hex


def classic(text: str, id_: str, **more: Any) -> dict[str, Any]:
    """A python-a2a task in its JSON-RPC envelope, in a conversation of its own."""
    message = {"role": "user", "content": {"type": "text", "text": text}}
    params = {"id": id_, "sessionId": f"s-{id_}", "message": message, **more}
    return {"jsonrpc": "2.0", "id": 1, "method": "tasks/send", "params": params}


async def post(world: World, path: str, body: Any) -> Any:
    return (await world.http.post(path, json=body)).json()


async def test_http_json_of_a2a_1_0_answers(world: World) -> None:
    body = {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"data": {"action_code": [ACTION]}}]}}
    response = await world.http.post("/message:send", json=body, headers={"A2A-Version": "1.0"})
    assert answer_in(response.json()["task"])["status"] == "completed"


async def test_a_stream_of_a2a_1_0_shows_the_states_in_their_order(world: World) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {
        "message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": TEXT}]}}}
    text = (await world.http.post("/", json=body, headers={"A2A-Version": "1.0"})).text
    states = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifactUpdate", "TASK_STATE_COMPLETED"]
    assert [text.index(state) for state in states] == sorted(text.index(state) for state in states)


async def test_a_0_3_message_is_answered_in_0_3(world: World) -> None:
    message = {"kind": "message", "messageId": "m", "role": "user", "parts": [
        {"kind": "data", "data": {"action_code": [ACTION]}}]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}}
    result = (await post(world, "/", body))["result"]
    assert (result["kind"], result["status"]["state"]) == ("task", "completed")
    assert result["artifacts"][0]["parts"][0]["data"]["status"] == "completed"


async def test_the_older_card_lists_the_same_skills(world: World) -> None:
    card = (await world.http.get("/.well-known/agent.json")).json()
    assert [skill["name"] for skill in card["skills"]] == await world.skills()
    assert (await world.http.get("/agent.json")).json() == card


async def test_a_python_a2a_task_is_answered_in_its_format(world: World, id_: str) -> None:
    result = (await post(world, "/tasks/send", classic(TEXT, id_)))["result"]
    again = (await post(world, "/a2a/tasks/get", {"jsonrpc": "2.0", "id": 2, "params": {"id": id_}}))["result"]
    assert (result["id"], result["sessionId"]) == (id_, f"s-{id_}")
    assert result["status"]["state"] == "completed"
    assert "上海8月17日" in result["artifacts"][0]["parts"][0]["text"]
    assert again == result


async def test_a_bare_body_without_an_envelope_is_answered_bare(world: World, id_: str) -> None:
    result = await post(world, "/tasks/send", classic(TEXT, id_)["params"])
    assert result["status"]["state"] == "completed"


async def test_a_task_id_posted_twice_runs_once(world: World, id_: str) -> None:
    first = await post(world, "/tasks/send", classic(TEXT, id_))
    second = await post(world, "/tasks/send", classic(TEXT, id_))
    assert first["result"]["artifacts"] == second["result"]["artifacts"]
    assert len(world.tools.calls) == 1


async def test_a_task_id_posted_again_while_it_runs_joins_the_first_run(world: World, id_: str) -> None:
    body = classic("", id_)
    action = {"tool_name": "query weather", "parameter": {"city": "慢城", "date": "2026-08-17"}}
    body["params"]["message"] = {"role": "user", "parts": [{"type": "data", "data": {"action_code": [action]}}]}
    both = [asyncio.create_task(post(world, "/tasks/send", body)) for _ in range(2)]
    await world.tools.called.wait()
    world.tools.released.set()
    first, second = await asyncio.gather(*both)
    assert first["result"]["status"]["state"] == second["result"]["status"]["state"] == "completed"
    assert len(world.tools.calls) == 1


async def test_a_question_is_input_required_and_only_a_new_message_answers_it(world: World, id_: str) -> None:
    asked = (await post(world, "/tasks/send", classic("北京到上海的高铁", id_)))["result"]
    repeated = (await post(world, "/tasks/send", classic("北京到上海的高铁", id_)))["result"]
    answered = (await post(world, "/tasks/send", classic("明天", id_)))["result"]
    assert asked["status"]["state"] == repeated["status"]["state"] == "input-required"
    assert "哪天" in asked["status"]["message"]["content"]["text"]
    assert answered["status"]["state"] == "completed"


async def test_python_a2a_metadata_carries_the_call_context(world: World, id_: str) -> None:
    metadata = {"smartvoyage": {"user_id": "u9"}, "traceparent": TRACEPARENT}
    await post(world, "/tasks/send", classic(TEXT, id_, metadata=metadata))
    meta = world.tools.calls[0][2]
    assert meta["smartvoyage"]["user_id"] == "u9"
    assert meta["traceparent"].split("-")[1] == TRACEPARENT.split("-")[1]


async def test_a_crash_shows_no_inner_text_in_any_dialect(world: World, id_: str) -> None:
    body = classic("", id_)
    action = {"tool_name": "query weather", "parameter": {"city": "崩溃", "date": "2026-08-17"}}
    body["params"]["message"] = {"role": "user", "parts": [{"type": "data", "data": {"action_code": [action]}}]}
    result = await post(world, "/tasks/send", body)
    assert result["result"]["status"]["state"] == "failed"
    assert CRASH_TEXT not in str(result)


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b'{"jsonrpc": "2.0", "id": 1, "params": 7}'])
async def test_an_unreadable_body_is_a_client_error(world: World, body: bytes) -> None:
    for name in ("send", "get", "cancel"):
        assert (await world.http.post(f"/tasks/{name}", content=body)).status_code == 400


async def test_an_unknown_task_is_not_found(world: World) -> None:
    asking = {"jsonrpc": "2.0", "id": 1, "params": {"id": "nobody"}}
    assert (await world.http.post("/tasks/get", json=asking)).status_code == 404
    assert (await world.http.post("/tasks/cancel", json=asking)).status_code == 404


async def test_a_finished_python_a2a_task_cannot_be_cancelled(world: World, id_: str) -> None:
    await post(world, "/tasks/send", classic(TEXT, id_))
    asking = {"jsonrpc": "2.0", "id": 1, "params": {"id": id_}}
    assert (await world.http.post("/tasks/cancel", json=asking)).status_code == 409


async def test_a_message_without_words_is_refused_not_crashed(world: World, id_: str) -> None:
    result = (await post(world, "/tasks/send", {"jsonrpc": "2.0", "id": 1, "params": {"id": id_}}))["result"]
    assert result["status"]["state"] == "failed"

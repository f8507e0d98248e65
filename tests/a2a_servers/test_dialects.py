"""The same agent in the other dialects: A2A 1.0 over HTTP+JSON, A2A 0.3, and python-a2a."""

import asyncio
from typing import Any

import pytest

from tests.a2a_servers.tool_server import CRASH_TEXT
from tests.a2a_servers.world import TRACEPARENT, World, agent_with_tools, answer_in

pytestmark = pytest.mark.wire

TEXT = "明天上海天气"
ACTION = {"tool_name": "query weather", "parameter": {"city": "上海", "date": "2026-08-17"}}


def classic(text: str, id_: str, **more: Any) -> dict[str, Any]:
    """A python-a2a task in its JSON-RPC envelope."""
    message = {"role": "user", "content": {"type": "text", "text": text}}
    params = {"id": id_, "sessionId": "s-1", "message": message, **more}
    return {"jsonrpc": "2.0", "id": 1, "method": "tasks/send", "params": params}


async def post(world: World, path: str, body: Any) -> Any:
    return (await world.http.post(path, json=body)).json()


async def test_http_json_of_a2a_1_0_answers() -> None:
    async with agent_with_tools() as world:
        body = {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"data": {"action_code": [ACTION]}}]}}
        response = await world.http.post("/message:send", json=body, headers={"A2A-Version": "1.0"})
    assert answer_in(response.json()["task"])["status"] == "completed"


async def test_a_stream_of_a2a_1_0_shows_the_states_in_their_order() -> None:
    async with agent_with_tools() as world:
        body = {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {
            "message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": TEXT}]}}}
        text = (await world.http.post("/", json=body, headers={"A2A-Version": "1.0"})).text
    states = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "artifactUpdate", "TASK_STATE_COMPLETED"]
    assert [text.index(state) for state in states] == sorted(text.index(state) for state in states)


async def test_a_0_3_message_is_answered_in_0_3() -> None:
    async with agent_with_tools() as world:
        message = {"kind": "message", "messageId": "m", "role": "user", "parts": [
            {"kind": "data", "data": {"action_code": [ACTION]}}]}
        body = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {"message": message}}
        result = (await post(world, "/", body))["result"]
    assert (result["kind"], result["status"]["state"]) == ("task", "completed")
    assert result["artifacts"][0]["parts"][0]["data"]["status"] == "completed"


async def test_the_older_card_lists_the_same_skills() -> None:
    async with agent_with_tools() as world:
        card = (await world.http.get("/.well-known/agent.json")).json()
        assert [skill["name"] for skill in card["skills"]] == await world.skills()
        assert (await world.http.get("/agent.json")).json() == card


async def test_a_python_a2a_task_is_answered_in_its_format() -> None:
    async with agent_with_tools() as world:
        result = (await post(world, "/tasks/send", classic(TEXT, "t-1")))["result"]
        again = (await post(world, "/a2a/tasks/get", {"jsonrpc": "2.0", "id": 2, "params": {"id": "t-1"}}))["result"]
    assert (result["id"], result["sessionId"]) == ("t-1", "s-1")
    assert result["status"]["state"] == "completed"
    assert "上海8月17日" in result["artifacts"][0]["parts"][0]["text"]
    assert again == result


async def test_a_bare_body_without_an_envelope_is_answered_bare() -> None:
    async with agent_with_tools() as world:
        result = await post(world, "/tasks/send", classic(TEXT, "t-1")["params"])
    assert result["status"]["state"] == "completed"


async def test_a_task_id_posted_twice_runs_once() -> None:
    async with agent_with_tools() as world:
        first = await post(world, "/tasks/send", classic(TEXT, "t-1"))
        second = await post(world, "/tasks/send", classic(TEXT, "t-1"))
    assert first["result"]["artifacts"] == second["result"]["artifacts"]
    assert len(world.tools.calls) == 1


async def test_a_task_id_posted_again_while_it_runs_joins_the_first_run() -> None:
    async with agent_with_tools() as world:
        body = classic("", "t-1")
        action = {"tool_name": "query weather", "parameter": {"city": "慢城", "date": "2026-08-17"}}
        body["params"]["message"] = {"role": "user", "parts": [{"type": "data", "data": {"action_code": [action]}}]}
        both = [asyncio.create_task(post(world, "/tasks/send", body)) for _ in range(2)]
        await world.tools.called.wait()
        world.tools.released.set()
        first, second = await asyncio.gather(*both)
    assert first["result"]["status"]["state"] == second["result"]["status"]["state"] == "completed"
    assert len(world.tools.calls) == 1


async def test_a_question_is_input_required_and_only_a_new_message_answers_it() -> None:
    async with agent_with_tools() as world:
        asked = (await post(world, "/tasks/send", classic("北京到上海的高铁", "t-1")))["result"]
        repeated = (await post(world, "/tasks/send", classic("北京到上海的高铁", "t-1")))["result"]
        answered = (await post(world, "/tasks/send", classic("明天", "t-1")))["result"]
    assert asked["status"]["state"] == repeated["status"]["state"] == "input-required"
    assert "哪天" in asked["status"]["message"]["content"]["text"]
    assert answered["status"]["state"] == "completed"


async def test_python_a2a_metadata_carries_the_call_context() -> None:
    async with agent_with_tools() as world:
        metadata = {"smartvoyage": {"user_id": "u9"}, "traceparent": TRACEPARENT}
        await post(world, "/tasks/send", classic(TEXT, "t-1", metadata=metadata))
    meta = world.tools.calls[0][2]
    assert meta["smartvoyage"]["user_id"] == "u9"
    assert meta["traceparent"].split("-")[1] == TRACEPARENT.split("-")[1]


async def test_a_crash_shows_no_inner_text_in_any_dialect() -> None:
    async with agent_with_tools() as world:
        body = classic("", "t-1")
        action = {"tool_name": "query weather", "parameter": {"city": "崩溃", "date": "2026-08-17"}}
        body["params"]["message"] = {"role": "user", "parts": [{"type": "data", "data": {"action_code": [action]}}]}
        result = await post(world, "/tasks/send", body)
    assert result["result"]["status"]["state"] == "failed"
    assert CRASH_TEXT not in str(result)


@pytest.mark.parametrize("body", [b"", b"no json", b"[]", b'{"jsonrpc": "2.0", "id": 1, "params": 7}'])
async def test_an_unreadable_body_is_a_client_error(body: bytes) -> None:
    async with agent_with_tools() as world:
        for name in ("send", "get", "cancel"):
            assert (await world.http.post(f"/tasks/{name}", content=body)).status_code == 400


async def test_an_unknown_task_is_not_found() -> None:
    async with agent_with_tools() as world:
        asking = {"jsonrpc": "2.0", "id": 1, "params": {"id": "nobody"}}
        assert (await world.http.post("/tasks/get", json=asking)).status_code == 404
        assert (await world.http.post("/tasks/cancel", json=asking)).status_code == 404


async def test_a_finished_python_a2a_task_cannot_be_cancelled() -> None:
    async with agent_with_tools() as world:
        await post(world, "/tasks/send", classic(TEXT, "t-1"))
        asking = {"jsonrpc": "2.0", "id": 1, "params": {"id": "t-1"}}
        assert (await world.http.post("/tasks/cancel", json=asking)).status_code == 409


async def test_a_message_without_words_is_refused_not_crashed() -> None:
    async with agent_with_tools() as world:
        result = (await post(world, "/tasks/send", {"jsonrpc": "2.0", "id": 1, "params": {"id": "t-1"}}))["result"]
    assert result["status"]["state"] == "failed"

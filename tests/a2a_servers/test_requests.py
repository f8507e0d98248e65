"""An agent on the wire: requests in the house's format, plain texts, follow-ups, and what goes wrong."""

from typing import Any

import pytest

from tests.a2a_servers.tool_server import CRASH_TEXT
from tests.a2a_servers.world import TRACEPARENT, World, answer_in

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

WEATHER = {"city": "上海", "date": "2026-08-17"}
TRAIN = {"from_city": "北京", "to_city": "上海", "date": "2026-08-17"}


def caller(**fields: Any) -> dict[str, Any]:
    return {"smartvoyage": {"user_id": "u1", "session_id": "s1", **fields}, "traceparent": TRACEPARENT}


async def test_a_data_part_request_brings_typed_rows_and_words(world: World) -> None:
    task = await world.send({"data": {"thought": "看天气", "action_code": [
        {"tool_name": "query weather", "parameter": WEATHER, "job_desc": "上海明天的天气", "trust_mode": 1}
    ]}})
    answer = answer_in(task)
    assert task["status"]["state"] == "TASK_STATE_COMPLETED"
    assert answer["status"] == "completed"
    assert answer["data"]["kind"] == "weather"
    assert answer["data"]["rows"][0]["temp_max_c"] == 31
    assert "上海8月17日" in answer["observation"]
    assert task["artifacts"][0]["parts"][1]["text"] == answer["observation"]
    assert answer["rounds"][0]["thought"] == "看天气"


async def test_a_tool_can_be_named_by_its_own_name(world: World) -> None:
    assert (await world.ask("query_weather", WEATHER))["status"] == "completed"


async def test_slots_that_the_tool_does_not_know_are_left_out(world: World) -> None:
    await world.ask("query weather", {**WEATHER, "quantity": 2, "sort": "price"})
    assert world.tools.calls[0][1] == {**WEATHER, "date_end": None}


async def test_what_is_missing_is_asked_for_in_one_question(world: World) -> None:
    task = await world.send({"data": {"action_code": [
        {"tool_name": "query train tickets", "parameter": {"to_city": "上海"}}
    ]}})
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    assert answer_in(task)["observation"] == "请问从哪个城市出发、打算哪天出发呢？"
    assert not world.tools.calls


async def test_what_is_missing_is_read_from_the_job_description(world: World) -> None:
    await world.send({"data": {"action_code": [
        {"tool_name": "query train tickets", "parameter": {"to_city": "上海"}, "job_desc": "明天北京到上海的高铁"}
    ]}})
    assert world.tools.calls[0][1] == TRAIN


async def test_words_that_had_to_be_read_are_read_wholly(world: World) -> None:
    action = {"tool_name": "query train tickets", "job_desc": "明天北京到上海的高铁一等座"}
    answer = answer_in(await world.send({"data": {"action_code": [action]}}))
    assert [row["seat_class"] for row in answer["data"]["rows"]] == ["一等座"]


async def test_a_given_parameter_wins_over_the_words(world: World) -> None:
    await world.send({"data": {"action_code": [
        {"tool_name": "query weather", "parameter": {"city": "杭州"}, "job_desc": "明天上海天气"}
    ]}})
    assert world.tools.calls[0][1]["city"] == "杭州"


async def test_a_plain_text_is_read_run_and_worded(world: World) -> None:
    answer = await world.say("明天北京到上海的高铁，再看看上海天气")
    assert {call[0] for call in world.tools.calls} == {"query_train_tickets", "query_weather"}
    assert answer["status"] == "completed"
    assert answer["data"]["kind"] == "mixed"
    assert {row["kind"] for row in answer["data"]["rows"]} == {"train", "weather"}


async def test_a_text_that_asks_for_nothing_known_is_answered_with_what_can_be_asked(world: World) -> None:
    answer = await world.say("给我讲个笑话")
    assert answer["status"] == "input_required"
    assert "明天上海天气怎么样" in answer["observation"]


async def test_the_answer_to_a_question_completes_the_task(world: World) -> None:
    asked = await world.send({"text": "北京到上海的高铁"})
    assert asked["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    task = await world.send({"text": "明天"}, taskId=asked["id"])
    assert task["status"]["state"] == "TASK_STATE_COMPLETED"
    assert world.tools.calls[0][1] == TRAIN


async def test_a_past_date_is_refused_with_a_question(world: World) -> None:
    answer = await world.say("昨天北京到上海的高铁")
    assert answer["status"] == "input_required"
    assert "已经过去" in answer["observation"]


async def test_a_tools_refusal_is_told_in_the_tools_words(world: World) -> None:
    task = await world.send({"data": {"action_code": [
        {"tool_name": "query weather", "parameter": {"city": "火星", "date": "2026-08-17"}}
    ]}})
    assert task["status"]["state"] == "TASK_STATE_FAILED"
    assert answer_in(task)["observation"] == "没有找到“火星”这个城市，请核对城市名。"


async def test_a_tools_crash_never_shows_its_text(world: World) -> None:
    task = await world.send({"data": {"action_code": [
        {"tool_name": "query weather", "parameter": {"city": "崩溃", "date": "2026-08-17"}}
    ]}})
    assert CRASH_TEXT not in str(task)
    assert answer_in(task)["observation"] == "抱歉，暂时查不到，请稍后再试。"


async def test_arguments_that_the_tool_rejects_do_not_leak_its_complaint(world: World) -> None:
    answer = await world.ask("query weather", {"city": ["上海"], "date": "2026-08-17"})
    assert answer["status"] == "failed"
    assert "validation" not in str(answer)


async def test_nothing_found_is_a_completed_answer_with_a_kind_sentence(world: World) -> None:
    answer = await world.ask("query weather", {"city": "空城", "date": "2026-08-17"})
    assert answer["status"] == "completed"
    assert answer["data"]["rows"] == []
    assert "核对一下城市和日期" in answer["observation"]


async def test_an_unknown_skill_is_said_to_be_unavailable(world: World) -> None:
    answer = await world.ask("query moon tickets", {})
    assert answer["status"] == "failed"
    assert answer["observation"] == "抱歉，这项服务暂时不提供。"


async def test_one_failing_action_leaves_the_others_their_results(world: World) -> None:
    task = await world.send({"data": {"action_code": [
        {"tool_name": "query weather", "parameter": {"city": "火星", "date": "2026-08-17"}},
        {"tool_name": "query weather", "parameter": WEATHER},
    ]}})
    answer = answer_in(task)
    assert answer["status"] == "completed"
    assert len(answer["data"]["rows"]) == 1
    assert "火星" in answer["observation"]
    assert len(answer["rounds"]) == 2


@pytest.mark.parametrize("data", [
    {"foo": 1}, {"action_code": []}, {"action_code": [{}]}, {"action_code": "x"},
    {"action_code": [{"tool_name": "x"}] * 6}, {"action_code": [{"tool_name": "x", "trust_mode": 7}]},
])
async def test_a_malformed_data_part_is_refused_clearly(world: World, data: dict[str, Any]) -> None:
    task = await world.send({"data": data})
    answer = answer_in(task)
    assert task["status"]["state"] == "TASK_STATE_FAILED"
    assert answer["observation"].startswith("请求的数据部分")
    assert "Traceback" not in str(task)


async def test_an_order_is_never_placed_without_a_confirmed_offer(world: World) -> None:
    unconfirmed = await world.ask("order train tickets", {"item_id": "t-1", "quantity": 1})
    assert unconfirmed["status"] == "input_required"
    assert not world.tools.calls
    await world.ask("order train tickets", {"item_id": "t-1", "quantity": 1}, caller(offer_id="o-1"))
    assert [call[0] for call in world.tools.calls] == ["order_train_ticket"]


async def test_identity_trace_and_offer_travel_in_the_metadata_only(world: World) -> None:
    await world.ask("query weather", WEATHER, caller(idempotency_key="k-1"))
    _, arguments, meta = world.tools.calls[0]
    assert meta["smartvoyage"]["user_id"] == "u1"
    assert meta["smartvoyage"]["session_id"] == "s1"
    assert meta["smartvoyage"]["idempotency_key"] == "k-1"
    assert "u1" not in str(arguments)


async def test_each_tool_call_is_a_new_span_of_the_same_trace(world: World) -> None:
    await world.ask("query weather", WEATHER, caller())
    version, trace, span, _ = world.tools.calls[0][2]["traceparent"].split("-")
    assert (version, trace) == ("00", TRACEPARENT.split("-")[1])
    assert span != TRACEPARENT.split("-")[2]


async def test_the_time_left_shrinks_on_its_way_to_the_tool(world: World) -> None:
    await world.ask("query weather", WEATHER, caller(remaining_ms=8000))
    assert 0 < world.tools.calls[0][2]["smartvoyage"]["remaining_ms"] < 8000


async def test_a_tool_that_does_not_answer_in_time_is_given_up(world: World) -> None:
    answer = await world.ask("query weather", {"city": "慢城", "date": "2026-08-17"}, caller(remaining_ms=300))
    world.tools.released.set()
    assert answer["status"] == "failed"
    assert answer["observation"] == "抱歉，时间不够，没来得及查完，请稍后再试。"


async def test_without_time_nothing_is_called(world: World) -> None:
    answer = await world.ask("query weather", WEATHER, caller(remaining_ms=0))
    assert answer["status"] == "failed"
    assert not world.tools.calls


async def test_wording_switched_off_brings_the_brief_form(world: World) -> None:
    full = await world.ask("query train tickets", TRAIN, caller())
    brief = await world.ask("query train tickets", TRAIN, caller(wording=False))
    assert len(brief["observation"]) < len(full["observation"])
    assert "\n" not in brief["observation"]


async def test_a_running_task_can_be_cancelled(world: World) -> None:
    action = {"tool_name": "query weather", "parameter": {"city": "慢城", "date": "2026-08-17"}}
    message = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"data": {"action_code": [action]}}]}
    started = await world.rpc(
        "SendMessage", {"message": message, "configuration": {"returnImmediately": True}}
    )
    task_id = started["result"]["task"]["id"]
    cancelled = await world.rpc("CancelTask", {"id": task_id})
    world.tools.released.set()
    assert cancelled["result"]["status"]["state"] == "TASK_STATE_CANCELED"

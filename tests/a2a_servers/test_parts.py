"""The agent's parts by themselves: schemas, task store, services, asking back, results of foreign tools."""

import mcp_types
import pytest
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import Task, TaskState, TaskStatus

from a2a_servers.asking import ask_for, explain
from a2a_servers.commands import services
from a2a_servers.goods import order_id_in, quantity_in
from a2a_servers.results import data_of, merged
from a2a_servers.schemas import FOLDER, schemas
from a2a_servers.task_store import BoundedTaskStore
from a2a_servers.tool_wire import answer_of, tool_of
from a2a_servers.tools import Tool, ToolAnswer, ToolFailed, ToolRefused
from core.language.frames import Trouble
from core.shared.clock import ManualClock
from core.shared.errors import SettingsError
from core.shared.json_types import JsonValue
from core.shared.settings import parse_settings
from core.types.agent_protocol import ResultData
from tests.a2a_servers.world import NOON

CONTEXT = ServerCallContext()
TOOL = Tool("find", "query hotels", "hotel", "", parameters=frozenset({"city", "date"}), required=("city",))


def task(name: str, state: TaskState = TaskState.TASK_STATE_COMPLETED) -> Task:
    return Task(id=name, context_id="c", status=TaskStatus(state=state))


def test_the_published_schemas_are_current() -> None:
    for name, text in schemas().items():
        assert (FOLDER / name).read_text("utf-8") == text, "run: python -m a2a_servers.schemas"


async def test_the_task_store_drops_the_oldest_finished_tasks() -> None:
    store = BoundedTaskStore(ManualClock(NOON), max_tasks=2)
    await store.save(task("running", TaskState.TASK_STATE_WORKING), CONTEXT)
    for name in ("a", "b", "c"):
        await store.save(task(name), CONTEXT)
    assert await store.get("a", CONTEXT) is None
    for name in ("b", "c", "running"):
        assert await store.get(name, CONTEXT) is not None


async def test_the_task_store_drops_tasks_that_are_too_old() -> None:
    clock = ManualClock(NOON)
    store = BoundedTaskStore(clock, max_age_s=60)
    await store.save(task("old"), CONTEXT)
    clock.advance(61)
    await store.save(task("new"), CONTEXT)
    assert await store.get("old", CONTEXT) is None
    assert await store.get("new", CONTEXT) is not None


async def test_what_the_task_store_gives_out_is_a_copy() -> None:
    store = BoundedTaskStore(ManualClock(NOON))
    await store.save(task("a"), CONTEXT)
    given = await store.get("a", CONTEXT)
    assert given is not None
    given.context_id = "changed"
    kept = await store.get("a", CONTEXT)
    assert kept is not None
    assert kept.context_id == "c"


def agents(**changes: str) -> list[dict[str, str]]:
    names = ("WeatherQueryAssistant", "TicketAssistant", "TripAssistant")
    return [
        {"name": name, "a2a_url": f"http://127.0.0.1:600{n}", "mcp_url": f"http://127.0.0.1:500{n}/mcp", **changes}
        for n, name in enumerate(names, 1)
    ]


def test_the_services_listen_where_the_configuration_says() -> None:
    found = services(parse_settings({"agents": agents()}), ManualClock(NOON))
    assert [(service.name, service.port) for service in found] == [
        ("a2a-weather", 6001), ("a2a-ticket", 6002), ("a2a-trip", 6003)
    ]


def test_only_the_agents_that_are_configured_are_served() -> None:
    named = services(parse_settings({"agents": agents()[:1]}), ManualClock(NOON))
    assert [service.name for service in named] == ["a2a-weather"]


def test_an_entry_without_a_tool_server_is_named() -> None:
    entries = agents()
    del entries[0]["mcp_url"]
    weather = services(parse_settings({"agents": entries}), ManualClock(NOON))[0]
    with pytest.raises(SettingsError, match="WeatherQueryAssistant: mcp_url"):
        weather.make_app()


def test_three_travellers_need_three_seats_but_one_car() -> None:
    assert quantity_in({"adults": 2, "children": 1}, "train") == 3
    assert quantity_in({"adults": 2, "children": 1}, "car_rental") == 1


@pytest.mark.parametrize(("words", "found"), [
    ("取消订单SV112345678901234567", "SV112345678901234567"), ("把1234567890退了", "1234567890"),
    ("取消G1", None), ("2026-08-17的票", None),
])
def test_an_order_number_is_known_by_its_length(words: str, found: str | None) -> None:
    assert order_id_in(words) == found


def test_a_question_for_several_things_is_one_sentence() -> None:
    assert ask_for(TOOL, ["city", "date"]) == "请问是哪个城市、是哪一天呢？"


@pytest.mark.parametrize(("trouble", "part"), [
    (Trouble("past_date", "date", "昨天"), "“昨天”已经过去"),
    (Trouble("impossible_date", "date", "2月30号"), "没有“2月30号”"),
    (Trouble("unknown_place", "city", "霍格沃茨"), "“霍格沃茨”"),
    (Trouble("same_place", "to_city"), "同一个地方"),
    (Trouble("ambiguous", "city", "海南"), "“海南”"),
    (Trouble("bad_count", "quantity", "0"), "数量“0”不对"),
    (Trouble("unsupported", "action", "改签"), "暂时还不能改签，可以先取消"),
])
def test_every_trouble_has_its_sentence(trouble: Trouble, part: str) -> None:
    assert part in explain(trouble)


@pytest.mark.parametrize(("content", "rows"), [
    ({"kind": "hotel", "rows": [{"a": 1}], "more": 2}, 1),
    ({"rows": []}, 0),
    ({"result": [{"a": 1}, {"a": 2}]}, 2),
    ({"name": "one"}, 1),
])
def test_a_foreign_tools_content_becomes_rows(content: JsonValue, rows: int) -> None:
    data = data_of(TOOL, ToolAnswer(content, ""))
    assert data is not None
    assert (data.kind, len(data.rows)) == ("hotel", rows)


@pytest.mark.parametrize("content", [None, "text", {"result": "text"}, {"rows": 7}])
def test_content_without_rows_is_none(content: JsonValue) -> None:
    data = data_of(TOOL, ToolAnswer(content, "words"))
    assert data is None or data.rows == [{"result": "text"}]


def test_results_of_one_kind_are_joined_and_of_several_are_mixed() -> None:
    train, more = ResultData(kind="train", rows=[{"a": 1}], more=1), ResultData(kind="train", rows=[{"a": 2}], more=2)
    joined = merged([train, more])
    assert joined == ResultData(kind="train", rows=[{"a": 1}, {"a": 2}], more=3)
    mixed = merged([train, ResultData(kind="weather", rows=[{"b": 1}])])
    assert mixed is not None
    assert mixed.rows == [{"kind": "train", "a": 1}, {"kind": "weather", "b": 1}]


def result(text: str) -> mcp_types.CallToolResult:
    return mcp_types.CallToolResult(content=[mcp_types.TextContent(type="text", text=text)], is_error=True)


def test_only_a_deliberate_chinese_refusal_is_for_the_person() -> None:
    with pytest.raises(ToolRefused, match=r"^没有这个城市。$"):
        answer_of(result("Error executing tool x: 没有这个城市。"))
    for inner in ("Error executing tool x", "Error executing tool x: disk full", ""):
        with pytest.raises(ToolFailed):
            answer_of(result(inner))


def test_rejected_arguments_are_a_fault_of_ours_not_words_for_the_person() -> None:
    with pytest.raises(ToolFailed):
        answer_of(result("Error executing tool x: 1 validation error for xArguments\ndate\n  input_value='北京'"))


def test_a_tool_without_words_of_its_own_is_its_own_skill() -> None:
    tool = tool_of(mcp_types.Tool(name="find_boats", description="Boats.", input_schema={"type": "object"}))
    assert (tool.intent, tool.kind, tool.description) == ("find_boats", "find_boats", "Boats.")
    assert not tool.read_only

"""One sentence through all layers: HTTP, core, A2A, MCP, SQL and back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from core.shared.serving import running
from tests.support.log_lines import log_lines
from tests.support.whole import Whole, free_settings, services_of, whole

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

FIRST_SENTENCE = "帮我查明天北京到上海的机票，顺便看看上海天气，再推荐几个景点"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_whole(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    async with whole(free_settings(tmp_path_factory.mktemp("data"))) as started:
        await started.until("ok")
        yield started


async def test_the_first_sentence_is_answered_from_three_sources(running_whole: Whole) -> None:
    body = await running_whole.ask(FIRST_SENTENCE, user_id="u1")
    assert body["status"] == "answered"
    assert body["intents"] == ["query flight tickets", "query weather", "attraction"]
    flights, weather, sights = [step["data"]["rows"] for step in body["steps"]]
    assert {(row["from_city"], row["to_city"], row["date"]) for row in flights} == {("北京", "上海", "2026-08-17")}
    assert (weather[0]["city"], weather[0]["date"]) == ("上海", "2026-08-17")
    assert flights[0]["flight_no"] in body["reply"]
    assert sights[0]["title"] in body["reply"]
    assert "演示数据" in body["reply"]
    assert len(body["reply"]) <= 300


async def test_every_step_names_its_agent(running_whole: Whole) -> None:
    body = await running_whole.ask(FIRST_SENTENCE)
    assert [step["agent"] for step in body["steps"]] == ["TicketAssistant", "WeatherQueryAssistant", None]


@pytest.mark.parametrize(
    ("query", "kind", "says"),
    [
        ("明天上海天气怎么样", "weather", "上海"),
        ("后天杭州到南京的高铁二等座", "train", "二等座"),
        ("明天广州飞北京的航班", "flight", "航班"),
        ("成都两日游有什么团", "tour_group", "成都"),
    ],
)
async def test_each_kind_of_question_brings_typed_rows(running_whole: Whole, query: str, kind: str, says: str) -> None:
    body = await running_whole.ask(query)
    data = body["steps"][-1]["data"]
    assert (body["status"], data["kind"]) == ("answered", kind)
    assert data["rows"]
    assert says in body["reply"]


async def test_a_tour_of_a_length_that_nobody_sells_is_put_together(running_whole: Whole) -> None:
    body = await running_whole.ask("成都三日游")
    assert body["rounds"] >= 2
    assert "3天" in body["reply"]
    assert "接起来" in body["reply"]


async def test_nothing_found_is_a_clear_answer(running_whole: Whole) -> None:
    body = await running_whole.ask("明天拉萨到三亚的高铁")
    assert body["status"] == "answered"
    assert body["steps"][0]["data"]["rows"] == []
    assert "没有" in body["reply"]


async def test_five_kinds_of_bad_luck_have_five_different_answers(running_whole: Whole) -> None:
    queries = ("霍格沃茨明天天气", "昨天上海天气", "明天拉萨到三亚的高铁")
    told = [(await running_whole.ask(query))["reply"] for query in queries]
    for content in (b'{"query": "  "}', b"{no json"):
        json_type = {"content-type": "application/json"}
        response = await running_whole.client.post("/api/chat", content=content, headers=json_type)
        assert response.status_code == 422
        told.append(response.json()["detail"])
    assert len(set(told)) == 5


async def test_one_trace_runs_through_everything(running_whole: Whole) -> None:
    with log_lines() as lines:
        body = await running_whole.ask("明天上海天气怎么样")
    traced = {line["logger"].split(".")[0] for line in lines if line.get("trace_id") == body["trace_id"]}
    assert {"core", "a2a_servers", "mcp_server"} <= traced


async def test_the_agents_route_shows_skills_that_came_from_the_tools(running_whole: Whole) -> None:
    agents = (await running_whole.client.get("/api/agents")).json()["agents"]
    skills = {skill["name"] for agent in agents for skill in agent["skills"]}
    assert {"query weather", "query train tickets", "query flight tickets", "query tour group"} <= skills
    assert (await running_whole.client.get("/health")).json()["status"] == "ok"


async def test_a_killed_agent_costs_only_its_step_and_joins_again_by_itself(tmp_path: Path) -> None:
    settings = free_settings(tmp_path)
    services = services_of(settings)
    async with AsyncExitStack() as agent, whole(settings, without=("a2a-weather",)) as started:
        await agent.enter_async_context(running([services["a2a-weather"]]))
        await started.until("ok")
        await agent.aclose()
        body = await started.ask(FIRST_SENTENCE)
        assert body["status"] == "partial"
        assert [step["status"] for step in body["steps"]] == ["ok", "failed", "ok"]
        assert "天气服务暂不可用" in body["reply"]
        async with running([services["a2a-weather"]]):
            await started.until("ok")
            assert (await started.ask(FIRST_SENTENCE))["status"] == "answered"


async def test_a_killed_tool_server_costs_only_its_step_and_comes_back(tmp_path: Path) -> None:
    settings = free_settings(tmp_path)
    services = services_of(settings)
    async with AsyncExitStack() as tools, whole(settings, without=("mcp-weather",)) as started:
        await tools.enter_async_context(running([services["mcp-weather"]]))
        await started.until("ok")
        await tools.aclose()
        body = await started.ask(FIRST_SENTENCE)
        assert (body["status"], body["steps"][1]["status"]) == ("partial", "failed")
        async with running([services["mcp-weather"]]):
            async with asyncio.timeout(20):
                while (await started.ask(FIRST_SENTENCE))["status"] != "answered":  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
        assert started.settings is settings

"""The card follows the tools, and the agent lives through its tool server's absence."""

import pytest
from mcp.server.mcpserver import MCPServer

from tests.a2a_servers.tool_server import READ_ONLY, Rows, ToolServer
from tests.a2a_servers.world import World, agent_beside, agent_with_tools
from tests.support.whole import free_port

pytestmark = pytest.mark.wire

WEATHER = {"city": "上海", "date": "2026-08-17"}
SKILLS = ["query weather", "query train tickets", "order train tickets"]


def add_boats(server: MCPServer) -> None:
    @server.tool(annotations=READ_ONLY, meta={"smartvoyage": {"intent": "query boats", "kind": "boat"}})
    async def query_boats(city: str) -> Rows:
        """Boats."""
        return Rows(kind="boat", rows=[])


async def test_the_card_says_what_the_tools_say() -> None:
    async with agent_with_tools() as world:
        card = (await world.http.get("/.well-known/agent-card.json")).json()
    assert card["name"] == "TestAssistant"
    assert [skill["name"] for skill in card["skills"]] == SKILLS
    weather = card["skills"][0]
    assert weather["id"] == "query_weather"
    assert weather["tags"] == ["天气", "气温", "下雨"]
    assert "明天上海天气怎么样" in weather["examples"]
    bindings = {(face["protocolBinding"], face["protocolVersion"]) for face in card["supportedInterfaces"]}
    assert bindings == {("JSONRPC", "1.0"), ("HTTP+JSON", "1.0"), ("JSONRPC", "0.3")}


async def test_without_tools_the_agent_has_no_skills_and_still_answers() -> None:
    async with agent_beside(ToolServer(free_port())) as world:
        assert await world.skills() == []
        assert (await world.http.get("/health")).json() == {"status": "degraded", "tools": False}
        answer = await world.ask("query weather", WEATHER)
    assert answer["status"] == "failed"
    assert answer["observation"] == "抱歉，查询服务暂时连不上，请稍后再试。"


async def test_tools_that_come_late_join_by_themselves() -> None:
    tools = ToolServer(free_port())
    async with agent_beside(tools) as world:
        assert await world.skills() == []
        async with tools.running():
            await world.until_tools_are(True)
            assert await world.skills() == SKILLS
            assert (await world.ask("query weather", WEATHER))["status"] == "completed"


async def test_a_tool_server_that_goes_and_comes_back_is_used_again() -> None:
    tools = ToolServer(free_port())
    async with agent_beside(tools) as world:
        async with tools.running():
            await world.until_tools_are(True)
            assert (await world.ask("query weather", WEATHER))["status"] == "completed"
        away = await world.ask("query weather", WEATHER, {"smartvoyage": {"remaining_ms": 2000}})
        assert away["status"] == "failed"
        assert away["observation"] == "抱歉，查询服务暂时连不上，请稍后再试。"
        await world.until_tools_are(False)
        assert await world.skills() == SKILLS
        async with tools.running():
            await world.until_tools_are(True)
            assert (await world.ask("query weather", WEATHER))["status"] == "completed"


async def test_a_changed_set_of_tools_changes_the_card() -> None:
    tools = ToolServer(free_port())
    async with agent_beside(tools) as world:
        async with tools.running():
            await world.until_tools_are(True)
        await world.until_tools_are(False)
        tools.extra_tools.append(add_boats)
        async with tools.running():
            await world.until_tools_are(True)
            assert await world.skills() == [*SKILLS, "query boats"]


async def test_the_card_says_whether_the_tools_can_be_used_and_keeps_the_skills() -> None:
    tools = ToolServer(free_port())
    async with agent_beside(tools) as world:
        async with tools.running():
            await world.until_tools_are(True)
            assert await _reachable(world) == [True, True]
        await world.until_tools_are(False)
        assert await _reachable(world) == [False, False]
        assert await world.skills() == SKILLS


async def _reachable(world: World) -> list[bool]:
    """What the card and its older form say of the tools."""
    cards = [(await world.http.get(f"/.well-known/{name}.json")).json() for name in ("agent-card", "agent")]
    extensions = [card["capabilities"]["extensions"][0] for card in cards]
    assert {extension["uri"] for extension in extensions} == {"smartvoyage/tools"}
    return [extension["params"]["reachable"] for extension in extensions]

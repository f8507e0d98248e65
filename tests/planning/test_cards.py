"""The declarations of the house's tools reach the DAG over the real cards."""

from datetime import datetime
from pathlib import Path

from a2a_servers.card import make_card
from a2a_servers.planning import planning_of
from a2a_servers.ticket_agent import SPEC
from a2a_servers.tool_wire import tool_of
from a2a_servers.tools import Tool
from core.adapters.agents.a2a_wire import skills_of
from core.reasoning.tools_dag import build_dag
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import AgentEntry
from core.types.network import AgentView
from mcp_server import mcp_ticket, mcp_trip, mcp_weather
from mcp_server.business_data import BusinessData


async def test_every_tool_of_the_house_joins(tmp_path: Path) -> None:
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    data = BusinessData(f"sqlite:///{tmp_path / 'unused.db'}", clock)
    entry = AgentEntry(name="TicketAssistant", a2a_url="http://127.0.0.1:1")
    agents = []
    for name, module in (("weather", mcp_weather), ("ticket", mcp_ticket), ("trip", mcp_trip)):
        tools = [tool_of(listed) for listed in await module.make_server(data, clock).list_tools()]
        card = make_card(SPEC, entry, tools, reachable=True)
        agents.append(AgentView(name, "http://x", healthy=True, skills=skills_of(card)))
    data.engine.dispose()
    dag = build_dag(agents)
    assert dag.faults == ()
    assert sum(not tool.inside for tool in dag.tools) == 17
    (order,) = dag.closing("order train tickets")
    assert [need.type for need in dag.tools[order].needs] == ["ticket/train.price", "ticket/train.item_id"]


def test_what_a_tool_does_not_declare_is_told_from_its_schema() -> None:
    plain = Tool("query_boats", "query boats", "boat", "", required=("city", "date"))
    buying = Tool(
        "order_boat", "order boats", "boat", "", required=("item_id", "quantity", "expected_price"),
        quotes_with="query_boats",
    )
    assert planning_of([plain, buying])["skills"] == {
        "query_boats": {"kind": "boat", "needs": ["city", "date"]},
        "order_boat": {
            "kind": "boat", "needs": {"item_id": "item_id", "expected_price": "price"}, "quotes_with": "query_boats",
        },
    }

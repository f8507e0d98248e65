"""The servers as they are deployed: uvicorn, Streamable HTTP, one database between them."""

import asyncio
import datetime as dt
from pathlib import Path
from typing import cast

import httpx
import pytest
from mcp import Client
from mcp_types import RequestParamsMeta

from core.shared.call_context import from_metadata
from core.shared.clock import ManualClock
from core.shared.serving import running
from core.shared.settings import parse_settings
from mcp_server.business_data import BusinessData
from mcp_server.commands import services
from tests.mcp_server.servers import ASKED, filled_url, said, services_by_name, settings_on_free_ports
from tests.mcp_tools.demo_file import NOW, copy_to, sqlite_only, url_of
from tests.support.log_lines import log_lines

SERVER_OF = {
    "query_weather": "mcp-weather", "query_train_tickets": "mcp-ticket", "query_flight_tickets": "mcp-ticket",
    "query_concert_tickets": "mcp-ticket", "query_car_rental": "mcp-trip", "query_tour_group": "mcp-trip",
    "query_insurance": "mcp-trip",
}
PLACE_OF = {"query_concert_tickets": "city", "query_insurance": "destination"}

pytestmark = pytest.mark.wire


async def test_every_tool_answers_over_the_wire(tmp_path: Path) -> None:
    by_name = services_by_name(settings_on_free_ports(filled_url(), tmp_path), ManualClock(NOW))
    async with running(list(by_name.values())):
        for tool, arguments in ASKED.items():
            async with Client(f"{by_name[SERVER_OF[tool]].url}/mcp") as client:
                result = await client.call_tool(tool, arguments)
                assert (result.structured_content or {})["rows"], said(result)
                refused = await client.call_tool(tool, {**arguments, PLACE_OF.get(tool, next(iter(arguments))): "火星"})
                assert refused.is_error
                assert "“火星”" in said(refused)


async def test_a_call_is_logged_with_the_callers_trace_id(tmp_path: Path) -> None:
    service = services_by_name(settings_on_free_ports(filled_url(), tmp_path), ManualClock(NOW))["mcp-weather"]
    context = from_metadata({}, default_remaining_ms=5_000)
    meta = cast(RequestParamsMeta, context.to_metadata())
    with log_lines() as lines:
        async with running([service]), Client(f"{service.url}/mcp") as client:
            await client.call_tool("query_weather", ASKED["query_weather"], meta=meta)
    line = next(line for line in lines if line["message"] == "tool call")
    assert line["trace_id"] == context.trace_id
    assert (line["tool"], line["outcome"]) == ("query_weather", "ok")


async def test_health_says_whether_the_database_answers(tmp_path: Path) -> None:
    path = copy_to(tmp_path)
    service = services_by_name(settings_on_free_ports(url_of(path), tmp_path), ManualClock(NOW))["mcp-trip"]
    async with running([service]), httpx.AsyncClient(base_url=service.url) as client:
        healthy = await client.get("/health")
    assert (healthy.status_code, healthy.json()) == (200, {"status": "ok"})


async def test_a_database_that_is_away_at_the_start_makes_the_service_unhealthy_not_dead(tmp_path: Path) -> None:
    settings = settings_on_free_ports(url_of(tmp_path / "folder.db"), tmp_path)
    (tmp_path / "folder.db").mkdir()  # no database can be opened there
    service = services_by_name(settings, ManualClock(NOW))["mcp-trip"]
    async with running([service]), httpx.AsyncClient(base_url=service.url) as client:
        down = await client.get("/health")
        async with Client(f"{service.url}/mcp") as caller:
            result = await caller.call_tool("query_tour_group", ASKED["query_tour_group"])
    assert down.status_code == 503
    assert down.json() == {"status": "down", "detail": "the database does not answer"}
    assert result.is_error
    assert str(tmp_path) not in said(result)


@pytest.mark.parametrize(("host", "status"), [("evil.example", 421), ("mcp-trip:5003", 406)])
async def test_a_foreign_host_is_turned_away(tmp_path: Path, host: str, status: int) -> None:
    service = services_by_name(settings_on_free_ports(filled_url(), tmp_path), ManualClock(NOW))["mcp-trip"]
    async with running([service]), httpx.AsyncClient(base_url=service.url) as client:
        headers = {"host": host, "content-type": "application/json", "accept": "text/plain"}
        response = await client.post("/mcp", headers=headers, json={})
    assert response.status_code == status


async def test_a_web_page_of_another_origin_is_turned_away(tmp_path: Path) -> None:
    service = services_by_name(settings_on_free_ports(filled_url(), tmp_path), ManualClock(NOW))["mcp-trip"]
    async with running([service]), httpx.AsyncClient(base_url=service.url) as client:
        response = await client.post("/mcp", headers={"origin": "https://evil.example"}, json={})
    assert response.status_code == 403


@sqlite_only
async def test_starting_a_server_brings_an_old_installation_up_to_date(tmp_path: Path) -> None:
    path = copy_to(tmp_path)
    clock = ManualClock(NOW + dt.timedelta(days=2))
    service = services_by_name(settings_on_free_ports(url_of(path), tmp_path), clock)["mcp-ticket"]
    async with running([service]), Client(f"{service.url}/mcp") as client:
        last = {**ASKED["query_train_tickets"], "date": "2026-09-16"}
        result = await client.call_tool("query_train_tickets", last)
    assert (result.structured_content or {})["rows"]


async def test_servers_of_one_process_share_the_data_until_the_last_one_ends(tmp_path: Path) -> None:
    data = BusinessData(url_of(copy_to(tmp_path)), ManualClock(NOW))
    async with data.open():
        async with data.open():
            assert data.trouble() is None
        assert data.trouble() is None
        assert data.engine.pool.checkedin() > 0  # type: ignore[attr-defined]
    assert data.engine.pool.checkedin() == 0  # type: ignore[attr-defined]
    assert not any(task.get_name() == "demo data upkeep" for task in asyncio.all_tasks())


def test_services_take_their_place_from_the_config(tmp_path: Path) -> None:
    settings = settings_on_free_ports(filled_url(), tmp_path, services={"host": "127.0.0.1"})
    found = services(settings, ManualClock(NOW))
    assert [service.name for service in found] == ["mcp-weather", "mcp-ticket", "mcp-trip", "weather-collector"]
    assert [f"{service.url}/mcp" for service in found[:3]] == [entry.mcp_url for entry in settings.agents]
    assert not found[3].in_all, "only who asks for it gets a process that goes out to the internet"


def test_an_agent_without_a_tool_server_of_ours_starts_none() -> None:
    agents = [{"name": "TicketAssistant", "a2a_url": "http://127.0.0.1:1"}]
    found = services(parse_settings({"agents": agents}), ManualClock(NOW))
    assert [service.name for service in found] == ["weather-collector"]

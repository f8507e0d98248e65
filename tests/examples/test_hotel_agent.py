"""The example agent keeps its promises: it stands alone, and answers our requests and plain texts."""

import ast
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.shared.serving import Service, running
from core.types.agent_protocol import AgentRequest, AgentResponse
from examples.hotel_agent import hotel_agent

pytestmark = pytest.mark.wire


@contextlib.asynccontextmanager
async def hotels() -> AsyncIterator[httpx.AsyncClient]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    service = Service("hotels", "127.0.0.1", port, lambda: hotel_agent.create_app(url))
    async with running([service]), httpx.AsyncClient(base_url=url, trust_env=False) as http:
        yield http


async def send(http: httpx.AsyncClient, part: dict[str, Any]) -> AgentResponse:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [part]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}}
    task = (await http.post("/", json=body, headers={"A2A-Version": "1.0"})).json()["result"]["task"]
    parts = [part for artifact in task.get("artifacts", []) for part in artifact["parts"]]
    parts += task["status"].get("message", {}).get("parts", [])
    return AgentResponse.model_validate(parts[0]["data"])


def request(**parameter: Any) -> dict[str, Any]:
    asked = AgentRequest.model_validate({"action_code": [{"tool_name": "query hotels", "parameter": parameter}]})
    return {"data": asked.model_dump(mode="json")}


def test_the_example_imports_nothing_of_ours() -> None:
    tree = ast.parse(Path(hotel_agent.__file__).read_text("utf-8"))
    names = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        )
    }
    assert not names & {"core", "a2a_servers", "mcp_server", "mcp_tools", "main"}


async def test_its_card_offers_hotels_in_chinese_words() -> None:
    async with hotels() as http:
        card = (await http.get("/.well-known/agent-card.json")).json()
    skill = card["skills"][0]
    assert skill["name"] == "query hotels"
    assert {"酒店", "住宿", "宾馆"} <= set(skill["tags"])
    assert "上海的酒店" in skill["examples"]


async def test_our_request_brings_sellable_rows() -> None:
    async with hotels() as http:
        answer = await send(http, request(city="上海"))
    assert answer.status == "completed"
    assert answer.data is not None
    assert answer.data.kind == "hotel"
    assert [row["price"] for row in answer.data.rows] == ["359.00", "428.00", "688.00"]
    assert {"item_id", "title", "price", "remaining"} <= set(answer.data.rows[0])


async def test_a_price_limit_is_kept_in_slots_and_in_words() -> None:
    async with hotels() as http:
        by_slot = await send(http, request(city="上海", price_max="450.00"))
        by_text = await send(http, {"text": "上海450元以内的酒店"})
    assert by_slot.data is not None
    assert by_slot.data == by_text.data
    assert len(by_slot.data.rows) == 2


async def test_a_plain_text_is_understood() -> None:
    async with hotels() as http:
        answer = await send(http, {"text": "成都有什么民宿"})
    assert "锦里竹影客栈" in answer.observation


async def test_without_a_city_it_asks() -> None:
    async with hotels() as http:
        answer = await send(http, {"text": "找个酒店"})
    assert answer.status == "input_required"


async def test_a_city_without_hotels_is_said_kindly() -> None:
    async with hotels() as http:
        answer = await send(http, request(city="漠河"))
    assert answer.status == "completed"
    assert answer.data is not None
    assert answer.data.rows == []
    assert "漠河" in answer.observation

"""The HTTP contract, over the real application and an in-memory network."""

import contextlib
import json
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.bootstrap import build_backend
from core.gateway.app import create_app
from core.service import Backend
from core.shared.call_context import CallContext
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import load_settings
from core.types.agent_protocol import AgentRequest, AgentResponse
from tests.support.network import InMemoryNetwork, answering
from tests.support.stores import in_memory_stores

SETTINGS = load_settings(Path(__file__).parents[2] / "config.yaml", {})


async def breaks(request: AgentRequest, context: CallContext) -> AgentResponse:
    raise RuntimeError("password=hunter2")


@pytest.fixture
def network() -> InMemoryNetwork:
    network = InMemoryNetwork()
    network.add("WeatherQueryAssistant", ["query weather"], answering("上海，晴，25 到 31 度。"))
    network.add("TicketAssistant", ["query train tickets"], breaks)
    return network


@pytest.fixture
async def client(network: InMemoryNetwork) -> AsyncIterator[httpx.AsyncClient]:
    clock = ManualClock(datetime(2026, 8, 16, 12, tzinfo=SHANGHAI))

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        yield build_backend(network, in_memory_stores(), SETTINGS, clock)

    app = create_app(open_backend)
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False, client=("127.0.0.1", 1))
    asking = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8888")
    async with app.router.lifespan_context(app), asking as client:
        yield client


async def ask(client: httpx.AsyncClient, query: Any, **more: Any) -> httpx.Response:
    return await client.post("/api/chat", json={"query": query, **more})


async def test_a_reply_has_every_name_of_the_contract(client: httpx.AsyncClient) -> None:
    response = await ask(client, "明天上海天气", user_id="u1", session_id="trip")
    body = response.json()
    assert response.status_code == 200
    assert set(body) == {
        "reply", "status", "user_id", "session_id", "trace_id", "elapsed_ms", "tasks", "intents",
        "user_queries", "slots", "follow_up_message", "steps", "rounds", "degraded", "model_calls",
        "model_tokens", "cached", "cache_level", "as_of", "offers", "orders",
    }
    assert (body["user_id"], body["session_id"], body["status"]) == ("u1", "trip", "answered")
    assert body["intents"] == ["query weather"]
    assert body["slots"]["query weather"] == {"city": "上海", "date": "2026-08-17"}
    assert body["tasks"][0]["slots"] == body["slots"]["query weather"]
    assert set(body["steps"][0]) == {
        "step", "task", "intent", "action", "agent", "depends_on", "status", "result", "data", "error",
        "round", "started_ms", "elapsed_ms",
    }


async def test_the_user_defaults_to_local_while_auth_is_off(client: httpx.AsyncClient) -> None:
    body = (await ask(client, "明天上海天气")).json()
    assert (body["user_id"], body["session_id"]) == ("local", "default")


async def test_a_callers_trace_is_continued(client: httpx.AsyncClient, network: InMemoryNetwork) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    response = await client.post("/api/chat", json={"query": "明天上海天气"}, headers={"traceparent": parent})
    assert response.json()["trace_id"] == "0af7651916cd43dd8448eb211c80319c"
    assert network.calls[0][2].trace_id == "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    ("content", "status", "code", "says"),
    [
        (b"{no json", 422, "invalid_request", "不是合法的 JSON"),
        (b"[]", 422, "invalid_request", "JSON 对象"),
        (b"null", 422, "invalid_request", "请求体"),
        (b"", 422, "invalid_request", "请求体"),
        (b"{}", 422, "invalid_request", "query：缺少"),
        (b'{"query": ""}', 422, "invalid_request", "query：不能为空"),
        (b'{"query": " \\n\\u3000 "}', 422, "invalid_request", "query：不能为空"),
        (b'{"query": 5}', 422, "invalid_request", "query：应当是字符串"),
        (b'{"query": "\\ud800"}', 422, "invalid_request", "query"),
        (json.dumps({"query": "x" * 4001}).encode(), 422, "invalid_request", "4000"),
        (b'{"query": "x", "user_id": "a b"}', 422, "invalid_request", "user_id"),
        (b'{"query": "x", "session_id": ""}', 422, "invalid_request", "session_id"),
        (b'{"query": "\xff"}', 422, "invalid_request", "请求"),
        (b" " * 65537, 413, "too_large", "64 KiB"),
    ],
)
async def test_bad_input_gets_a_clear_problem(
    client: httpx.AsyncClient, content: bytes, status: int, code: str, says: str
) -> None:
    response = await client.post("/api/chat", content=content, headers={"content-type": "application/json"})
    body = response.json()
    assert (response.status_code, body["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert set(body) == {"type", "title", "status", "detail", "code", "trace_id"}
    assert says in body["detail"]
    assert len(body["trace_id"]) == 32


async def test_unknown_routes_and_methods_are_problems_too(client: httpx.AsyncClient) -> None:
    missing, wrong = await client.get("/api/nothing"), await client.get("/api/chat")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert (wrong.status_code, wrong.json()["code"], wrong.headers["allow"]) == (405, "method_not_allowed", "POST")


async def test_a_broken_agent_shows_nothing_of_our_insides(client: httpx.AsyncClient) -> None:
    response = await ask(client, "明天北京到上海的高铁，还有上海天气")
    assert response.json()["status"] == "partial"
    assert "hunter2" not in response.text
    assert "上海，晴" in response.json()["reply"]


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("霍格沃茨明天的天气", "follow_up", "霍格沃茨"),
        ("昨天上海的天气", "follow_up", "已经过去"),
        ("2月30号上海到北京的高铁", "follow_up", "2月30"),
        ("明天去上海的高铁", "follow_up", "哪个城市出发"),
        ("你好", "out_of_scope", "智途"),
        ("11111111", "out_of_scope", "我可以帮您"),
        ("明天上海租车", "out_of_scope", "没有开通"),
    ],
)
async def test_what_cannot_be_run_is_answered_by_a_clear_sentence(
    client: httpx.AsyncClient, network: InMemoryNetwork, query: str, status: str, says: str
) -> None:
    body = (await ask(client, query)).json()
    assert body["status"] == status
    assert says in body["reply"]
    assert body["follow_up_message"] == (body["reply"] if status == "follow_up" else None)
    assert network.calls == []


async def test_agents_lists_the_cards(client: httpx.AsyncClient) -> None:
    agents = (await client.get("/api/agents")).json()["agents"]
    assert [agent["name"] for agent in agents] == ["WeatherQueryAssistant", "TicketAssistant"]
    assert agents[0]["healthy"] is True
    assert agents[0]["skills"][0]["name"] == "query weather"


async def test_health_tells_which_part_is_missing(client: httpx.AsyncClient, network: InMemoryNetwork) -> None:
    fine = await client.get("/health")
    network.add("TripAssistant", ["query tour group"], answering("团"), healthy=False)
    worse = await client.get("/health")
    for name in ("WeatherQueryAssistant", "TicketAssistant"):
        network.add(name, ["query weather"], breaks, healthy=False)
    gone = await client.get("/health/ready")
    assert (fine.status_code, fine.json()["status"]) == (200, "ok")
    assert (worse.status_code, worse.json()["status"]) == (200, "degraded")
    assert worse.json()["components"]["agent:TripAssistant"]["status"] == "down"
    assert (gone.status_code, gone.json()["status"]) == (503, "down")
    assert (await client.get("/health/live")).status_code == 200


async def test_a_connection_from_outside_is_refused_while_auth_is_off(client: httpx.AsyncClient) -> None:
    outside = await client.get("/api/agents", extensions={}, headers={"host": "127.0.0.1"})
    far = await client.get("http://192.0.2.7:8888/api/agents")
    assert outside.status_code == 200
    assert (far.status_code, far.json()["code"]) == (403, "forbidden")
    assert "AUTH_MODE" in far.json()["detail"]


async def test_the_description_is_complete(client: httpx.AsyncClient) -> None:
    described = (await client.get("/openapi.json")).json()
    text = json.dumps(described)
    names = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(described["components"]["schemas"])
    assert {"413", "422", "504"} <= set(described["paths"]["/api/chat"]["post"]["responses"])

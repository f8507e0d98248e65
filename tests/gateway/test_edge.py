"""What the gateway refuses before anybody is asked: strangers, endless bodies, input that cannot be meant."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from core.bootstrap import build_backend
from core.gateway.app import create_app
from core.service import Backend
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import parse_settings
from tests.support.network import InMemoryNetwork, answering
from tests.support.stores import in_memory_stores


@dataclass
class House:
    app: FastAPI
    clock: ManualClock
    network: InMemoryNetwork
    client: httpx.AsyncClient


@pytest.fixture
async def house() -> AsyncIterator[House]:
    clock, network = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12))), InMemoryNetwork()
    network.add("WeatherQueryAssistant", ["query weather"], answering("上海，晴。"))
    network.add("TicketAssistant", ["query orders"], answering("没有。", kind="order", rows=0))

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        yield build_backend(network, in_memory_stores(), parse_settings({}), clock)

    app = create_app(open_backend)
    transport = httpx.ASGITransport(app=app)
    asking = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8888")
    async with app.router.lifespan_context(app), asking as client:
        yield House(app, clock, network, client)


@pytest.mark.parametrize("host", ["127.0.0.1:8888", "localhost", "localhost:1", "[::1]:8888", "127.0.0.2"])
async def test_this_machine_may_be_called_by_any_of_its_names(house: House, host: str) -> None:
    assert (await house.client.get("/api/agents", headers={"host": host})).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8888", "127.0.0.1.evil.example", "192.0.2.7", "["])
@pytest.mark.parametrize("path", ["/api/agents", "/health"])
async def test_a_name_that_is_not_this_machines_is_refused_while_auth_is_off(
    house: House, host: str, path: str
) -> None:
    answer = await house.client.get(path, headers={"host": host})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


async def test_a_page_of_elsewhere_is_refused_while_auth_is_off(house: House) -> None:
    for origin, status in (
        ("http://evil.example", 403),
        ("https://127.0.0.1.evil.example", 403),
        ("null", 403),
        ("http://localhost:8888", 200),
        ("http://[::1]:3000", 200),
    ):
        body = {"query": "明天上海天气"}
        answer = await house.client.post("/api/chat", json=body, headers={"origin": origin})
        assert answer.status_code == status, origin
    assert len(house.network.calls) == 2


async def test_a_slash_too_many_is_no_redirection_to_wherever_the_request_says(house: House) -> None:
    answer = await house.client.post("/api/chat/", json={"query": "明天上海天气"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert "location" not in answer.headers


async def test_a_body_that_does_not_come_is_given_up_after_15_seconds(house: House) -> None:
    sent: list[dict[str, Any]] = []
    parts: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    parts.put_nowait({"type": "http.request", "body": b'{"query": ', "more_body": True})

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json"), (b"content-length", b"30")]
    scope = {
        "type": "http", "method": "POST", "path": "/api/chat", "query_string": b"", "headers": headers,
        "server": ("127.0.0.1", 8888), "client": ("127.0.0.1", 1), "http_version": "1.1", "scheme": "http",
    }
    answering = asyncio.create_task(house.app(scope, parts.get, send))
    await house.clock.somebody_sleeps()
    house.clock.advance(14.9)
    assert not sent
    house.clock.advance(0.1)
    await answering
    assert sent[0]["status"] == 422
    assert (b"connection", b"close") in sent[0]["headers"]
    assert "15 秒" in json.loads(sent[1]["body"])["detail"]
    assert house.clock.sleeping == 0


UNSEEN = ["\u200b", "\u200b\u200d\ufeff", "\x00\x01\x7f", "\u3164\u2800", "\u202e \u2066", "\u0301"]


@pytest.mark.parametrize("query", UNSEEN)
async def test_a_query_of_which_nothing_is_seen_is_blank(house: House, query: str) -> None:
    answer = await house.client.post("/api/chat", json={"query": query})
    assert (answer.status_code, answer.json()["detail"]) == (422, "query：不能为空，请写下想问的内容。")


@pytest.mark.parametrize(
    "before",
    ["x", "2026-08-16|T1", "2026-08-16T12:00:00|T1", "2026-13-16T12:00:00+08:00|T1", "2026-08-16T12:00:00+08:00",
     "2026-08-16T12:00:00+08:00|", "2026-08-16T12:00:00+08:00|a|b"],
)
async def test_a_malformed_cursor_is_refused_before_any_agent_is_asked(house: House, before: str) -> None:
    answer = await house.client.get("/api/orders", params={"before": before})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "before：不是有效的翻页位置，请使用上一页返回的 next。"
    assert house.network.calls == []


async def test_a_cursor_is_handed_on_even_where_its_plus_was_not_encoded(house: House) -> None:
    for query in ("2026-08-16T12:00:00.001%2B08:00%7CT0001", "2026-08-16T12:00:00.001+08:00|T0001"):
        assert (await house.client.get(f"/api/orders?before={query}")).status_code == 200
    assert [call[1].action_code[0].parameter["before"] for call in house.network.calls] == [
        "2026-08-16T12:00:00.001+08:00|T0001"
    ] * 2


LONG = "x" * 2001


@pytest.mark.parametrize(
    ("method", "path", "body", "detail"),
    [
        ("GET", "/api/orders/a.b", None, "order_id：只能由 1–64 个字母、数字或 _ - 组成。"),
        ("POST", "/api/offers/a@b/confirm", None, "offer_id：只能由 1–64 个字母、数字或 _ - 组成。"),
        ("GET", "/api/orders?limit=0", None, "limit：不能小于 1。"),
        ("GET", "/api/orders?limit=101", None, "limit：不能大于 100。"),
        ("GET", "/api/orders?limit=many", None, "limit：应当是整数。"),
        ("GET", "/api/orders?limit=" + "9" * 5000, None, "limit：这个整数太大了。"),
        ("GET", "/api/memory/state?user_id=a%20b", None, "user_id：只能由 1–64 个字母、数字或 _ . @ : - 组成。"),
        ("POST", "/api/feedback", {"trace_id": "a.b", "score": 1}, "trace_id：只能由 1–64 个字母、数字或 _ - 组成。"),
        ("POST", "/api/feedback", {"trace_id": "a", "score": 2}, "score：只能是 1 或 -1。"),
        ("POST", "/api/feedback", {"trace_id": "a", "score": 1, "comment": LONG}, "comment：不能超过 2000 个字符。"),
        ("POST", "/api/feedback", {"trace_id": None, "score": 1}, "trace_id：应当是字符串。"),
        ("PUT", "/api/memory/user_profile", {"": 1}, "至少要有 1 个字符。"),
        ("PUT", "/api/memory/user_profile", {"a": {"b": 1}}, "a：只能是文字、数字、true/false 或文字列表。"),
        ("PUT", "/api/memory/user_profile", [1], "请求体：应当是一个 JSON 对象。"),
        ("POST", "/api/chat", {"query": "\ud800"}, "query：含有不完整的字符。"),
    ],
)
async def test_every_fault_of_the_input_is_told_in_chinese(
    house: House, method: str, path: str, body: Any, detail: str
) -> None:
    json_type = {"content-type": "application/json"}
    answer = await house.client.request(method, path, content=json.dumps(body), headers=json_type)
    assert answer.status_code == 422
    assert answer.json()["detail"].endswith(detail)


async def test_the_documentation_asks_nothing_of_the_internet(house: House) -> None:
    page = (await house.client.get("/docs")).text
    assert "http://" not in page
    assert "https://" not in page
    for name, kind in (("swagger-ui-bundle.js", "text/javascript"), ("swagger-ui.css", "text/css")):
        assert f"/static/docs/{name}" in page
        file = await house.client.get(f"/static/docs/{name}")
        assert (file.status_code, file.headers["content-type"].split(";")[0]) == (200, kind)
        assert len(file.content) > 100_000
    assert (await house.client.get("/static/docs/main.py")).status_code == 404


async def test_the_description_names_what_the_edge_may_answer(house: House) -> None:
    described = (await house.client.get("/openapi.json")).json()
    for path, operations in described["paths"].items():
        for operation in operations.values():
            assert {"403", "405"} <= set(operation["responses"]), path
    assert {"401", "422", "503"} <= set(described["paths"]["/api/chat"]["post"]["responses"])
    assert "/docs" not in described["paths"]

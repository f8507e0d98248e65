"""Memory, conversations, export, erasure and feedback over HTTP."""

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from core.adapters.stores.database import Database, open_database
from core.adapters.stores.history_store import SqlHistoryStore
from core.gateway import memory_routes, session_routes
from core.gateway.auth import Gate
from core.gateway.edge import Edge
from core.gateway.problems import add_problem_handlers
from core.language.slots import Slots
from core.memory.memory_manager import ConversationMemory
from core.orders.ledger import OrderLedger
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import AuthSettings
from core.types.memory import Fact, Message, PastTask, TaskContext, TurnRecord
from tests.memory.databases import every_cell
from tests.support.network import InMemoryNetwork, gone
from tests.support.orders import INTENTS, TrainSeller

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
CONTEXT = TaskContext((PastTask("query weather", Slots(city="上海")),), True, ({"title": "上海 晴"},), "weather")
KINDS = ("short_term", "user_profile", "task_context", "long_term")
ME = {"user_id": "u1", "session_id": "s1"}


@dataclass
class Desk:
    """The routes over a database of their own."""

    client: httpx.AsyncClient
    memory: ConversationMemory
    database: Database
    network: InMemoryNetwork

    async def get(self, path: str, *, status: int = 200, **params: Any) -> dict[str, Any]:
        response = await self.client.get(path, params={**ME, **params})
        body: dict[str, Any] = response.json()
        assert response.status_code == status, body
        return body

    async def send(self, method: str, path: str, body: object = None, **params: Any) -> httpx.Response:
        content = None if body is None else json.dumps(body)
        headers = {"content-type": "application/json"}
        return await self.client.request(method, path, params={**ME, **params}, content=content, headers=headers)

    async def remember(self, text: str, *, user: str = "u1", session: str = "s1", minutes: int = 0) -> None:
        at = NOW + timedelta(minutes=minutes)
        said = (Message("user", text, at, "t1"), Message("assistant", f"收到{text}", at, "t1"))
        await self.memory.record(TurnRecord(user, session, said, CONTEXT, {"like": text}, (Fact(f"喜欢{text}", at),)))


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    clock, network = ManualClock(NOW), InMemoryNetwork()
    network.add("TicketAssistant", INTENTS, TrainSeller())
    app = FastAPI()
    add_problem_handlers(app)
    app.include_router(memory_routes.router)
    app.include_router(session_routes.router)
    app.add_middleware(Edge, gate=Gate(AuthSettings()))
    async with contextlib.AsyncExitStack() as opened:
        database = await opened.enter_async_context(open_database(f"sqlite:///{tmp_path / 'core.db'}"))
        memory = ConversationMemory(SqlHistoryStore(database, clock), clock)
        app.state.backend = SimpleNamespace(memory=memory, ledger=OrderLedger(network), clock=clock)
        asking = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8888")
        yield Desk(await opened.enter_async_context(asking), memory, database, network)


async def test_the_state_shows_all_four_memories(desk: Desk) -> None:
    assert await desk.get("/api/memory/state") == {
        "short_term": [], "user_profile": {}, "task_context": {}, "long_term": [],
    }
    await desk.remember("犀牛")
    assert await desk.get("/api/memory/state") == {
        "short_term": [
            {"role": "user", "content": "犀牛", "created_at": "2026-08-16T12:00:00+08:00"},
            {"role": "assistant", "content": "收到犀牛", "created_at": "2026-08-16T12:00:00+08:00"},
        ],
        "user_profile": {"like": "犀牛"},
        "task_context": {
            "tasks": [{"intent": "query weather", "slots": {"city": "上海"}}],
            "asked": True, "shown": [{"title": "上海 晴"}], "shown_kind": "weather",
        },
        "long_term": [{"content": "喜欢犀牛", "created_at": "2026-08-16T12:00:00+08:00"}],
    }


async def test_each_kind_is_a_list_and_may_be_limited(desk: Desk) -> None:
    await desk.remember("甲")
    await desk.remember("乙")
    for kind in KINDS:
        found = await desk.get(f"/api/memory/{kind}")
        assert (found["kind"], bool(found["items"])) == (kind, True)
    assert [m["content"] for m in (await desk.get("/api/memory/short_term", limit=3))["items"]] == [
        "收到甲", "乙", "收到乙",
    ]
    assert [f["content"] for f in (await desk.get("/api/memory/long_term", limit=1))["items"]] == ["喜欢乙"]
    assert (await desk.get("/api/memory/user_profile"))["items"] == [{"key": "like", "value": "乙"}]


async def test_an_unknown_kind_is_not_found(desk: Desk) -> None:
    assert (await desk.get("/api/memory/dreams", status=404))["code"] == "not_found"
    assert (await desk.send("DELETE", "/api/memory/dreams")).status_code == 404


async def test_the_profile_is_replaced_and_merged(desk: Desk) -> None:
    put = await desk.send("PUT", "/api/memory/user_profile", {"seat_class": "二等座", "n": 2, "x": 1.5, "yes": True})
    assert (put.status_code, put.json()) == (200, {"seat_class": "二等座", "n": 2, "x": 1.5, "yes": True})
    patched = await desk.send("PATCH", "/api/memory/user_profile", {"n": 3, "likes": ["靠窗", "连座"]})
    merged = {"seat_class": "二等座", "n": 3, "x": 1.5, "yes": True, "likes": ["靠窗", "连座"]}
    assert patched.json() == merged
    assert (await desk.get("/api/memory/state", session_id="elsewhere"))["user_profile"] == merged
    replaced = await desk.send("PUT", "/api/memory/user_profile", {"cabin": "经济舱", "tel": "13812345678"})
    assert replaced.json() == {"cabin": "经济舱", "tel": "138****5678"}
    assert (await desk.get("/api/memory/state"))["user_profile"] == {"cabin": "经济舱", "tel": "138****5678"}


BAD_PROFILES: dict[str, object] = {
    "null": {"a": None}, "an object": {"a": {"b": 1}}, "a list of numbers": {"a": [1]}, "a list": [1], "a text": "a",
    "no name": {"": 1}, "too large": {"a": "长" * 6_000},
}


@pytest.mark.parametrize("body", BAD_PROFILES.values(), ids=BAD_PROFILES.keys())
@pytest.mark.parametrize("method", ["PUT", "PATCH"])
async def test_a_profile_of_another_shape_is_refused_and_changes_nothing(desk: Desk, method: str, body: object) -> None:
    await desk.remember("犀牛")
    refused = await desk.send(method, "/api/memory/user_profile", body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
    assert not refused.json()["detail"].isascii()
    assert (await desk.get("/api/memory/state"))["user_profile"] == {"like": "犀牛"}


@pytest.mark.parametrize("raw", ['{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}', '{"\\ud800": 1}', "{"])
async def test_what_is_no_clean_json_is_refused(desk: Desk, raw: str) -> None:
    headers = {"content-type": "application/json"}
    refused = await desk.client.put("/api/memory/user_profile", params=ME, content=raw, headers=headers)
    assert refused.status_code == 422


async def test_a_profile_cannot_grow_beyond_its_size_by_merging(desk: Desk) -> None:
    assert (await desk.send("PATCH", "/api/memory/user_profile", {"a": "长" * 4_000})).status_code == 200
    assert (await desk.send("PATCH", "/api/memory/user_profile", {"b": "长" * 4_000})).status_code == 422


async def test_clearing_everything_leaves_no_trace(desk: Desk) -> None:
    await desk.remember("犀牛")
    cleared = await desk.send("DELETE", "/api/memory")
    assert (cleared.status_code, cleared.content) == (204, b"")
    assert not any((await desk.get("/api/memory/state")).values())
    assert not any("犀牛" in cell for cell in await every_cell(desk.database))


@pytest.mark.parametrize("kind", KINDS)
async def test_one_kind_is_cleared_by_itself(desk: Desk, kind: str) -> None:
    await desk.remember("犀牛")
    assert (await desk.send("DELETE", f"/api/memory/{kind}")).status_code == 204
    state = await desk.get("/api/memory/state")
    assert [name for name in KINDS if not state[name]] == [kind]


async def test_conversations_and_their_full_history_are_listed(desk: Desk) -> None:
    for number in range(8):
        await desk.remember(f"第{number}句", minutes=number)
    await desk.remember("别的话题", session="s2", minutes=9)
    listed = (await desk.get("/api/sessions"))["sessions"]
    assert listed == [
        {"session_id": "s2", "title": "别的话题", "updated_at": "2026-08-16T12:09:00+08:00"},
        {"session_id": "s1", "title": "第0句", "updated_at": "2026-08-16T12:07:00+08:00"},
    ]
    first = await desk.get("/api/sessions/s1/messages", limit=10)
    second = await desk.get("/api/sessions/s1/messages", limit=10, before=first["next"])
    contents = [m["content"] for m in first["messages"] + second["messages"]]
    assert contents[0] == "收到第7句"
    assert (len(contents), contents[-1], second["next"]) == (16, "第0句", None)
    assert first["messages"][0]["trace_id"] == "t1"


async def test_a_deleted_conversation_is_like_none(desk: Desk) -> None:
    await desk.remember("犀牛")
    assert (await desk.send("DELETE", "/api/sessions/s1")).status_code == 204
    assert (await desk.send("DELETE", "/api/sessions/s1")).status_code == 404
    assert (await desk.get("/api/sessions/s1/messages", status=404))["code"] == "not_found"
    state = await desk.get("/api/memory/state")
    assert (state["short_term"], state["task_context"], state["user_profile"]) == ([], {}, {"like": "犀牛"})


@pytest.mark.parametrize("other", ["u2", "U1"])
async def test_another_user_finds_nothing_anywhere(desk: Desk, other: str) -> None:
    await desk.remember("犀牛")
    for path in ("memory/state", "memory/short_term", "memory/long_term", "memory/user_profile", "sessions", "export"):
        assert "犀牛" not in str(await desk.get(f"/api/{path}", user_id=other))
    foreign = await desk.get("/api/sessions/s1/messages", user_id=other, status=404)
    missing = await desk.get("/api/sessions/none/messages", user_id=other, status=404)
    assert {**foreign, "trace_id": ""} == {**missing, "trace_id": ""}
    assert (await desk.send("DELETE", "/api/sessions/s1", user_id=other)).status_code == 404
    for path in ("memory", "memory/short_term", "user"):
        assert (await desk.send("DELETE", f"/api/{path}", user_id=other)).status_code == 204
    assert (await desk.get("/api/memory/state"))["short_term"]


async def test_everything_is_exported_and_erased(desk: Desk) -> None:
    await desk.remember("犀牛")
    praise = {"trace_id": "t1", "score": 1, "comment": "犀牛好"}
    assert (await desk.send("POST", "/api/feedback", praise)).status_code == 204
    exported = await desk.get("/api/export")
    assert (exported["user_id"], exported["orders"]) == ("u1", [])
    assert [row["comment"] for row in exported["feedback"]] == ["犀牛好"]
    assert {row["kind"] for row in exported["conversation_memory"]} == set(KINDS)
    assert (await desk.send("DELETE", "/api/user")).status_code == 204
    assert not any("犀牛" in cell for cell in await every_cell(desk.database))


async def test_an_export_without_the_orders_would_be_half_a_truth(desk: Desk) -> None:
    desk.network.add("TripAssistant", INTENTS, gone)
    assert (await desk.get("/api/export", status=503))["code"] == "upstream_unavailable"


async def test_feedback_counts_once_for_each_reply(desk: Desk) -> None:
    for score in (1, -1):
        body = {"trace_id": "t1", "score": score, "user_id": "u9"}
        assert (await desk.send("POST", "/api/feedback", body)).status_code == 204
    given = (await desk.memory.export("u9"))["feedback"]
    assert isinstance(given, list)
    assert [(row["trace_id"], row["score"]) for row in given] == [("t1", -1)]


BAD_FEEDBACK: dict[str, object] = {
    "no trace": {"score": 1},
    "a wrong score": {"trace_id": "t1", "score": 0},
    "a text": {"trace_id": "t1", "score": "1"},
    "yes": {"trace_id": "t1", "score": True},
    "a long comment": {"trace_id": "t1", "score": 1, "comment": "长" * 2_001},
    "half a character": {"trace_id": "t1", "score": 1, "comment": "\ud800"},
    "a bad trace": {"trace_id": "a b", "score": 1},
}


@pytest.mark.parametrize("body", BAD_FEEDBACK.values(), ids=BAD_FEEDBACK.keys())
async def test_feedback_of_another_shape_is_refused(desk: Desk, body: object) -> None:
    assert (await desk.send("POST", "/api/feedback", body)).status_code == 422


BAD_PARAMETERS = (
    "memory/state?user_id=a%20b", "memory/state?session_id=", "memory/short_term?limit=0", "memory/short_term?limit=x",
    "sessions/s1/messages?limit=201", "sessions/s1/messages?before=abc", "sessions/a%20b/messages",
)


@pytest.mark.parametrize("path", BAD_PARAMETERS)
async def test_parameters_that_cannot_be_are_refused(desk: Desk, path: str) -> None:
    await desk.remember("犀牛", user="local")
    response = await desk.client.get(f"/api/{path}")
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert response.headers["content-type"] == "application/problem+json"

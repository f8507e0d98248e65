"""A person reads their own runs over HTTP; another's is like one that never was; prompts are for operators."""

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
from pydantic import SecretStr

from core.bootstrap import Stores, build_backend
from core.gateway.app import create_app
from core.gateway.auth import OPERATOR, make_token
from core.service import Backend
from core.shared.clock import ManualClock
from core.shared.settings import AuthSettings, parse_settings
from tests.support.network import InMemoryNetwork, answering
from tests.support.stores import in_memory_stores
from tests.traces.runs import ID, NOW, record, run

AUTH = AuthSettings(mode="jwt", secret=SecretStr("0123456789abcdef" * 4))


@dataclass
class Gateway:
    client: httpx.AsyncClient
    stores: Stores

    async def get(self, path: str, user: str, *scopes: str) -> httpx.Response:
        return await self.client.get(path, headers=bearer(user, *scopes))


def bearer(user: str, *scopes: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token(AUTH, user, frozenset(scopes), days=1)}"}


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    network, stores = InMemoryNetwork(), in_memory_stores()
    network.add("WeatherQueryAssistant", ["query weather"], answering("上海晴。", rows=7))

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        yield build_backend(network, stores, parse_settings({}), ManualClock(NOW))

    app = create_app(open_backend, AUTH)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://10.0.0.5:8888") as client:
            yield Gateway(client, stores)


async def test_a_turn_can_be_read_by_the_trace_id_of_its_reply(gateway: Gateway) -> None:
    said = await gateway.client.post("/api/chat", json={"query": "明天上海天气"}, headers=bearer("alice"))
    answer = await gateway.get(f"/api/traces/{said.json()['trace_id']}", "alice")
    body = answer.json()
    assert answer.status_code == 200
    (one,) = body["rounds"]
    (call,) = one["steps"][0]["calls"]
    assert one["thought"]
    assert call["request"]["action_code"][0]["tool_name"] == one["action_code"][0]["tool_name"] == "query weather"
    assert (len(call["data"]["rows"]), call["data"]["rows_total"]) == (5, 7)
    assert (body["query"], body["reply"], body["started_at"]) == (
        "明天上海天气", "上海晴。", "2026-08-16T12:00:00+08:00",
    )


async def test_anothers_run_and_one_that_never_was_are_the_same_404(gateway: Gateway) -> None:
    await gateway.stores.history.record(record(run(), "alice"), facts=20)
    answers = [await gateway.get(path, "bob", OPERATOR) for path in (f"/api/traces/{ID}", f"/api/traces/{'f' * 32}")]
    told = [{**answer.json(), "trace_id": ""} for answer in answers]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert told[0] == told[1]
    assert told[0]["code"] == "not_found"
    assert (await gateway.get(f"/api/traces/{ID}?user_id=alice", "bob")).status_code == 403
    assert (await gateway.get("/api/traces/no%20id", "alice")).status_code in (400, 422)


async def test_prompts_are_for_operators(gateway: Gateway) -> None:
    await gateway.stores.history.record(record(run(), "alice"), facts=20)
    own = (await gateway.get(f"/api/traces/{ID}", "alice")).json()
    assert (own["asked"][0]["prompt"], own["asked"][0]["answer"], own["asked"][0]["tokens"]) == ([], "", 30)
    assert "问话" not in json.dumps(own, ensure_ascii=False)
    seen = (await gateway.get(f"/api/traces/{ID}", "alice", OPERATOR)).json()
    assert seen["asked"][0]["prompt"] == [{"role": "user", "content": "问话"}]
    assert own["weakest"]["where"] == "step 1 · TicketAssistant · query train tickets"


async def test_an_erased_person_has_no_run(gateway: Gateway) -> None:
    await gateway.stores.history.record(record(run(), "alice"), facts=20)
    assert (await gateway.client.delete("/api/user", headers=bearer("alice"))).status_code == 204
    assert (await gateway.get(f"/api/traces/{ID}", "alice")).status_code == 404

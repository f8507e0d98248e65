"""With auth on, every route but the public ones asks for a valid token and shows a caller only their own."""

import base64
import contextlib
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from core.bootstrap import build_backend
from core.gateway.app import create_app
from core.gateway.auth import ACT_AS, OPERATOR, is_public, make_token
from core.service import Backend
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import AuthSettings, load_settings
from tests.support.network import InMemoryNetwork, answering
from tests.support.stores import in_memory_stores

SETTINGS = load_settings(Path(__file__).parents[2] / "config.yaml", {})
SECRET = "0123456789abcdef" * 4
AUTH = AuthSettings(mode="jwt", secret=SecretStr(SECRET))


@pytest.fixture
async def app() -> AsyncIterator[FastAPI]:
    network = InMemoryNetwork()
    network.add("WeatherQueryAssistant", ["query weather"], answering("上海晴。"))
    clock = ManualClock(datetime(2026, 8, 16, 12, tzinfo=SHANGHAI))

    @contextlib.asynccontextmanager
    async def open_backend() -> AsyncIterator[Backend]:
        yield build_backend(network, in_memory_stores(), SETTINGS, clock)

    made = create_app(open_backend, AUTH)
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://10.0.0.5:8888") as client:
        yield client


def bearer(user: str = "alice", *scopes: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token(AUTH, user, frozenset(scopes), days=1)}"}


def forged(key: str = SECRET, algorithm: str = "HS256", **changes: Any) -> str:
    claims = {"sub": "alice", "aud": "smartvoyage", "exp": datetime.now(UTC) + timedelta(hours=1), **changes}
    return jwt.encode({k: v for k, v in claims.items() if v is not None}, key, algorithm=algorithm)


def unsigned() -> str:
    claims = {"sub": "alice", "aud": "smartvoyage", "exp": 4102444800}
    parts = [json.dumps(part).encode() for part in ({"alg": "none", "typ": "JWT"}, claims)]
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."


async def test_every_route_but_the_public_ones_needs_a_token(app: FastAPI, client: httpx.AsyncClient) -> None:
    asked = 0
    for path, methods in app.openapi()["paths"].items():
        for method in methods:
            answer = await client.request(method, path.replace("{", "").replace("}", ""))
            if is_public(path):
                assert answer.status_code != 401, path
                continue
            asked += 1
            assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), path
            assert answer.headers["www-authenticate"] == "Bearer"
    assert asked > 15
    assert (await client.get("/docs")).status_code == 200


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YWxpY2U6cGFzcw==",
        "Bearer not.a.token",
        f"Bearer {unsigned()}",
        f"Bearer {forged(key='f' * 64)}",
        f"Bearer {forged(algorithm='HS512')}",
        f"Bearer {forged(exp=datetime.now(UTC) - timedelta(hours=1))}",
        f"Bearer {forged(exp=None)}",
        f"Bearer {forged(aud='somebody else')}",
        f"Bearer {forged(aud=None)}",
        f"Bearer {forged(sub=None)}",
        f"Bearer {forged(sub='a b; drop')}",
        f"Bearer {forged(sub='x' * 65)}",
    ],
)
async def test_what_is_no_valid_token_is_refused(client: httpx.AsyncClient, authorization: str) -> None:
    answer = await client.get("/api/agents", headers={"Authorization": authorization})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


async def test_an_empty_key_opens_nothing(client: httpx.AsyncClient) -> None:
    head, body, _ = forged().split(".")
    assert (await client.get("/api/agents", headers={"Authorization": f"Bearer {head}.{body}."})).status_code == 401


async def test_the_user_is_the_tokens(client: httpx.AsyncClient) -> None:
    body = (await client.post("/api/chat", json={"query": "明天上海天气"}, headers=bearer())).json()
    assert body["user_id"] == "alice"


@pytest.mark.parametrize("other", ["bob", "Alice", "local"])
async def test_another_users_name_is_forbidden(client: httpx.AsyncClient, other: str) -> None:
    chat = await client.post("/api/chat", json={"query": "你好", "user_id": other}, headers=bearer())
    memory = await client.get("/api/memory/state", params={"user_id": other}, headers=bearer())
    assert [(a.status_code, a.json()["code"]) for a in (chat, memory)] == [(403, "forbidden")] * 2


async def test_a_trusted_backend_may_act_for_its_users(client: httpx.AsyncClient) -> None:
    who = {"query": "明天上海天气", "user_id": "bob"}
    assert (await client.post("/api/chat", json=who, headers=bearer("backend", ACT_AS))).json()["user_id"] == "bob"


async def test_inner_addresses_are_for_operators(client: httpx.AsyncClient) -> None:
    plain = (await client.get("/api/agents", headers=bearer())).json()["agents"][0]
    operator = (await client.get("/api/agents", headers=bearer("root", OPERATOR))).json()["agents"][0]
    assert (plain["url"], operator["url"]) == (None, "http://WeatherQueryAssistant")


async def test_a_body_is_not_read_before_the_token(client: httpx.AsyncClient) -> None:
    assert (await client.post("/api/chat", content=b"x" * 100_000)).status_code == 401

"""Idempotency-Key over HTTP: the same request twice is one, whatever cut it off in between."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.adapters.stores.database import Database, open_database
from core.adapters.stores.kept_responses import SqlKeptResponses
from core.bootstrap import build_backend, sql_stores
from core.gateway.app import create_app
from core.gateway.once import request_fingerprint
from core.service import Backend
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.settings import load_settings
from tests.support.network import InMemoryNetwork
from tests.support.orders import INTENTS, TrainSeller

SETTINGS = load_settings(Path(__file__).parents[2] / "config.yaml", {})
WISH = {"query": "订一张明天北京到上海的G1二等座", "user_id": "u1"}


@dataclass
class Shop:
    client: httpx.AsyncClient
    seller: TrainSeller
    clock: ManualClock
    database: Database

    async def post(self, path: str, body: dict[str, Any] | None = None, key: str = "k1") -> httpx.Response:
        return await self.client.post(path, json=body, headers={"Idempotency-Key": key})


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    clock = ManualClock(SHANGHAI.localize(datetime(2026, 8, 16, 12)))
    network, seller = InMemoryNetwork(), TrainSeller()
    network.add("TicketAssistant", INTENTS, seller)

    async with open_database(f"sqlite:///{tmp_path / 'core.db'}") as database:

        @contextlib.asynccontextmanager
        async def open_backend() -> AsyncIterator[Backend]:
            yield build_backend(network, sql_stores(database, clock), SETTINGS, clock)

        app = create_app(open_backend)
        asking = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8888")
        async with app.router.lifespan_context(app), asking as client:
            yield Shop(client, seller, clock, database)


async def test_a_repeated_question_gets_the_very_same_answer(shop: Shop) -> None:
    first = await shop.post("/api/chat", WISH)
    again = await shop.post("/api/chat", WISH)
    assert first.status_code == again.status_code == 200
    assert first.content == again.content
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Content-Type"] == first.headers["Content-Type"]


async def test_a_repeated_yes_places_one_order(shop: Shop) -> None:
    offered = (await shop.post("/api/chat", WISH)).json()
    offer = offered["offers"][0]["offer_id"]
    path = f"/api/offers/{offer}/confirm?user_id=u1"
    first, again = await shop.post(path, key="k2"), await shop.post(path, key="k2")
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert len(shop.seller.orders) == 1
    cancel = f"/api/orders/{first.json()['orders'][0]['order_id']}/cancel?user_id=u1"
    cancelled = [await shop.post(cancel, key="k3") for _ in range(2)]
    assert cancelled[0].json() == cancelled[1].json()
    assert cancelled[0].json()["status"] == "cancelled"


async def test_a_repeated_yes_in_words_is_not_a_second_turn(shop: Shop) -> None:
    await shop.post("/api/chat", WISH)
    yes = {"query": "确认", "user_id": "u1"}
    first, again = await shop.post("/api/chat", yes, "k2"), await shop.post("/api/chat", yes, "k2")
    assert first.json()["orders"] == again.json()["orders"] != []
    assert len(shop.seller.orders) == 1
    history = (await shop.client.get("/api/sessions/default/messages", params={"user_id": "u1"})).json()
    assert len(history["messages"]) == 4


async def test_a_repeated_stream_is_one_done_with_the_first_reply(shop: Shop) -> None:
    first = await shop.post("/api/chat/stream", WISH)
    again = await shop.post("/api/chat/stream", WISH)
    assert again.headers["Content-Type"].startswith("text/event-stream")
    assert again.headers["X-Accel-Buffering"] == "no"
    assert again.text.startswith("id: 1\nevent: done\ndata: ")
    assert again.text.count("event: ") == 1
    assert first.text.split("event: done\n")[1] == again.text.split("event: done\n")[1]


async def test_a_key_with_another_body_or_route_is_refused(shop: Shop) -> None:
    await shop.post("/api/chat", WISH)
    for path, body in (("/api/chat", {**WISH, "query": "上海天气"}), ("/api/chat/stream", WISH)):
        refused = await shop.post(path, body)
        assert (refused.status_code, refused.json()["code"]) == (422, "key_reused")


async def test_spaces_and_order_of_a_body_make_no_other_request(shop: Shop) -> None:
    first = await shop.post("/api/chat", WISH)
    again = await shop.post("/api/chat", dict(reversed(WISH.items())))
    assert first.content == again.content


async def test_another_user_has_keys_of_their_own(shop: Shop) -> None:
    await shop.post("/api/chat", WISH)
    other = await shop.post("/api/chat", {**WISH, "user_id": "u2"})
    assert other.status_code == 200
    assert other.json()["user_id"] == "u2"


async def test_a_running_request_is_not_run_twice(shop: Shop) -> None:
    answers = await asyncio.gather(*(shop.post("/api/chat", WISH) for _ in range(5)))
    assert sorted({answer.status_code for answer in answers}) in ([200], [200, 409])
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert all(problem["code"] == "conflict" for problem in refused)


async def test_a_refused_request_leaves_its_key_free(shop: Shop) -> None:
    assert (await shop.post("/api/chat", {**WISH, "query": " "})).status_code == 422
    assert (await shop.post("/api/chat", WISH)).status_code == 200


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb"])
async def test_a_key_that_is_none_is_named(shop: Shop, key: str) -> None:
    refused = await shop.post("/api/chat", WISH, key)
    assert refused.status_code == 422
    assert "Idempotency-Key" in refused.json()["detail"]


async def test_an_offer_of_an_erased_conversation_is_not_placed(shop: Shop) -> None:
    await shop.post("/api/chat", WISH)
    assert (await shop.client.delete("/api/memory", params={"user_id": "u1"})).status_code == 204
    said = await shop.post("/api/chat", {"query": "确认", "user_id": "u1"}, "k2")
    assert said.json()["orders"] == []
    assert shop.seller.orders == {}


async def test_erasing_memory_takes_the_kept_answers_along(shop: Shop) -> None:
    await shop.post("/api/chat", WISH)
    assert (await shop.client.delete("/api/memory", params={"user_id": "u1"})).status_code == 204
    again = await shop.post("/api/chat", WISH)
    assert again.status_code == 409
    exported = (await shop.client.get("/api/export", params={"user_id": "u1"})).text
    assert "北京到上海" not in exported.replace("北京南→上海虹桥", "")


async def test_every_post_takes_the_key(shop: Shop) -> None:
    described = (await shop.client.get("/openapi.json")).json()
    for path, operations in described["paths"].items():
        if "post" in operations:
            names = [parameter["name"] for parameter in operations["post"].get("parameters", [])]
            assert "Idempotency-Key" in names, path


async def test_a_confirmation_whose_process_died_after_placing_is_answered_with_its_order(shop: Shop) -> None:
    """The dead process is played by a confirmation that came without the key, and by a claim nobody holds any more."""
    offer = (await shop.post("/api/chat", WISH)).json()["offers"][0]["offer_id"]
    path = f"/api/offers/{offer}/confirm?user_id=u1"
    dead = SqlKeptResponses(shop.database, ManualClock(shop.clock.now()))
    fingerprint = request_fingerprint("POST", f"/api/offers/{offer}/confirm", [("user_id", "u1")], b"")
    await dead.claim("u1", "k2", fingerprint)
    placed = await shop.client.post(path)
    shop.clock.advance(16)
    resumed = await shop.post(path, key="k2")
    assert resumed.status_code == 200
    assert resumed.json() == placed.json()
    assert len(shop.seller.orders) == 1
    assert (await shop.post(path, key="k3")).status_code == 409

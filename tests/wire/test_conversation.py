"""A conversation of fourteen turns over HTTP: rows and memory after each, a restart, a second gateway, another user."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
import yaml

from tests.support.whole import Whole, free_port, free_settings, whole

pytestmark = [pytest.mark.wire, pytest.mark.asyncio(loop_scope="module")]

ROOT = Path(__file__).parents[2]
WHO = {"user_id": "alice", "session_id": "trip"}


@dataclass(frozen=True)
class Expected:
    """What a turn must come to. `slots` are those that must match, of the first task."""

    say: str
    status: str
    intent: str | None = None
    slots: dict[str, Any] = field(default_factory=dict)
    says: str = ""
    rows: bool = False
    profile: dict[str, Any] = field(default_factory=dict)
    facts: int = 0


TRAIN = "query train tickets"
ORDER = "order train tickets"
LASTING = {"seat_class": "二等座"}
TALK = [
    Expected("你好", "out_of_scope", says="智途"),
    Expected("后天上海到杭州的高铁", "answered", TRAIN, {"date": "2026-08-18", "to_city": "杭州"}, rows=True),
    Expected("第二个", "confirmation_required", ORDER, {"date": "2026-08-18", "quantity": 1}, says="需要为您下单吗"),
    Expected("算了", "answered", says="不办了"),
    Expected("有更晚的吗", "answered", TRAIN, {"date": "2026-08-18", "to_city": "杭州"}, rows=True),
    Expected("那回程呢", "follow_up", TRAIN, {"from_city": "杭州", "to_city": "上海"}, says="哪一天"),
    Expected("20号", "answered", TRAIN, {"from_city": "杭州", "date": "2026-08-20"}, rows=True),
    Expected("杭州天气怎么样", "answered", "query weather", {"city": "杭州", "date": "2026-08-16"}, rows=True),
    Expected("那上海呢", "answered", "query weather", {"city": "上海", "date": "2026-08-16"}, rows=True),
    Expected("以后都要二等座，记一下", "answered", says="二等座", profile=LASTING),
    Expected("我对海鲜过敏", "answered", says="海鲜过敏", profile=LASTING, facts=1),
    Expected("明天北京到上海的高铁", "answered", TRAIN, LASTING, "已按您的偏好", True, LASTING, 1),
    Expected("最便宜的那个", "confirmation_required", ORDER, LASTING, "下单吗", True, LASTING, 1),
    Expected("确认", "answered", ORDER, {"train_type": "G"}, "已下单", False, LASTING, 1),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Whole]:
    async with whole(free_settings(tmp_path_factory.mktemp("data"))) as running_whole:
        await running_whole.until("ok")
        yield running_whole


async def state(client: httpx.AsyncClient, **who: str) -> dict[str, Any]:
    response = await client.get("/api/memory/state", params=who)
    assert response.status_code == 200
    body: dict[str, Any] = response.json()
    return body


async def test_fourteen_turns_are_understood_answered_and_remembered(started: Whole) -> None:
    said = 0
    for turn in TALK:
        body = await started.ask(turn.say, **WHO)
        assert body["status"] == turn.status, (turn.say, body["reply"])
        assert turn.says in body["reply"], (turn.say, body["reply"])
        if turn.intent:
            assert body["intents"] == [turn.intent], turn.say
            assert body["slots"][turn.intent].items() >= turn.slots.items(), turn.say
        if turn.rows:
            assert body["steps"][-1]["data"]["rows"], turn.say
        said += 2
        known = await state(started.client, **WHO)
        assert len(known["short_term"]) == min(said, 10)
        assert [m["content"] for m in known["short_term"][-2:]] == [turn.say, body["reply"]]
        assert known["user_profile"] == turn.profile, turn.say
        assert len(known["long_term"]) == turn.facts, turn.say
    orders = (await started.client.get("/api/orders", params={"user_id": "alice"})).json()["orders"]
    assert [order["item"]["seat_class"] for order in orders] == ["二等座"]


async def test_the_full_history_is_longer_than_short_term(started: Whole) -> None:
    await started.ask("明天上海天气", user_id="historian", session_id="long")
    for _ in range(6):
        await started.ask("那北京呢", user_id="historian", session_id="long")
    path = "/api/sessions/long/messages"
    first = (await started.client.get(path, params={"user_id": "historian", "limit": 10})).json()
    rest = (await started.client.get(path, params={"user_id": "historian", "before": first["next"]})).json()
    assert len(first["messages"]) + len(rest["messages"]) == 14
    sessions = (await started.client.get("/api/sessions", params={"user_id": "historian"})).json()["sessions"]
    assert [(s["session_id"], s["title"]) for s in sessions] == [("long", "明天上海天气")]


async def test_numbers_that_name_a_person_are_masked_before_they_are_stored(started: Whole) -> None:
    who = {"user_id": "masked", "session_id": "s"}
    await started.ask("我的手机号是13812345678，身份证110101199003074610，查明天上海天气", **who)
    kept = str(await state(started.client, **who)) + str((await started.client.get("/api/export", params=who)).json())
    assert "13812345678" not in kept
    assert "110101199003074610" not in kept


async def test_another_user_sees_nothing_on_any_route(started: Whole) -> None:
    marker = "外滩边的标记XYZ"
    await started.ask(f"我叫林小满，{marker}，明天上海天气", user_id="owner", session_id="secret")
    described = (await started.client.get("/openapi.json")).json()
    asked = 0
    for path, methods in described["paths"].items():
        filled = path.replace("{session_id}", "secret").replace("{kind}", "short_term")
        filled = filled.replace("{order_id}", "none").replace("{offer_id}", "none")
        for method in set(methods) & {"get"}:
            answer = await started.client.request(
                method, filled, params={"user_id": "intruder", "session_id": "secret", "limit": 50}
            )
            asked += 1
            assert marker not in answer.text, path
            assert "林小满" not in answer.text, path
    assert asked >= 10
    assert "林小满" not in (await started.ask("我叫什么名字", user_id="intruder", session_id="secret"))["reply"]
    assert "林小满" in (await started.ask("我叫什么名字", user_id="owner", session_id="other"))["reply"]


async def test_deleting_memory_leaves_no_row(started: Whole) -> None:
    who = {"user_id": "leaver", "session_id": "s"}
    await started.ask("我对芒果过敏，以后都要靠窗，查明天上海天气", **who)
    assert (await started.client.delete("/api/memory", params=who)).status_code == 204
    empty: dict[str, Any] = {"short_term": [], "user_profile": {}, "task_context": {}, "long_term": []}
    assert await state(started.client, **who) == empty
    assert (await started.client.get("/api/sessions", params=who)).json()["sessions"] == []


async def test_memory_outlives_a_restart_and_is_seen_by_a_second_gateway(tmp_path: Path) -> None:
    settings = free_settings(tmp_path)
    async with whole(settings) as first:
        await first.until("ok")
        await first.ask("后天上海到杭州的高铁", **WHO)
    async with whole(settings) as again:
        await again.until("ok")
        chosen = await again.ask("第二个", **WHO)
        assert chosen["status"] == "confirmation_required"
        port = free_port()
        with second_process(tmp_path, settings.model_dump(mode="json"), port):
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as other:
                await reachable(other)
                placed = (await other.post("/api/chat", json={"query": "确认", **WHO})).json()
                assert [order["status"] for order in placed["orders"]] == ["confirmed"]
                assert len((await state(other, **WHO))["short_term"]) == 6


def second_process(folder: Path, raw: dict[str, Any], port: int) -> "subprocess.Popen[bytes]":
    """A gateway of its own process on the same database and agents."""
    raw["gateway"]["port"] = port
    config = folder / "second.yaml"
    config.write_text(yaml.safe_dump({k: v for k, v in raw.items() if v is not None}, allow_unicode=True), "utf-8")
    command = [sys.executable, str(ROOT / "main.py"), "--config", str(config), "serve", "gateway"]
    return _Terminated(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class _Terminated(subprocess.Popen[bytes]):
    """A process that is asked to end when its block does."""

    def __exit__(self, *details: Any) -> None:
        self.terminate()
        super().__exit__(*details)


async def reachable(client: httpx.AsyncClient) -> None:
    transport_retries = httpx.AsyncHTTPTransport(retries=8)
    async with httpx.AsyncClient(transport=transport_retries, base_url=client.base_url, timeout=30) as patient:
        assert (await patient.get("/health/live")).status_code == 200


async def test_messages_of_one_session_never_interleave(started: Whole) -> None:
    who = {"user_id": "hasty", "session_id": "one"}
    answers = await asyncio.gather(*(
        started.client.post("/api/chat", json={"query": f"{day}上海天气", **who}) for day in ("今天", "明天", "后天")
    ))
    assert {answer.status_code for answer in answers} == {200}
    known = (await state(started.client, **who))["short_term"]
    assert [message["role"] for message in known] == ["user", "assistant"] * 3


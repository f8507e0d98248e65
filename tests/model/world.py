"""A whole core over the scripted model: agents in memory that remember what they were asked, stores in memory."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from core.adapters.llm.opening import open_model
from core.bootstrap import Stores, build_backend
from core.ports.agents import Unreachable
from core.service import Backend, ChatRequest
from core.shared.call_context import CallContext
from core.shared.clock import SHANGHAI, ManualClock
from core.shared.json_types import JsonObject
from core.shared.settings import Settings, parse_settings
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.events import Delta, Done, Event
from core.types.memory import Message, TaskContext, TurnRecord
from core.types.turn import Reply
from tests.support.model_server import Act, ModelServer, answer, model_server, said
from tests.support.network import InMemoryNetwork
from tests.support.stores import in_memory_stores

NOW = SHANGHAI.localize(datetime(2026, 8, 16, 12))
KEY = "sk-secret-0123456789abcdefghijklmnop"
LEAP_BELOW_S = 9.0
"""The event stream's heartbeat is 10 s: it must stand, or it would run through the turn's time."""
CASES = Path(__file__).parent / "cases"
HISTORY = ("我下周五要从北京去上海，看看高铁", "请告诉我日期：2026-08-21，北京到上海，对吗？")

_STAGES = {"听懂话": "intent", "安排步骤": "plan", "回话": "summary", "各地景点": "attraction", "记住用户": "memory"}


class LeapingClock(ManualClock):
    """Short waits, between tries, pass at once; deadlines stand."""

    async def sleep(self, seconds: float) -> None:
        if seconds >= LEAP_BELOW_S:
            await super().sleep(seconds)
            return
        await asyncio.sleep(0)
        self.advance(seconds)


class Agent:
    """Finds the rows it was given for an intent, by default none."""

    def __init__(self, rows: dict[str, list[JsonObject]], texts: dict[str, str] | None = None) -> None:
        self.rows = rows
        self.texts = texts or {}
        self.asked: list[tuple[str, JsonObject]] = []
        self.broken: set[str] = set()
        self.find: Callable[[JsonObject], list[JsonObject]] | None = None
        self.watch: Callable[[], None] = lambda: None

    async def __call__(self, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        action = request.action_code[0]
        self.watch()
        self.asked.append((action.tool_name, dict(action.parameter)))
        if action.tool_name in self.broken:
            return Unreachable(agent="agent", reason="连接中断")
        if action.tool_name.startswith(("order ", "cancel ")):
            return _quoted(self.rows.get("order", [TRAIN])[0], action.tool_name)
        rows = self.find(action.parameter) if self.find else self.rows.get(action.tool_name, [])
        text = self.texts.get(action.tool_name) or ("；".join(str(row["title"]) for row in rows) + "。" if rows else "")
        data = {"kind": action.tool_name.split()[1], "rows": rows}
        return AgentResponse.model_validate(
            {"status": "completed", "observation": text or "抱歉，没有查到。", "data": data}
        )


TRAIN: JsonObject = {
    "item_id": "i-1", "title": "G7505 上海虹桥→杭州东 二等座 ¥73，余12张", "price": "73.00", "remaining": 12,
    "train_no": "G7505", "from_station": "上海虹桥", "to_station": "杭州东", "from_city": "上海", "to_city": "杭州",
    "date": "2026-08-18", "depart_at": "2026-08-18T09:10:00+08:00", "arrive_at": "2026-08-18T10:05:00+08:00",
    "duration_min": 55, "seat_class": "二等座",
}
TRAIN_TOO: JsonObject = {
    **TRAIN, "item_id": "i-2", "title": "G7311 上海虹桥→杭州东 二等座 ¥87，余3张", "price": "87.00", "remaining": 3,
    "train_no": "G7311", "depart_at": "2026-08-18T14:20:00+08:00", "arrive_at": "2026-08-18T15:20:00+08:00",
    "duration_min": 60,
}
WEATHER: JsonObject = {
    "title": "杭州8月18日多云转小雨，26～31℃", "city": "杭州", "date": "2026-08-18", "condition_day": "多云",
    "condition_night": "小雨", "temp_max_c": 31, "temp_min_c": 26, "humidity_pct": 70, "wind": "东南风3级",
    "precip_mm": 4,
}


def _quoted(item: JsonObject, skill: str) -> AgentResponse:
    quote = {
        "skill": skill, "action": "place", "kind": "train",
        "items": [{"item": item, "quantity": 1, "unit_price": item["price"]}],
    }
    return AgentResponse.model_validate({"status": "input_required", "observation": "有票。", "quotes": [quote]})


@dataclass
class World:
    """A running core and everything that it talks to."""

    backend: Backend
    server: ModelServer
    clock: LeapingClock
    network: InMemoryNetwork
    stores: Stores
    agent: Agent

    @property
    def stages(self) -> list[str]:
        """The stages that the model was asked for, in order."""
        return [stage_of(call.body) for call in self.server.calls]

    def request(self, text: str, session: str = "s1") -> ChatRequest:
        return ChatRequest("u1", session, text)

    async def events(self, text: str, session: str = "s1") -> list[Event]:
        return [event async for event in self.backend.turns.stream(self.request(text, session))]

    async def ask(self, text: str, *acts: Act, session: str = "s1") -> Reply:
        """One turn; the model plays the acts. The deltas that were streamed are checked to be the reply."""
        if acts:
            self.server.plays(*acts)
        events = await self.events(text, session)
        done = events[-1]
        assert isinstance(done, Done)
        assert "".join(event.text for event in events if isinstance(event, Delta)) == done.reply.answer.text
        return done.reply

    async def remembers(self, *said: str, session: str = "s1", context: TaskContext | None = None) -> None:
        """An earlier talk: what the person and the assistant said, in turns."""
        start = self.clock.now() - timedelta(minutes=5)
        messages = tuple(
            Message("assistant" if place % 2 else "user", text, start + timedelta(seconds=place))
            for place, text in enumerate(said)
        )
        await self.stores.history.record(
            TurnRecord("u1", session, messages, context or TaskContext()), facts=20
        )

    def asked(self, intent: str) -> list[JsonObject]:
        """The parameters of every call for an intent."""
        return [parameter for tool, parameter in self.agent.asked if tool == intent]


INTENTS = {
    "WeatherQueryAssistant": ["query weather"],
    "TicketAssistant": [
        "query train tickets", "query flight tickets", "query concert tickets", "order train tickets",
        "order flight tickets", "order concert tickets", "query orders", "cancel order",
    ],
    "TripAssistant": ["query tour group", "query car rental", "query insurance"],
}


def settings_for(url: str, **llm: Any) -> Settings:
    chosen = {"model": "test-model", "base_url": url, "api_key": KEY, "thinking_tags": "show", **llm}
    return parse_settings({"llm": chosen, "planning": {"mode": "model"}})


@contextlib.asynccontextmanager
async def world(stages: dict[str, Any] | None = None) -> AsyncIterator[World]:
    """A new one, with one train, one forecast and an address that plays nothing yet."""
    clock = LeapingClock(NOW)
    agent = Agent({"query train tickets": [TRAIN, TRAIN_TOO], "query weather": [WEATHER]})
    network, stores = InMemoryNetwork(), in_memory_stores()
    for name, intents in INTENTS.items():
        network.add(name, intents, agent)
    async with model_server(clock) as server:
        settings = settings_for(server.url, stages=stages or {})
        async with open_model(settings, clock) as model:
            backend = build_backend(network, stores, settings, clock, model)
            try:
                yield World(backend, server, clock, network, stores, agent)
            finally:
                await backend.turns.close()


def stage_of(request: JsonObject) -> str:
    """Which of our prompts a request holds."""
    messages: Any = request["messages"]
    first = str(messages[0]["content"])[:60]
    return next(stage for words, stage in _STAGES.items() if words in first)


def understood(*tasks: JsonObject, follow_up: str | None = None) -> Act:
    """A good answer to the understanding prompt."""
    return answer(json.dumps({"tasks": list(tasks), "follow_up_message": follow_up}, ensure_ascii=False))


def task(intent: str, query: str = "", id: str = "t1", **slots: Any) -> JsonObject:
    return {"id": id, "intent": intent, "query": query, "slots": slots}


def planned(*steps: JsonObject) -> Act:
    """A good answer to the planning prompt."""
    return answer(json.dumps({"steps": list(steps)}, ensure_ascii=False))


def spoken(*words: str) -> Act:
    """A streamed summary."""
    return said(*words)

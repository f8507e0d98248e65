"""A small agent as somebody outside would write it: plain a2a-sdk, a few hotels, nothing of SmartVoyage imported.

Start it with `python hotel_agent.py --port 7001`; README.md says how SmartVoyage gets to know it.
"""

import argparse
import contextlib
import re
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from a2a.helpers import get_data_parts, get_message_text, new_data_part, new_task, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import (
    add_a2a_routes_to_fastapi,
    create_agent_card_routes,
    create_jsonrpc_routes,
    create_rest_routes,
)
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Message, TaskState
from fastapi import FastAPI

Hotel = dict[str, Any]

# City, name, district, stars, CNY per night, rooms left: all invented.
_HOTELS = [
    ("上海", "江畔云舍酒店", "黄浦区", 4, "688.00", 6),
    ("上海", "梧桐里民宿", "徐汇区", 3, "428.00", 2),
    ("上海", "虹桥晨星酒店", "闵行区", 3, "359.00", 11),
    ("北京", "什刹小院", "西城区", 3, "518.00", 3),
    ("北京", "国贸望岳酒店", "朝阳区", 5, "1188.00", 8),
    ("成都", "锦里竹影客栈", "武侯区", 3, "298.00", 5),
    ("成都", "太古春熙酒店", "锦江区", 4, "566.00", 7),
    ("杭州", "湖心居", "西湖区", 4, "728.00", 4),
    ("西安", "城墙根青年旅舍", "碑林区", 2, "158.00", 12),
    ("广州", "珠江夜航酒店", "海珠区", 4, "499.00", 9),
]
_SKILL = AgentSkill(
    id="query_hotels",
    name="query hotels",
    description="查询城市里的酒店、民宿和客栈：所在区、星级、每晚价格和剩余房间。",
    tags=["酒店", "住宿", "宾馆", "民宿", "客栈", "旅馆"],
    examples=["上海的酒店", "成都有什么民宿", "北京住哪里好", "帮我找杭州的宾馆"],
)
_PRICE_LIMIT = re.compile(r"(\d+)\s*元?(?:以内|以下)")


def hotels_in(city: str, price_max: float | None = None) -> list[Hotel]:
    """The city's hotels, the cheapest first, as rows with the four fields that SmartVoyage's clients expect."""
    rows = [
        {"item_id": f"hotel-{number}", "title": name, "price": price, "remaining": rooms,
         "city": where, "district": district, "stars": stars}
        for number, (where, name, district, stars, price, rooms) in enumerate(_HOTELS, 1)
        if where == city and (price_max is None or float(price) <= price_max)
    ]
    return sorted(rows, key=lambda row: float(str(row["price"])))


def answer(parameter: dict[str, Any], text: str) -> dict[str, Any]:
    """The answer in SmartVoyage's format: {status, observation, data}. `parameter` wins over the text."""
    city = str(parameter.get("city") or _city_in(text) or "")
    if not city:
        return {"status": "input_required", "observation": "请问要住在哪个城市呢？", "data": None}
    rows = hotels_in(city, _price_limit(parameter, text))
    data = {"kind": "hotel", "rows": rows, "more": 0, "origin": "demo"}
    return {"status": "completed", "observation": _words(city, rows), "data": data}


def _city_in(text: str) -> str | None:
    return next((hotel[0] for hotel in _HOTELS if hotel[0] in text), None)


def _price_limit(parameter: dict[str, Any], text: str) -> float | None:
    said = parameter.get("price_max")
    if said is None and (found := _PRICE_LIMIT.search(text)):
        said = found.group(1)
    try:
        return None if said is None else float(said)
    except (TypeError, ValueError):
        return None


def _words(city: str, rows: list[Hotel]) -> str:
    if not rows:
        return f"抱歉，{city}暂时没有合适的酒店，可以换个城市或放宽价格再试。"
    lines = [f"{place}. {_line(row)}" for place, row in enumerate(rows, 1)]
    return "\n".join([f"{city}有{len(rows)}家酒店可选（演示数据）：", *lines])


def _line(row: Hotel) -> str:
    where = f"{row['title']}（{row['district']}，{row['stars']}星）"
    return f"{where}，每晚¥{float(row['price']):g}，余{row['remaining']}间"


class HotelExecutor(AgentExecutor):
    """Reads the data part where there is one, else the text, and answers with data and words."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        message = context.message or Message()
        task_id, context_id = context.task_id or "", context.context_id or ""
        if context.current_task is None:
            submitted = new_task(task_id, context_id, TaskState.TASK_STATE_SUBMITTED, history=[message])
            await event_queue.enqueue_event(submitted)
        else:
            context_id = context.current_task.context_id
        updater = TaskUpdater(event_queue, task_id, context_id)
        await updater.start_work()
        said = answer(*_request_in(message))
        parts = [new_data_part(said), new_text_part(said["observation"])]
        if said["status"] == "input_required":
            await updater.requires_input(updater.new_agent_message(parts))
            return
        await updater.add_artifact(parts, name="answer")
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await TaskUpdater(event_queue, context.task_id or "", context.context_id or "").cancel()


def _request_in(message: Message) -> tuple[dict[str, Any], str]:
    """SmartVoyage sends {thought, action_code: [{tool_name, parameter, job_desc}]}; others send text."""
    text = get_message_text(message)
    for data in get_data_parts(message.parts):
        actions = data.get("action_code") if isinstance(data, dict) else None
        if isinstance(actions, list) and actions and isinstance(actions[0], dict):
            parameter = actions[0].get("parameter")
            job_desc = str(actions[0].get("job_desc") or "")
            return (parameter if isinstance(parameter, dict) else {}), f"{job_desc}\n{text}"
    return {}, text


def make_card(url: str) -> AgentCard:
    """What this agent says of itself. The skill's tags and examples are how SmartVoyage recognises such wishes."""
    return AgentCard(
        name="HotelAssistant",
        description="查询酒店与民宿。",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=f"{url}/", protocol_binding="JSONRPC", protocol_version="1.0"),
            AgentInterface(url=url, protocol_binding="HTTP+JSON", protocol_version="1.0"),
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain", "application/json"],
        default_output_modes=["text/plain", "application/json"],
        skills=[_SKILL],
    )


def create_app(url: str) -> FastAPI:
    """The agent as an ASGI application that is reached at `url`."""
    card = make_card(url)
    handler = DefaultRequestHandler(HotelExecutor(), InMemoryTaskStore(), card, interrupted_task_timeout=600)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await handler.aclose()

    app = FastAPI(title=card.name, lifespan=lifespan)
    add_a2a_routes_to_fastapi(
        app,
        agent_card_routes=create_agent_card_routes(card),
        jsonrpc_routes=create_jsonrpc_routes(handler, rpc_url="/"),
        rest_routes=create_rest_routes(handler),
    )
    return app


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A small hotel agent that speaks A2A.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=7001)
    asked = parser.parse_args()
    uvicorn.run(create_app(f"http://{asked.host}:{asked.port}"), host=asked.host, port=asked.port)


if __name__ == "__main__":
    main()

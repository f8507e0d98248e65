"""/health of a tool server: does the database answer, and, where weather is served, how old is what was collected."""

import asyncio
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from mcp_server.business_data import BusinessData
from mcp_tools.weather.store import collected_at


def health_of(data: BusinessData, clock: Clock, *, weather: bool) -> Callable[[Request], Awaitable[Response]]:
    """The route's handler."""

    async def health(_request: Request) -> Response:
        trouble, forecast = await asyncio.to_thread(_look, data, clock if weather else None)
        if trouble is not None:
            return JSONResponse({"status": "down", "detail": trouble}, status_code=503)
        return JSONResponse({"status": "ok", **forecast})

    return health


def _look(data: BusinessData, clock: Clock | None) -> tuple[str | None, JsonObject]:
    trouble = data.trouble()
    if trouble is not None or clock is None:
        return trouble, {}
    try:
        return None, {"forecast": _forecast(data, clock)}
    except SQLAlchemyError:
        return "the database does not answer", {}


def _forecast(data: BusinessData, clock: Clock) -> JsonObject:
    """The age of the newest collected row. Old rows are still served: it is for the operator to see."""
    newest = collected_at(data.engine)
    if newest is None:
        return {"origin": "demo", "collected_at": None, "age_minutes": None}
    minutes = int((clock.now() - newest).total_seconds() // 60)
    local = newest.astimezone(clock.now().tzinfo).isoformat(timespec="seconds")
    return {"origin": "collected", "collected_at": local, "age_minutes": minutes}

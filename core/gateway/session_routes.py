"""Conversations with their full history, all that is kept of a person, and thumbs up or down."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from core.gateway.access import BackendIn, UserIn
from core.gateway.memory_schemas import FeedbackIn, HistoryOut, SessionsOut, history_out, sessions_out
from core.gateway.once import ONCE, OnceRoute
from core.gateway.problems import documented
from core.gateway.schemas import Identifier
from core.orders.ledger import AskedBy
from core.service import Backend
from core.shared.errors import Conflict, InvalidRequest, NotFound, SmartVoyageError, UpstreamUnavailable
from core.shared.json_types import JsonObject

router = APIRouter(tags=["sessions"], route_class=OnceRoute)

SessionPath = Annotated[Identifier, Path()]
_PROBLEMS = documented(InvalidRequest, NotFound, SmartVoyageError)
_ORDERS_A_PAGE = 100


@router.get("/api/sessions", summary="A person's conversations, newest first", responses=_PROBLEMS)
async def sessions(user_id: UserIn, backend: BackendIn) -> SessionsOut:
    return sessions_out(await backend.memory.sessions(user_id))


@router.get("/api/sessions/{session_id}/messages", summary="The full history, newest first", responses=_PROBLEMS)
async def messages(
    session_id: SessionPath,
    user_id: UserIn,
    backend: BackendIn,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(max_length=32)] = None,
) -> HistoryOut:
    """`before` is the `next` of the page before."""
    page = await backend.memory.messages(user_id, session_id, limit=limit, before=before)
    if page is None:
        raise _no_session()
    return history_out(page)


@router.delete("/api/sessions/{session_id}", status_code=204, summary="Delete a conversation", responses=_PROBLEMS)
async def delete_session(session_id: SessionPath, user_id: UserIn, backend: BackendIn) -> None:
    if not await backend.memory.delete_session(user_id, session_id):
        raise _no_session()


@router.get(
    "/api/export",
    summary="All that is kept of the user",
    tags=["user"],
    responses=_PROBLEMS | documented(UpstreamUnavailable),
)
async def export(user_id: UserIn, backend: BackendIn, request: Request) -> dict[str, object]:
    """Rows by table, with the orders that the agents hold. 503 when those cannot be had: half of it would be a lie."""
    kept = await backend.memory.export(user_id)
    return {"user_id": user_id, **kept, "orders": await _orders(backend, AskedBy(user_id, request.state.traceparent))}


@router.delete("/api/user", status_code=204, summary="Erase the user", tags=["user"], responses=_PROBLEMS)
async def erase(user_id: UserIn, backend: BackendIn) -> None:
    """Everything but the orders, which the law asks to keep."""
    await backend.memory.erase(user_id)


@router.post(
    "/api/feedback",
    status_code=204,
    summary="Thumb up or down",
    tags=["feedback"],
    dependencies=ONCE,
    responses=_PROBLEMS | documented(Conflict),
)
async def feedback(body: FeedbackIn, user_id: UserIn, backend: BackendIn) -> None:
    """One for each reply; a second replaces the first."""
    await backend.memory.add_feedback(body.user_id or user_id, body.trace_id, body.score, body.comment or "")


async def _orders(backend: Backend, who: AskedBy) -> list[JsonObject]:
    found: list[JsonObject] = []
    before: str | None = None
    while True:
        page = await backend.ledger.page(who, limit=_ORDERS_A_PAGE, before=before)
        found += page.orders
        if (before := page.next) is None:
            return found


def _no_session() -> NotFound:
    return NotFound("没有这个会话。")

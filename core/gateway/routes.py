"""The routes of the gateway; each reads its input, asks the backend and shapes the answer."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from core.gateway.access import BackendIn, CallerIn
from core.gateway.health import health_of
from core.gateway.leaving import unless_left
from core.gateway.once import HEADER, ONCE, OnceRoute
from core.gateway.problems import documented
from core.gateway.reply_json import agent_out, reply_out
from core.gateway.schemas import AgentsOut, ChatIn, HealthOut, LiveOut, ReplyOut
from core.gateway.stream import HEADERS, MEDIA_TYPE, begun, server_sent
from core.service import ChatRequest
from core.shared.call_context import trace_id_of
from core.shared.errors import Conflict, DeadlineExceeded, InvalidRequest, SmartVoyageError, TooLarge

router = APIRouter(route_class=OnceRoute)

_EVENTS = {MEDIA_TYPE: {"schema": {"type": "string"}}}


@router.post(
    "/api/chat",
    summary="Answer one message",
    tags=["chat"],
    dependencies=ONCE,
    responses=documented(TooLarge, InvalidRequest, Conflict, DeadlineExceeded, SmartVoyageError),
)
async def chat(body: ChatIn, request: Request, backend: BackendIn) -> ReplyOut:
    """Understands the message, runs what it asks for and answers when everything is there.

    A client that goes away ends the run, unless its Idempotency-Key says that it will come back for the answer.
    """
    answering = backend.turns.chat(_asked(body, request))
    return reply_out(await (answering if HEADER in request.headers else unless_left(request, answering)))


@router.post(
    "/api/chat/stream",
    summary="Answer one message by Server-Sent Events",
    tags=["chat"],
    dependencies=ONCE,
    response_class=StreamingResponse,
    responses={
        200: {"description": "Events: meta, cache, intent, plan, step, delta; one done or error", "content": _EVENTS},
        **documented(TooLarge, InvalidRequest, Conflict, SmartVoyageError),
    },
)
async def chat_stream(body: ChatIn, request: Request, backend: BackendIn) -> StreamingResponse:
    """The same as /api/chat, told while it happens. A client that goes away ends the run."""
    asked = _asked(body, request)
    events = await begun(backend.turns.stream(asked))
    told = server_sent(events, backend.clock, trace_id_of(asked.traceparent))
    return StreamingResponse(told, media_type=MEDIA_TYPE, headers=HEADERS)


def _asked(body: ChatIn, request: Request) -> ChatRequest:
    return ChatRequest(
        user_id=request.state.caller.acting_for(body.user_id),
        session_id=body.session_id,
        query=body.query,
        traceparent=request.state.traceparent,
    )


@router.get("/api/agents", summary="The agents' cards", tags=["agents"], responses=documented(SmartVoyageError))
async def agents(backend: BackendIn, caller: CallerIn) -> AgentsOut:
    """Every configured agent, reachable or not, with what it can do."""
    return AgentsOut(agents=[agent_out(agent, operator=caller.operator) for agent in backend.network.agents()])


@router.get(
    "/health",
    summary="How every part is",
    tags=["health"],
    responses={503: {"model": HealthOut, "description": "Nothing can be answered"}},
)
async def health(backend: BackendIn, response: Response) -> HealthOut:
    found = health_of(backend)
    response.status_code = 503 if found.status == "down" else 200
    return found


@router.get("/health/live", summary="The process answers", tags=["health"])
async def live() -> LiveOut:
    return LiveOut()


@router.get(
    "/health/ready",
    summary="Turns can be taken",
    tags=["health"],
    responses={503: {"model": HealthOut, "description": "Not able to take turns"}},
)
async def ready(backend: BackendIn, response: Response) -> HealthOut:
    return await health(backend, response)

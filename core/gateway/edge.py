"""What every request passes first: a trace of its own, the gate, and a limit to its size."""

import ipaddress
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.gateway.auth import NOBODY, Caller, Gate, is_public
from core.gateway.problems import problem_response
from core.shared.call_context import from_metadata
from core.shared.errors import Forbidden, TooLarge, Unauthenticated
from core.shared.logging import trace_id

MAX_BODY_BYTES = 64 * 1024

OPEN_DOOR = "登录验证没有开启（auth.mode: off），只接受本机访问；要对外服务，请设置 AUTH_MODE。"


class Edge:
    """Plain ASGI, so that streams pass through untouched. Puts `traceparent` and `caller` into the request's state.

    While auth is off, what arrived on another address than loopback is refused, however the server was started:
    settings can name a loopback address while `uvicorn --host` opens a wider one.
    """

    def __init__(self, app: ASGIApp, *, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        traced = from_metadata({"traceparent": request.headers.get("traceparent", "")}, default_remaining_ms=0)
        scope.setdefault("state", {})["traceparent"] = traced.traceparent
        token = trace_id.set(traced.trace_id)
        try:
            scope["state"]["caller"] = self._admitted(request, scope)
            await self._within_size(request, scope, receive, send)
        except (Forbidden, Unauthenticated) as refusal:
            await problem_response(refusal)(scope, receive, send)
        finally:
            trace_id.reset(token)

    def _admitted(self, request: Request, scope: Scope) -> Caller:
        """Who calls; raises Forbidden or Unauthenticated. The body has not been read yet."""
        if self._gate.open and not _on_loopback(scope):
            raise Forbidden(OPEN_DOOR)
        if is_public(request.url.path):
            return NOBODY
        return self._gate.caller(request.headers.get("authorization"))

    async def _within_size(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body_within_limit(request.headers.get("content-length"), receive)
        if body is None:
            await problem_response(TooLarge("请求体不能超过 64 KiB。"))(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)


async def _body_within_limit(declared: str | None, receive: Receive) -> bytes | None:
    """The whole body, or None as soon as it is known to be too large."""
    if declared is not None and declared.isdigit() and int(declared) > MAX_BODY_BYTES:
        return None
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        body += bytes(message.get("body", b""))
        if len(body) > MAX_BODY_BYTES:
            return None
        if not message.get("more_body", False):
            return body


def _replay(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """`receive` as it was before the body was read; afterwards it tells of the client's leaving."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def _on_loopback(scope: Scope) -> bool:
    """Whether the connection's local end is a loopback address (or no network address at all)."""
    host, port = scope.get("server") or ("", None)
    if port is None:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return True

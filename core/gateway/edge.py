"""What every request passes first: a trace of its own, the gate, and limits to its size and time."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from core.gateway.auth import NOBODY, Caller, Gate, is_public
from core.gateway.body import body_within_limits, replay
from core.gateway.local import is_local, on_loopback
from core.gateway.problems import problem_response
from core.shared.call_context import from_metadata
from core.shared.clock import Clock
from core.shared.errors import Forbidden, InvalidRequest, TooLarge, Unauthenticated
from core.shared.logging import trace_id

OPEN_DOOR = "登录验证没有开启（auth.mode: off），只接受本机访问；要对外服务，请设置 AUTH_MODE。"
FOREIGN_PAGE = "登录验证没有开启（auth.mode: off），不接受其他网站的页面发来的请求。"


class Edge:
    """Plain ASGI, so that streams pass through untouched. Puts `traceparent` and `caller` into the request's state.

    While auth is off, what arrived on another address than loopback is refused, however the server was started:
    settings can name a loopback address while `uvicorn --host` opens a wider one. So is what was sent to another name
    than this machine's, or by a page of another origin: a browser on this machine must not carry a stranger in.
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
            await self._within_limits(request, scope, receive, send)
        except (Forbidden, Unauthenticated) as refusal:
            await problem_response(refusal)(scope, receive, send)
        finally:
            trace_id.reset(token)

    def _admitted(self, request: Request, scope: Scope) -> Caller:
        """Who calls; raises Forbidden or Unauthenticated. The body has not been read yet."""
        if self._gate.open:
            _refuse_strangers(request, scope)
        if is_public(request.url.path):
            return NOBODY
        return self._gate.caller(request.headers.get("authorization"))

    async def _within_limits(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        clock: Clock = scope["app"].state.backend.clock
        try:
            body = await body_within_limits(request.headers.get("content-length"), receive, clock)
        except (InvalidRequest, TooLarge) as refusal:
            answer = problem_response(refusal)
            answer.headers["Connection"] = "close"  # what is still to come of the body is not waited for
            await answer(scope, receive, send)
            return
        await self._app(scope, replay(body, receive), send)


def _refuse_strangers(request: Request, scope: Scope) -> None:
    """With auth off: only who is on this machine, and no web page of elsewhere that this machine's browser shows."""
    if not on_loopback(scope) or not is_local(request.headers.get("host")):
        raise Forbidden(OPEN_DOOR)
    if not is_local(request.headers.get("origin")):
        raise Forbidden(FOREIGN_PAGE)

"""Errors as RFC 9457 problem details: one table, one renderer, nothing of our insides in them."""

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from core.gateway.faults import first_fault
from core.gateway.schemas import ProblemOut
from core.shared.call_context import trace_id_of
from core.shared.errors import InvalidRequest, MethodNotAllowed, NotFound, SmartVoyageError, Unauthenticated
from core.shared.logging import trace_id

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
INTERNAL = "服务器内部出错，请稍后再试；反馈问题时请附上 trace_id。"


class _Internal(SmartVoyageError):
    """A bug; its story is in the log under the trace id."""


def problem_response(error: SmartVoyageError, trace: str = "") -> Response:
    """The error as a response, Retry-After included where the error has one. `trace`: where none is current."""
    body = problem_of(error, trace)
    headers = {"Retry-After": str(error.retry_after_s)} if error.retry_after_s is not None else {}
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(body.model_dump(), status_code=error.status, headers=headers, media_type=MEDIA_TYPE)


def problem_of(error: Exception, trace: str = "") -> ProblemOut:
    """The problem that an exception is; a bug shows nothing of itself."""
    known = error if isinstance(error, SmartVoyageError) else _Internal(INTERNAL)
    return ProblemOut(
        type=f"urn:smartvoyage:problem:{known.code}",
        title=known.title,
        status=known.status,
        detail=known.detail,
        code=known.code,
        trace_id=trace or trace_id.get(),
    )


def add_problem_handlers(app: FastAPI) -> None:
    """Every way in which a request can fail ends here."""
    app.add_exception_handler(SmartVoyageError, _expected)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _bug)


def documented(*errors: type[SmartVoyageError]) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route in /openapi.json."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemOut"}}}
    return {error.status: {"description": error.title, "content": content} for error in errors}


async def _expected(_: Request, error: Exception) -> Response:
    assert isinstance(error, SmartVoyageError)  # noqa: S101  registered for this type only
    return problem_response(error)


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  registered for this type only
    return problem_response(InvalidRequest(first_fault(error)))


async def _http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  registered for this type only
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        response = problem_response(MethodNotAllowed("这个地址不支持该请求方法。"))
        response.headers.update(error.headers or {})
        return response
    if error.status_code == HTTPStatus.NOT_FOUND:
        return problem_response(NotFound("没有这个地址。"))
    return problem_response(InvalidRequest("请求无法识别。"))


async def _bug(request: Request, error: Exception) -> Response:
    # Starlette calls this outside of every middleware, where the trace is no longer current.
    trace = trace_id_of(request.state.traceparent)
    log.error("unexpected failure", exc_info=error, extra={"path": request.url.path, "trace_id": trace})
    return problem_response(_Internal(INTERNAL), trace)

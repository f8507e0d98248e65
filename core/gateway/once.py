"""Idempotency-Key on every POST: the first answer is kept and given again, and nothing runs a second time."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from fastapi.responses import Response, StreamingResponse
from fastapi.routing import APIRoute

from core.gateway.auth import Caller
from core.gateway.stream import HEADERS, MEDIA_TYPE, as_first, ends_well
from core.ports.kept_responses import Claim, KeptResponse, KeptResponses
from core.shared.errors import Forbidden, InvalidRequest

HEADER = "Idempotency-Key"
MAX_KEY_CHARACTERS = 255

_BAD_KEY = f"{HEADER} 应为 1～{MAX_KEY_CHARACTERS} 个可见的 ASCII 字符。"

_Handler = Callable[[Request], Coroutine[Any, Any, Response]]
_releases: set[asyncio.Task[None]] = set()


async def _documented(
    key: Annotated[str | None, Header(alias=HEADER, max_length=MAX_KEY_CHARACTERS, description=__doc__)] = None,
) -> None:
    """Nothing but the header's place in /openapi.json: OnceRoute has read it before."""


ONCE = [Depends(_documented)]
"""The dependencies of a POST route that is an OnceRoute."""


class OnceRoute(APIRoute):
    """A route whose POST runs once for each key of a user. Only an answer that says what was done (2xx) is kept:
    after a refusal or a failure the same request runs again, which does no harm, since offers are placed once.
    """

    def get_route_handler(self) -> _Handler:
        handle = super().get_route_handler()

        async def once(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None or request.method != "POST":
                return await handle(request)
            return await _under(_checked(key), request, handle)

        return once


async def _under(key: str, request: Request, handle: _Handler) -> Response:
    body = await request.body()
    try:
        user_id = _user(request, body)
    except Forbidden:
        return await handle(request)  # it refuses in its own words
    book: KeptResponses = request.app.state.backend.kept
    parameters = request.query_params.multi_items()
    fingerprint = request_fingerprint(request.method, request.url.path, parameters, body)
    claimed = await book.claim(user_id, key, fingerprint)
    if isinstance(claimed, KeptResponse):
        return _again(claimed)
    request.state.resumed = claimed.resumed
    return await _kept(claimed, handle(request))


async def _kept(claim: Claim, answering: Awaitable[Response]) -> Response:
    try:
        response = await answering
        if isinstance(response, StreamingResponse):
            response.body_iterator = _watched(claim, response.body_iterator)
            return response
        if not 200 <= response.status_code < 300:
            await claim.release()
            return response
        await claim.keep(KeptResponse(response.status_code, response.media_type or "", bytes(response.body).decode()))
    except BaseException:
        _release_soon(claim)
        raise
    return response


async def _watched(claim: Claim, told: AsyncIterable[Any]) -> AsyncIterator[Any]:
    """The stream as it is. Its `done` is kept before it leaves; a stream that ends otherwise keeps nothing."""
    try:
        async for piece in told:
            if ends_well(piece):
                await claim.keep(KeptResponse(200, MEDIA_TYPE, as_first(piece).decode()))
            yield piece
    finally:
        _release_soon(claim)


def _release_soon(claim: Claim) -> None:
    """In a task of its own: whoever is being cancelled cannot wait. Changes nothing about what is kept."""
    release = asyncio.create_task(claim.release())
    _releases.add(release)
    release.add_done_callback(_releases.discard)


def _again(kept: KeptResponse) -> Response:
    streamed = kept.media_type == MEDIA_TYPE
    return Response(
        content=kept.body,
        status_code=kept.status,
        media_type=kept.media_type or None,
        headers={**(HEADERS if streamed else {}), "Idempotent-Replayed": "true"},
    )


def _checked(key: str) -> str:
    if not key or len(key) > MAX_KEY_CHARACTERS or not (key.isascii() and key.isprintable()):
        raise InvalidRequest(_BAD_KEY)
    return key


def _user(request: Request, body: bytes) -> str:
    """Whose key it is: the user the request is for, named as the routes have it."""
    caller: Caller = request.state.caller
    named = _named(body) or request.query_params.get("user_id")
    return caller.acting_for(named)


def _named(body: bytes) -> str | None:
    content = _content(body)
    named = content.get("user_id") if isinstance(content, dict) else None
    return named if isinstance(named, str) else None


def request_fingerprint(method: str, path: str, parameters: Iterable[tuple[str, str]], body: bytes) -> str:
    """What makes two requests the same: where they go and what they say, however their JSON is spaced."""
    said = json.dumps(_content(body), sort_keys=True) if body else ""
    where = [method, path, *map("=".join, sorted(parameters))]
    return hashlib.sha256("\n".join([*where, said]).encode()).hexdigest()


def _content(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.hex()

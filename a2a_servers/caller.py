"""Whether the caller still waits: for one that has gone no model is asked and nothing is looked up any more.

What has been ordered runs to its end: whether it was done must not depend on who is still listening.
"""

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar
from typing import Any, TypeVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

T = TypeVar("T")

_gone: ContextVar[asyncio.Event | None] = ContextVar("gone", default=None)


class CallerGone(Exception):
    """The caller closed the connection before it was answered."""


def has_gone() -> bool:
    """Whether the caller of the request that is being served has left."""
    gone = _gone.get()
    return gone is not None and gone.is_set()


async def while_waited_for(calling: Coroutine[Any, Any, T]) -> T:
    """The call's result; the call is cancelled, down to its socket, and CallerGone raised, once the caller leaves."""
    gone = _gone.get()
    if gone is None:
        return await calling
    call, leaving = asyncio.create_task(calling), asyncio.create_task(gone.wait())
    try:
        await asyncio.wait({call, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if call.done():
            return call.result()
        raise CallerGone
    finally:
        leaving.cancel()
        call.cancel()
        await asyncio.wait({call, leaving})


class CallerWatch:
    """ASGI middleware: notices that a caller leaves before its answer has begun.

    The task that serves the request inherits the mark. An answer that has begun, or a task that the caller asked to
    run on without it, is not bound to the connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        waiting = _Waiting(receive, send)
        mark = _gone.set(waiting.gone)
        try:
            await self._app(scope, waiting.receive, waiting.send)
        finally:
            _gone.reset(mark)
            waiting.answered()


class _Waiting:
    """One request, from its arrival to the first byte of its answer."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self.gone = asyncio.Event()
        self._receive = receive
        self._send = send
        self._watching: asyncio.Task[None] | None = None

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request" and not message.get("more_body") and self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        return message

    async def send(self, message: Message) -> None:
        self.answered()
        await self._send(message)

    def answered(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.gone.set()

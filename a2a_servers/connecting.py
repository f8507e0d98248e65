"""Whether a call to the tool server ever left this process: a connection that was refused carried nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import httpx2

_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


@dataclass(slots=True)
class Sending:
    """One call on its way. `refused`: there was no connection to send it over, so that surely nothing happened."""

    refused: bool = False


_sending: ContextVar[Sending | None] = ContextVar("sending", default=None)


@contextmanager
def sending() -> Iterator[Sending]:
    """Watch what is sent inside; the SDK carries the caller's context into the task that posts."""
    watched = Sending()
    token = _sending.set(watched)
    try:
        yield watched
    finally:
        _sending.reset(token)


class NotingTransport(httpx2.AsyncHTTPTransport):
    """An HTTP transport that notes a refused connection for the call that met it."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            return await super().handle_async_request(request)
        except _NOT_CONNECTED:
            if (watched := _sending.get()) is not None:
                watched.refused = True
            raise

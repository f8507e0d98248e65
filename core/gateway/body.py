"""A request's body is read before anything else is done: at most so large, and in at most so much time."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive

from core.shared.clock import Clock
from core.shared.errors import InvalidRequest, TooLarge
from core.shared.waiting import within

MAX_BODY_BYTES = 64 * 1024
BODY_S = 15.0
"""64 KiB take that long at 35 kbit/s; whoever is slower holds a connection for nothing."""

_TOO_LARGE = "请求体不能超过 64 KiB。"
_LATE = f"请求体没有在 {BODY_S:g} 秒内发完。"


async def body_within_limits(declared: str | None, receive: Receive, clock: Clock) -> bytes:
    """The whole body. TooLarge as soon as it is known to be that, InvalidRequest when it does not come."""
    if declared is not None and declared.isdigit() and int(declared) > MAX_BODY_BYTES:
        raise TooLarge(_TOO_LARGE)
    reading = asyncio.create_task(_whole(receive))
    try:
        await asyncio.sleep(0)
        if reading.done():  # as most are: no timer is set for them
            return reading.result()
        return await within(clock, BODY_S, _result(reading))
    except TimeoutError as error:
        raise InvalidRequest(_LATE) from error
    finally:
        reading.cancel()


async def _whole(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        body += bytes(message.get("body", b""))
        if len(body) > MAX_BODY_BYTES:
            raise TooLarge(_TOO_LARGE)
        if not message.get("more_body", False):
            return body


async def _result(reading: "asyncio.Task[bytes]") -> bytes:
    return await reading


def replay(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """`receive` as it was before the body was read; afterwards it tells of the client's leaving."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again

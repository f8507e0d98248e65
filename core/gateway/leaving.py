"""A client that goes away ends what was begun for it alone."""

import asyncio
from collections.abc import Coroutine
from typing import Any, ClassVar, TypeVar

from fastapi import Request

from core.shared.errors import SmartVoyageError

T = TypeVar("T")


class ClientLeft(SmartVoyageError):
    """Nobody reads this; the status is the one that proxies write into their logs for it."""

    status: ClassVar[int] = 499
    code: ClassVar[str] = "client_left"
    title: ClassVar[str] = "Client closed the connection"


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns. When the client goes away first, `work` is cancelled and ClientLeft raised.

    The request's body has been read before; what is still to come on the connection is only its end.
    """
    running, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            return running.result()
        raise ClientLeft("客户端已断开连接。")
    finally:
        leaving.cancel()
        running.cancel()
        await asyncio.wait({running, leaving})


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass

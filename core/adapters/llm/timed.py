"""A source of pieces with an end in time, however often a piece comes."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import TypeVar

from core.shared.clock import Clock
from core.shared.waiting import within

T = TypeVar("T")


async def timed(clock: Clock, seconds: float, source: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """The pieces of `source`, then TimeoutError once `seconds` of the clock have passed since the first was asked for.

    The source runs in one task from its beginning to its end, since a connection must be closed where it was opened;
    closing or cancelling this generator ends that task and waits for it.
    """
    ready: asyncio.Queue[tuple[T] | None] = asyncio.Queue()

    async def pump() -> None:
        async with contextlib.aclosing(source):
            async for piece in source:
                ready.put_nowait((piece,))

    pumping = asyncio.create_task(within(clock, seconds, pump()))
    pumping.add_done_callback(lambda _: ready.put_nowait(None))
    try:
        while (piece := await ready.get()) is not None:
            yield piece[0]
        pumping.result()
    finally:
        pumping.cancel()
        await asyncio.wait({pumping})
        if not pumping.cancelled():
            pumping.exception()  # seen, even when nobody waits for the end any more

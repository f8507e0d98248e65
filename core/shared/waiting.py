"""Waiting with an end, on the one clock."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from core.shared.clock import Clock

T = TypeVar("T")


async def within(clock: Clock, seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, or TimeoutError once `seconds` of the clock have passed; the work is then cancelled.

    Being cancelled cancels the work too and waits until it has let go of what it held.
    """
    doing = asyncio.create_task(work)
    waiting = asyncio.create_task(clock.sleep(seconds))
    try:
        await asyncio.wait({doing, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise TimeoutError(f"not done within {seconds:g} s")
        return doing.result()
    finally:
        await _let_go(doing)
        await _let_go(waiting)


async def _let_go(task: asyncio.Task[Any]) -> None:
    if task.done():
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task

"""What the cache does besides, while nobody waits for it; its end is waited for when the house closes."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any

from core.ports.cache import CacheAway

log = logging.getLogger(__name__)


class Chores:
    """Tasks in the background, some of them under a name so that who needs their outcome can wait for it."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()
        self._named: dict[str, asyncio.Task[None]] = {}

    def begin(self, work: Coroutine[Any, Any, None], *names: str) -> None:
        task = asyncio.create_task(_quietly(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        for name in names:
            self._named[name] = task
            task.add_done_callback(lambda done, name=name: self._ended(name, done))  # type: ignore[misc]

    def under_way(self, name: str) -> bool:
        return name in self._named

    async def ended(self, name: str, patience_s: float) -> None:
        """Wait until the chore of that name is done, if there is one, but not longer than `patience_s`."""
        if (task := self._named.get(name)) is not None:
            await asyncio.wait({task}, timeout=patience_s)

    async def all_done(self) -> None:
        """Wait until nothing is under way."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def close(self) -> None:
        for task in set(self._running):
            task.cancel()
        await self.all_done()

    def _ended(self, name: str, done: asyncio.Task[None]) -> None:
        if self._named.get(name) is done:
            del self._named[name]


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    try:
        with contextlib.suppress(CacheAway):  # whoever watches over the store has said so
            await work
    except Exception:  # the edge of a chore: nobody waits for it, so nobody else would say it
        log.exception("a chore of the cache failed")

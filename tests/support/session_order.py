"""Queues of sessions in one process, for tests that need no database."""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator

from core.shared.errors import Conflict


class InMemorySessionOrder:
    """One lock for each session; three may wait."""

    def __init__(self) -> None:
        self._locks: defaultdict[tuple[str, str], asyncio.Lock] = defaultdict(asyncio.Lock)
        self._there: defaultdict[tuple[str, str], int] = defaultdict(int)

    @contextlib.asynccontextmanager
    async def queue(self, user_id: str, session_id: str) -> AsyncIterator["_Place"]:
        key = (user_id, session_id)
        if self._there[key] > 3:
            raise Conflict("这个会话里已有几条消息在等待答复，请稍后再发。")
        self._there[key] += 1
        place = _Place(self._locks[key])
        try:
            yield place
        finally:
            self._there[key] -= 1
            place.leave()


class _Place:
    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock = lock
        self._held = False

    async def reached(self) -> None:
        await self._lock.acquire()
        self._held = True

    def leave(self) -> None:
        if self._held:
            self._lock.release()

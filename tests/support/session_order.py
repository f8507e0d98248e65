"""Queues of sessions in one process, for tests that need no database."""

import asyncio
import contextlib
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator

from core.shared.errors import Conflict


class InMemorySessionOrder:
    """One lock for each session; three may wait."""

    def __init__(self) -> None:
        self._locks: defaultdict[tuple[str, str], asyncio.Lock] = defaultdict(asyncio.Lock)
        self._there: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._places: dict[str, tuple[str, str]] = {}

    def holds(self, holder: str) -> bool:
        """Whether nobody has taken that place away."""
        return holder in self._places

    def take_away(self, user_id: str, session_id: str | None = None) -> None:
        """As an erasure does."""
        for holder, (user, session) in list(self._places.items()):
            if user == user_id and session_id in (None, session):
                del self._places[holder]

    @contextlib.asynccontextmanager
    async def queue(self, user_id: str, session_id: str) -> AsyncIterator["_Place"]:
        key = (user_id, session_id)
        if self._there[key] > 3:
            raise Conflict("这个会话里已有几条消息在等待答复，请稍后再发。")
        self._there[key] += 1
        place = _Place(self._locks[key])
        self._places[place.holder] = key
        try:
            yield place
        finally:
            self._places.pop(place.holder, None)
            self._there[key] -= 1
            place.leave()


class _Place:
    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock = lock
        self._held = False
        self.holder = secrets.token_hex(8)

    async def reached(self) -> None:
        await self._lock.acquire()
        self._held = True

    def given_back(self) -> None:
        """The record was written."""
        self.leave()

    def leave(self) -> None:
        if self._held:
            self._held = False
            self._lock.release()

"""The way to one store: made in the background, given up at the first failure, made again until it holds."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

from core.ports.cache import CacheAway, CacheEmpty, PartState
from core.shared.clock import Clock

C = TypeVar("C")
T = TypeVar("T")

log = logging.getLogger(__name__)

AGAIN_S, SELDOM_S = 1.0, 8.0
"""Between two tries: twice as long after each that fails, up to the second. Questions do not wait for them."""

MOST_SLOW = 2
"""A store that took too long once may be on a busy machine; twice on end, and the way is given up."""

QUIET_S = 60.0
"""At most one line in the log in this time, however often a store goes and comes."""


class Refused(Exception):
    """The store is there and said no: the way to it holds."""


class Link(Generic[C]):
    """`opening` makes a client that has been tried out; Nothing that is said of it names a host."""

    def __init__(
        self, name: str, embedded: bool, opening: Callable[[], AbstractAsyncContextManager[C]], clock: Clock
    ) -> None:
        self.name = name
        self._embedded = embedded
        self._was_up = False
        self._where = "embedded" if embedded else "external"
        self._opening = opening
        self._clock = clock
        self._client: C | None = None
        self._why = "starting"
        self._refused = False
        self._slow = 0
        self._lost = asyncio.Event()
        self._changed = asyncio.Event()
        self._said_at = -QUIET_S

    @property
    def state(self) -> PartState:
        if self._client is not None:
            return PartState("degraded" if self._refused else "ok", f"{self._where}{', refuses' * self._refused}")
        if self._why == "starting":
            return PartState("ok", f"{self._where}, starting")
        return PartState("degraded", f"{self._where}, away: answers are made anew; it is tried again every few seconds")

    async def until_up(self) -> None:
        """Return once the store can be asked."""
        while self._client is None:
            await self._changed.wait()

    async def until_away(self) -> None:
        """Return once the store is known to be away."""
        while self._client is not None or self._why == "starting":
            await self._changed.wait()

    async def use(self, work: Callable[[C], Awaitable[T]], limit_s: float) -> T:
        """What `work` brings. Raises CacheAway for whatever goes wrong in the store, and after `limit_s`."""
        if (client := self._client) is None:
            raise CacheEmpty(self.name) if self._embedded and not self._was_up else CacheAway(self.name)
        try:
            async with asyncio.timeout(limit_s):
                found = await work(client)
        except CacheAway:
            raise
        except Refused as error:
            self._refused = True
            self._say("refuses", error)
            raise CacheAway(self.name) from error
        except TimeoutError as error:
            self._slow += 1
            if self._slow >= MOST_SLOW:
                self.lose(client, error)
            raise CacheAway(self.name) from error
        except Exception as error:  # the edge of the house: a cache that fails must never fail a question
            self.lose(client, error)
            raise CacheAway(self.name) from error
        self._refused, self._slow = False, 0
        return found

    async def keep(self) -> None:
        """Hold the way open until cancelled."""
        wait = AGAIN_S
        while True:
            try:
                async with self._opening() as client:
                    self._found(client)
                    wait = AGAIN_S
                    await self._lost.wait()
            except Exception as error:  # whatever the store's client raises: it is tried again
                self.lose(self._client, error)
            await self._clock.sleep(wait)
            wait = min(2 * wait, SELDOM_S)

    def _found(self, client: C) -> None:
        self._client = client
        self._was_up = True
        self._slow = 0
        self._lost.clear()
        self._note("")

    def lose(self, client: C | None, error: BaseException) -> None:
        """Give the way up that this client was, because of `error`."""
        if client is not self._client:
            return  # an old failure, of a way that was given up before
        self._client = None
        self._lost.set()
        self._note("away")
        self._say("is away", error)

    def _note(self, why: str) -> None:
        self._why = why
        self._changed.set()
        self._changed = asyncio.Event()

    def _say(self, what: str, error: BaseException) -> None:
        now = self._clock.monotonic()
        if now - self._said_at >= QUIET_S:
            self._said_at = now
            why = f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
            log.warning("the cache's %s %s; questions are answered without it", self.name, what, extra={"why": why})

"""One thread for everything that is asked of Milvus: its client blocks, and must never do so on the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from core.ports.cache import CacheAway

T = TypeVar("T")


class MilvusThread:
    """Runs calls one after another. While one is stuck, no other is begun: nobody queues behind it.

    `on_failure` is told when a stuck call ends badly at last, since nobody waits for it any more.
    """

    on_failure: Callable[[BaseException], None] | None = None

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "milvus")
        self._stuck: asyncio.Future[Any] | None = None

    async def run(self, work: Callable[[], T], limit_s: float) -> T:
        """What `work` returns. CacheAway after `limit_s`, and at once while an earlier call is stuck."""
        if self._stuck is not None:
            raise CacheAway("milvus is stuck")
        doing = asyncio.get_running_loop().run_in_executor(self._pool, work)
        doing.add_done_callback(_seen)
        try:
            async with asyncio.timeout(limit_s):
                return await asyncio.shield(doing)
        except TimeoutError as error:
            if not doing.done():
                self._stuck = doing
                doing.add_done_callback(self._free)
            raise CacheAway("milvus takes too long") from error

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _free(self, done: "asyncio.Future[Any]") -> None:
        self._stuck = None
        failure = None if done.cancelled() else done.exception()
        if failure is not None and self.on_failure is not None:
            self.on_failure(failure)


def _seen(done: "asyncio.Future[Any]") -> None:
    """An outcome that nobody waited for is no surprise."""
    if not done.cancelled():
        done.exception()

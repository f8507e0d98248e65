"""One thread for everything that is asked of Milvus: its client blocks, and must never do so on the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from core.ports.cache import CacheAway

T = TypeVar("T")


class MilvusThread:
    """Runs calls one after another. While one is stuck, no other is begun: nobody queues behind it."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "milvus")
        self._stuck: asyncio.Future[Any] | None = None
        self._failure: BaseException | None = None

    async def run(self, work: Callable[[], T], limit_s: float) -> T:
        """What `work` returns. CacheAway after `limit_s`; how the stuck call ended is said to the next one."""
        if self._stuck is not None:
            raise CacheAway("milvus is stuck")
        if (failure := self._failure) is not None:
            self._failure = None
            raise RuntimeError(f"the last call failed: {failure}") from failure
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
        self._failure = None if done.cancelled() else done.exception()


def _seen(done: "asyncio.Future[Any]") -> None:
    """An outcome that nobody waited for is no surprise."""
    if not done.cancelled():
        done.exception()

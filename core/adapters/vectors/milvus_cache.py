"""The second level in Milvus: answers by the nearness of their question, among those of the same meaning."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from core.adapters.vectors.link import Link
from core.adapters.vectors.milvus_table import MilvusTable
from core.adapters.vectors.milvus_thread import MilvusThread
from core.ports.cache import Embedder, Kept, Near, PartState, Vector
from core.shared.clock import Clock

T = TypeVar("T")

LIMIT_S = 0.3
"""What a question may wait for a search."""

PATIENT_S, OPEN_S = 5.0, 60.0
TIDY_EVERY_S = 10.0
SWEEP_EVERY = 30
"""Every so many tidyings what has expired is deleted."""


class LoadedEmbedder(Embedder, Protocol):
    async def load(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Opened:
    table: MilvusTable
    thread: MilvusThread


@dataclass(frozen=True, slots=True)
class MilvusPlace:
    """Where Milvus is: at `uri`, or embedded in `folder` where that is empty."""

    uri: str
    token: str
    folder: Path


def milvus_link(place: MilvusPlace, embedder: LoadedEmbedder, clock: Clock) -> Link[_Opened]:
    return Link("milvus", not place.uri, lambda: _opened(place, embedder, clock), clock)


class MilvusSemanticCache:
    """Implements the port SemanticCache."""

    def __init__(self, link: Link[_Opened]) -> None:
        self._link = link

    @property
    def state(self) -> PartState:
        return self._link.state

    async def nearest(self, vector: Vector, now: float, same: tuple[str, str] | None = None) -> Near | None:
        return await self._ask(lambda table: table.nearest(vector, now, same), LIMIT_S)

    async def put(self, kept: Kept, vector: Vector) -> None:
        await self._ask(lambda table: table.put(kept, vector), PATIENT_S)

    async def drop(self, key: str) -> None:
        await self._ask(lambda table: table.drop(key), PATIENT_S)

    async def forget(self, cause: str) -> None:
        await self._ask(lambda table: table.forget(cause), PATIENT_S)

    async def clear(self) -> None:
        await self._ask(lambda table: table.clear(), PATIENT_S)

    async def _ask(self, work: Callable[[MilvusTable], T], limit_s: float) -> T:
        async def asked(opened: _Opened) -> T:
            opened.thread.on_failure = partial(self._link.lose, opened)
            return await opened.thread.run(lambda: work(opened.table), limit_s)

        return await self._link.use(asked, limit_s + 1.0)


@contextlib.asynccontextmanager
async def _opened(place: MilvusPlace, embedder: LoadedEmbedder, clock: Clock) -> AsyncIterator[_Opened]:
    await embedder.load()
    dimension = len(await embedder.embed("你好", OPEN_S))
    folder = None if place.uri else place.folder
    thread = MilvusThread()
    try:
        table = await thread.run(
            lambda: MilvusTable(place.uri, place.token, folder, embedder.name, dimension), OPEN_S
        )
        tidying = asyncio.create_task(_tidy(_Opened(table, thread), clock), name="milvus tidying")
        try:
            yield _Opened(table, thread)
        finally:
            tidying.cancel()
            await asyncio.wait({tidying})
            with contextlib.suppress(Exception):  # what is left of a store that is away
                await thread.run(table.close, PATIENT_S)
    finally:
        thread.close()


async def _tidy(opened: _Opened, clock: Clock) -> None:
    rounds = 0
    while True:
        await clock.sleep(TIDY_EVERY_S)
        rounds += 1
        with contextlib.suppress(Exception):  # the next question notices, and says so
            if rounds % SWEEP_EVERY == 0:
                await opened.thread.run(partial(opened.table.drop_expired, clock.now().timestamp()), PATIENT_S)
            await opened.thread.run(opened.table.tidy, PATIENT_S)

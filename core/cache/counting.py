"""How often each level had the answer, counted for all replicas together."""

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass

from core.cache.chores import Chores
from core.ports.cache import CacheAway, ExactCache

HIT_REDIS, MISS_REDIS = "redis_hits", "redis_misses"
HIT_MILVUS, MISS_MILVUS = "milvus_hits", "milvus_misses"
REJECTED, PROMOTED, WRITTEN = "milvus_rejected", "milvus_promotions", "writes"


@dataclass(frozen=True, slots=True)
class Level:
    hits: int
    misses: int


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """`rejected`: questions near enough to a kept one that ask something else. `promotions`: answers of the second
    level that were laid into the first under their new wording."""

    redis: Level
    milvus: Level
    rejected: int
    promotions: int
    writes: int


class Tally:
    """Counts without making anybody wait; what the store cannot take now is kept until it can."""

    def __init__(self, exact: ExactCache, chores: Chores) -> None:
        self._exact = exact
        self._chores = chores
        self._counted: Counter[str] = Counter()

    def count(self, name: str) -> None:
        if not self._counted:
            self._chores.begin(self._hand_over())
        self._counted[name] += 1

    async def statistics(self) -> CacheStatistics:
        found = Counter(self._counted)
        with contextlib.suppress(CacheAway):
            found.update(await self._exact.counts())
        return CacheStatistics(
            redis=Level(found[HIT_REDIS], found[MISS_REDIS]),
            milvus=Level(found[HIT_MILVUS], found[MISS_MILVUS]),
            rejected=found[REJECTED],
            promotions=found[PROMOTED],
            writes=found[WRITTEN],
        )

    async def _hand_over(self) -> None:
        await asyncio.sleep(0)  # what is counted in the same breath goes along
        counted, self._counted = self._counted, Counter()
        try:
            await self._exact.count(counted)
        except CacheAway:
            self._counted.update(counted)

"""CacheManager: two levels in front of the reasoning. What it cannot do, it leaves to the reasoning."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.cache import counting, entry, policy
from core.cache.chores import Chores
from core.cache.counting import CacheStatistics, Tally
from core.cache.laying import Laying, cause_of
from core.cache.question import Question
from core.ports.cache import CacheAway, CacheEmpty, Embedder, ExactCache, Found, Kept, PartState, SemanticCache
from core.shared.clock import SHANGHAI, Clock
from core.types.turn import Answer, CacheLevel

THRESHOLD = 0.92
WRITE_PATIENCE_S = 0.3
"""How long a question waits for an answer of its meaning that is just being laid down."""

EMBEDDING_LIMIT_S = 0.3
"""What a question waits for its vector; on a busy machine it is then answered without the second level."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An answer from the cache. `as_of`: when it was made."""

    answer: Answer
    level: CacheLevel
    as_of: datetime


@dataclass(frozen=True, slots=True)
class Checked:
    """`versions`: the data in force when it was looked; None when nothing could be looked at."""

    hit: Hit | None = None
    versions: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question by whom it was asked, and when (seconds since 1970 by the clock)."""

    question: Question
    user_id: str
    at: float


class CacheManager:
    """Looks answers up and lays them down. Goes on without a store that is away, but for `forget` and `clear`."""

    def __init__(
        self, exact: ExactCache, semantic: SemanticCache, embedder: Embedder, clock: Clock, threshold: float = THRESHOLD
    ) -> None:
        self._exact = exact
        self._semantic = semantic
        self._embedder = embedder
        self._clock = clock
        self._threshold = threshold
        self._chores = Chores()
        self._tally = Tally(exact, self._chores)
        self._laying = Laying(exact, semantic, embedder, self._tally, threshold)
        self._owed: set[str] = set()

    @property
    def states(self) -> tuple[PartState, PartState]:
        """How the first and the second level are."""
        return self._exact.state, self._semantic.state

    async def check_cache(self, asked: Asked) -> Checked:
        """The answer, if one is kept that is neither stale nor another question's."""
        question = asked.question
        try:
            await self._settle_debts()
            found = await self._exact.look(question.key, question.meaning, question.kinds)
            if found.kept is None and self._chores.under_way(question.key):  # it is just being laid down
                await self._chores.ended(question.key, WRITE_PATIENCE_S)
                found = await self._exact.look(question.key, question.meaning, question.kinds)
        except CacheAway:
            return Checked()
        hit = self._hit(found.kept, found.versions, "redis")
        self._tally.count(counting.HIT_REDIS if hit else counting.MISS_REDIS)
        if hit is None and question.whole:
            with contextlib.suppress(CacheAway):
                hit = await self._check_meaning(asked, found)
            self._tally.count(counting.HIT_MILVUS if hit else counting.MISS_MILVUS)
        return Checked(hit, found.versions)

    async def write_cache(self, asked: Asked, versions: str, answer: Answer) -> None:
        """Lay the answer down under the question, unless it may not be shared or its user was forgotten meanwhile."""
        question = asked.question
        if question.elliptic or question.sees_history or not policy.may_write(answer):
            return
        now, causes = self._now(), (cause_of(asked.user_id),)
        lives = policy.lives_s(answer, self._clock)
        kept = Kept(question.key, question.meaning, versions, causes, entry.written(answer), now, now + lives)
        shared = question.whole and question.fits(answer)
        await self._laying.lay_down(kept, asked.at, question.text if shared else None)

    def write_behind(self, asked: Asked, versions: str, answer: Answer) -> None:
        """The same, while nobody waits."""
        work = self.write_cache(asked, versions, answer)
        self._chores.begin(work, asked.question.key, asked.question.meaning)

    async def outdate(self, kinds: Sequence[str]) -> None:
        """The data of these kinds has changed. While the store is away that stays owed: nothing is read before it."""
        self._owed.update(kinds)
        with contextlib.suppress(CacheAway):
            await self._settle_debts()

    async def forget(self, user_id: str) -> None:
        """Drop what this user caused, everywhere. Raises CacheAway when that cannot be done now."""
        cause = cause_of(user_id)
        with contextlib.suppress(CacheEmpty):
            await self._exact.forget(cause, self._now())
        with contextlib.suppress(CacheEmpty):
            await self._semantic.forget(cause)

    async def clear(self) -> None:
        """Drop everything. Raises CacheAway when that cannot be done now."""
        with contextlib.suppress(CacheEmpty):
            await self._exact.clear()
        with contextlib.suppress(CacheEmpty):
            await self._semantic.clear()

    async def claim(self, name: str, holder: str, bound_s: float) -> bool:
        """Whether the run is `holder`'s, among all replicas; without a store everybody runs."""
        try:
            return await self._exact.claim(name, holder, bound_s)
        except CacheAway:
            return True

    async def claimed(self, name: str) -> bool:
        try:
            return await self._exact.claimed(name)
        except CacheAway:
            return False

    def release_behind(self, asked: Asked, name: str, holder: str) -> None:
        """Give the run free once its answer has been laid down."""
        self._chores.begin(self._release(asked.question.key, name, holder))

    async def statistics(self) -> CacheStatistics:
        """Of all replicas where they share a store."""
        return await self._tally.statistics()

    async def settled(self) -> None:
        """Wait for everything that was begun while nobody waited."""
        await self._chores.all_done()

    async def close(self) -> None:
        await self._chores.close()

    async def _check_meaning(self, asked: Asked, found: Found) -> Hit | None:
        """The second level is asked only where the first knows of an answer of this meaning: a miss costs nothing."""
        question, now = asked.question, self._now()
        if not (found.related or self._chores.under_way(question.meaning)):
            return None
        await self._chores.ended(question.meaning, WRITE_PATIENCE_S)
        vector = await self._embedder.embed(question.text, EMBEDDING_LIMIT_S)
        near = await self._semantic.nearest(vector, now, (question.meaning, found.versions))
        if near is None or near.cosine < self._threshold:
            return None
        if await self._laying.is_forgotten(near.kept.causes, near.kept.made_at):
            return None
        hit = self._hit(near.kept, found.versions, "milvus")
        if hit is not None and not question.elliptic:
            self._chores.begin(self._laying.promote(near.kept, question.key, asked.user_id, now), question.key)
        return hit

    def _hit(self, kept: Kept | None, versions: str, level: CacheLevel) -> Hit | None:
        now = self._now()
        # A set clock can stand before the moment at which an entry was written.
        if kept is None or kept.versions != versions or not kept.made_at <= now < kept.expire_at:
            return None
        answer = entry.read(kept.payload)
        as_of = datetime.fromtimestamp(kept.made_at, SHANGHAI)
        return None if answer is None else Hit(answer, level, as_of)

    async def _release(self, key: str, name: str, holder: str) -> None:
        await self._chores.ended(key, WRITE_PATIENCE_S)
        await self._exact.release(name, holder)

    async def _settle_debts(self) -> None:
        if owed := tuple(sorted(self._owed)):
            await self._exact.outdate(owed)
            self._owed.difference_update(owed)

    def _now(self) -> float:
        return self._clock.now().timestamp()

"""Lays answers down in both levels, so that an erasure of their user finds every one of them."""

import dataclasses
from collections.abc import Sequence
from hashlib import sha256

from core.cache.counting import PROMOTED, REJECTED, WRITTEN, Tally
from core.ports.cache import Embedder, ExactCache, Kept, SemanticCache, Vector

PATIENT_S = 5.0
"""What the writing may wait for a vector: nobody waits for the writing."""


def cause_of(user_id: str) -> str:
    """The digest under which a user's entries are found again."""
    return sha256(f"smartvoyage cause {user_id}".encode()).hexdigest()


class Laying:
    """Writes. Raises CacheAway where a store is away; what was written until then stays, and is whole."""

    def __init__(
        self, exact: ExactCache, semantic: SemanticCache, embedder: Embedder, tally: Tally, threshold: float
    ) -> None:
        self._exact = exact
        self._semantic = semantic
        self._embedder = embedder
        self._tally = tally
        self._threshold = threshold

    async def lay_down(self, kept: Kept, started: float, text: str | None) -> None:
        """`text`: what other wordings are measured against; None where the exact question alone may find it.

        An erasure since `started` wins: it leaves its mark before it deletes, and here the mark is looked for before
        and after writing.
        """
        if await self.is_forgotten(kept.causes, started):
            return
        await self._exact.put(kept, kept.expire_at - kept.made_at)
        self._tally.count(WRITTEN)
        if text is not None:
            vector = await self._embedder.embed(text, PATIENT_S)
            await self._notice_neighbour(kept, vector)
            await self._semantic.put(kept, vector)
        if await self.is_forgotten(kept.causes, started):
            await self._exact.drop(kept.key)
            await self._semantic.drop(kept.key)

    async def promote(self, kept: Kept, key: str, user_id: str, now: float) -> None:
        """Into the first level under another wording, which is then the doing of both users."""
        causes = tuple(dict.fromkeys([*kept.causes, cause_of(user_id)]))
        await self._exact.put(dataclasses.replace(kept, key=key, causes=causes), kept.expire_at - now)
        self._tally.count(PROMOTED)
        if await self.is_forgotten(causes, now):
            await self._exact.drop(key)

    async def is_forgotten(self, causes: Sequence[str], since: float) -> bool:
        for cause in causes:
            if await self._exact.forgotten_since(cause, since):
                return True
        return False

    async def _notice_neighbour(self, kept: Kept, vector: Vector) -> None:
        """Count that a near question was not taken for this one."""
        near = await self._semantic.nearest(vector, kept.made_at)
        if near is not None and near.cosine >= self._threshold and near.kept.meaning != kept.meaning:
            self._tally.count(REJECTED)

"""The two levels of the cache and what measures the nearness of questions. A store that is away raises CacheAway."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Vector = Sequence[float]


class CacheAway(Exception):
    """The store cannot be asked now. The question is then answered as if there were none."""


class CacheEmpty(CacheAway):
    """The store cannot be asked, and holds nothing: it is an embedded one that has not been up yet."""


@dataclass(frozen=True, slots=True)
class PartState:
    """How one part of the cache is. `detail` names no host."""

    status: Literal["ok", "degraded", "down"]
    detail: str


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as both levels keep it. Moments are seconds since 1970 by the house's clock.

    `key` is that of the exact question, `meaning` stands for what is asked in whatever words, `versions` for the data
    it was answered from. `causes` are digests of the users it came from, so that their erasure finds it.
    """

    key: str
    meaning: str
    versions: str
    causes: tuple[str, ...]
    payload: str
    made_at: float
    expire_at: float


@dataclass(frozen=True, slots=True)
class Found:
    """What lies under a key: `versions` are those in force, `kept` the answer, `related` whether the same meaning was
    answered from the same data in other words."""

    versions: str
    kept: Kept | None
    related: bool


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest kept question, by cosine."""

    cosine: float
    kept: Kept


class ExactCache(Protocol):
    """The first level: answers by the digest of their question. Shared by all replicas; knows the data's versions."""

    @property
    def state(self) -> PartState: ...

    async def look(self, key: str, meaning: str, kinds: Sequence[str]) -> Found: ...

    async def put(self, kept: Kept, lives_s: float) -> None: ...

    async def drop(self, key: str) -> None: ...

    async def outdate(self, kinds: Sequence[str]) -> None:
        """New versions for these kinds of data: what was answered from the old ones is not found any more."""
        ...

    async def forget(self, cause: str, moment: float) -> None:
        """Drop what this user caused, and know for a day that it was dropped."""
        ...

    async def forgotten_since(self, cause: str, moment: float) -> bool:
        """Whether the user was forgotten at or after that moment."""
        ...

    async def clear(self) -> None: ...

    async def claim(self, name: str, holder: str, bound_s: float) -> bool:
        """Whether `holder` is the one who may work on `name`; the claim ends by itself after `bound_s`."""
        ...

    async def claimed(self, name: str) -> bool: ...

    async def release(self, name: str, holder: str) -> None: ...

    async def count(self, counted: Mapping[str, int]) -> None: ...

    async def counts(self) -> Mapping[str, int]: ...


class SemanticCache(Protocol):
    """The second level: answers by the nearness of their question's vector."""

    @property
    def state(self) -> PartState: ...

    async def nearest(self, vector: Vector, now: float, same: tuple[str, str] | None = None) -> Near | None:
        """The nearest that is alive at `now`; with `same`, only among those of that meaning and those versions."""
        ...

    async def put(self, kept: Kept, vector: Vector) -> None: ...

    async def drop(self, key: str) -> None: ...

    async def forget(self, cause: str) -> None: ...

    async def clear(self) -> None: ...


class Embedder(Protocol):
    """Turns a question into a vector of length one."""

    @property
    def name(self) -> str:
        """What tells vectors of this embedder from those of another."""
        ...

    async def embed(self, text: str, limit_s: float) -> Vector:
        """Raises CacheAway when it takes longer than `limit_s`."""
        ...

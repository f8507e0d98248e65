"""What is forgotten of a person is forgotten by the cache as well, before it is answered that it is gone."""

from core.cache.cache_manager import CacheManager
from core.ports.cache import CacheAway
from core.ports.memory import HistoryStore
from core.shared.errors import UpstreamUnavailable
from core.types.memory import Feedback, MemoryContext, MemoryKind, Page, Profile, SessionView, TurnRecord

RETRY_AFTER_S = 5
NOT_YET = "记忆已经删除，但缓存暂时联系不上，还没有清空。请稍后再删除一次。"


class ForgettingHistory:
    """Implements the port HistoryStore around another one."""

    def __init__(self, inner: HistoryStore, cache: CacheManager) -> None:
        self._inner = inner
        self._cache = cache

    async def read(self, user_id: str, session_id: str, *, messages: int, facts: int) -> MemoryContext:
        return await self._inner.read(user_id, session_id, messages=messages, facts=facts)

    async def record(self, turn: TurnRecord, *, facts: int) -> None:
        await self._inner.record(turn, facts=facts)

    async def replace_profile(self, user_id: str, profile: Profile) -> None:
        await self._inner.replace_profile(user_id, profile)

    async def merge_profile(self, user_id: str, changes: Profile) -> Profile:
        return await self._inner.merge_profile(user_id, changes)

    async def clear(self, user_id: str, session_id: str, kinds: tuple[MemoryKind, ...]) -> None:
        await self._inner.clear(user_id, session_id, kinds)
        await self._forget(user_id)

    async def sessions(self, user_id: str) -> tuple[SessionView, ...]:
        return await self._inner.sessions(user_id)

    async def messages(self, user_id: str, session_id: str, *, limit: int, before: str | None) -> Page | None:
        return await self._inner.messages(user_id, session_id, limit=limit, before=before)

    async def delete_session(self, user_id: str, session_id: str) -> bool:
        deleted = await self._inner.delete_session(user_id, session_id)
        await self._forget(user_id)
        return deleted

    async def add_feedback(self, user_id: str, feedback: Feedback) -> None:
        await self._inner.add_feedback(user_id, feedback)

    async def export(self, user_id: str) -> dict[str, object]:
        return await self._inner.export(user_id)

    async def erase(self, user_id: str) -> None:
        await self._inner.erase(user_id)
        await self._forget(user_id)

    async def _forget(self, user_id: str) -> None:
        try:
            await self._cache.forget(user_id)
        except CacheAway as error:
            raise UpstreamUnavailable(NOT_YET, retry_after_s=RETRY_AFTER_S) from error

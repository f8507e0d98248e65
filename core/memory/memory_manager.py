"""ConversationMemory: the four memories of a person, read before a turn and written after it."""

from dataclasses import replace
from typing import Literal

from core.memory.masking import mask
from core.memory.profile import masked_context, masked_profile, refuse_too_large
from core.memory.trace_masking import masked_trace
from core.ports.memory import HistoryStore
from core.shared.clock import Clock
from core.types.memory import (
    KINDS,
    Fact,
    Feedback,
    MemoryContext,
    MemoryKind,
    Message,
    Page,
    Profile,
    SessionView,
    TaskContext,
    TurnRecord,
)

SHORT_TERM, LONG_TERM = 10, 20
"""How many messages and facts a turn sees, where the settings say nothing else."""

_NO_SESSION = ""
"""Where only what belongs to the user is read."""

MemoryPart = tuple[Message, ...] | tuple[Fact, ...] | Profile | TaskContext


class ConversationMemory:
    """What is remembered of people. Whatever is written passes the mask first: no id, card or phone number is kept.

    `short_term` and `long_term` bound what a turn reads: messages of the conversation, facts of the person.
    """

    def __init__(
        self, store: HistoryStore, clock: Clock, short_term: int = SHORT_TERM, long_term: int = LONG_TERM
    ) -> None:
        self._store = store
        self._clock = clock
        self._short_term = short_term
        self._long_term = long_term

    async def read(self, user_id: str, session_id: str) -> MemoryContext:
        """All four at once."""
        return await self._store.read(user_id, session_id, messages=self._short_term, facts=self._long_term)

    async def record(self, turn: TurnRecord) -> None:
        """Write a turn, in one transaction. A preference whose value is an empty text is taken back."""
        masked = replace(
            turn,
            messages=tuple(replace(message, content=mask(message.content)) for message in turn.messages),
            task_context=masked_context(turn.task_context) if turn.task_context is not None else None,
            profile=masked_profile(turn.profile),
            facts=tuple(replace(fact, content=mask(fact.content)) for fact in turn.facts),
            trace=masked_trace(turn.trace) if turn.trace is not None else None,
        )
        await self._store.record(masked, facts=self._long_term)

    async def add_message(
        self, user_id: str, session_id: str, role: Literal["user", "assistant"], content: str
    ) -> None:
        """One message by itself, outside of a turn; the rest of the conversation stays as it is."""
        known = await self.read(user_id, session_id)
        message = Message(role, content, self._clock.now())
        await self.record(TurnRecord(user_id, session_id, (message,), known.task_context))

    async def get_memory(
        self, user_id: str, session_id: str, kind: MemoryKind, limit: int | None = None
    ) -> MemoryPart:
        """One of the four; of messages and facts the newest `limit`, oldest first."""
        known = await self.read(user_id, session_id)
        if kind == "short_term":
            return known.short_term[_start(known.short_term, limit) :]
        if kind == "long_term":
            return known.long_term[_start(known.long_term, limit) :]
        return known.user_profile if kind == "user_profile" else known.task_context

    async def replace_profile(self, user_id: str, profile: Profile) -> Profile:
        """The profile as it is now. InvalidRequest when it is too large."""
        masked = masked_profile(profile)
        refuse_too_large(masked)
        await self._store.replace_profile(user_id, masked)
        return masked

    async def merge_profile(self, user_id: str, changes: Profile) -> Profile:
        """The profile with `changes` laid over it. InvalidRequest when it would be too large."""
        masked = masked_profile(changes)
        known = await self.read(user_id, _NO_SESSION)
        refuse_too_large({**known.user_profile, **masked})
        return await self._store.merge_profile(user_id, masked)

    async def clear(self, user_id: str, session_id: str, kinds: tuple[MemoryKind, ...] = KINDS) -> None:
        """Delete these memories: of this session the conversation and its context, of the user profile and facts."""
        await self._store.clear(user_id, session_id, kinds)

    async def sessions(self, user_id: str) -> tuple[SessionView, ...]:
        return await self._store.sessions(user_id)

    async def messages(self, user_id: str, session_id: str, *, limit: int, before: str | None) -> Page | None:
        return await self._store.messages(user_id, session_id, limit=limit, before=before)

    async def delete_session(self, user_id: str, session_id: str) -> bool:
        return await self._store.delete_session(user_id, session_id)

    async def add_feedback(self, user_id: str, trace_id: str, score: Literal[-1, 1], comment: str) -> None:
        await self._store.add_feedback(user_id, Feedback(trace_id, score, mask(comment), self._clock.now()))

    async def export(self, user_id: str) -> dict[str, object]:
        return await self._store.export(user_id)

    async def erase(self, user_id: str) -> None:
        """Delete all that is kept of the user."""
        await self._store.erase(user_id)


def _start(entries: tuple[object, ...], limit: int | None) -> int:
    """Where the newest `limit` begin."""
    return 0 if limit is None else max(0, len(entries) - limit)

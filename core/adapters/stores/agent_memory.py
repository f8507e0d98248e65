"""What agents remember of conversations, in the database: every replica of an agent knows what another one was told."""

import asyncio
import hashlib
import threading
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select

from core.adapters.stores.agent_memory_table import agent_memory as kept
from core.adapters.stores.agent_past import Masked, from_text, to_text
from core.adapters.stores.database import Database, to_stored
from core.adapters.stores.upsert import upsert
from core.ports.agent_memory import MAX_AGE_S
from core.shared.clock import Clock
from core.types.agent_memory import NO_PAST, Conversation, Past

SWEEP_EVERY_S = 60.0

SWEPT_AT_ONCE = 100
"""Rows that one turn deletes at most, so that it does not wait long for it."""

_LONGEST = 64
_CHANGED = ("content", "said_at", "session_id")


class SqlAgentMemory:
    """Implements the port AgentMemory. Raises UpstreamUnavailable when the database is away."""

    def __init__(self, database: Database, clock: Clock, masked: Masked, max_age_s: float = MAX_AGE_S) -> None:
        self._database = database
        self._clock = clock
        self._masked = masked
        self._max_age = timedelta(seconds=max_age_s)
        self._next_sweep = clock.monotonic()

    async def past(self, conversation: Conversation) -> Past:
        if not _can_be_kept(conversation):
            return NO_PAST
        mine = (kept.c.entry == _entry(conversation), kept.c.said_at >= to_stored(self._oldest()))
        query = select(kept.c.content).where(*mine)
        text = await self._database.run(lambda connection: connection.scalar(query))
        return NO_PAST if text is None else from_text(text)

    async def remember(self, conversation: Conversation, past: Past) -> None:
        """Who is cancelled while this runs has not remembered anything afterwards either."""
        if not _can_be_kept(conversation):
            return
        values = {
            "entry": _entry(conversation),
            "user_id": conversation.user_id,
            "session_id": conversation.session_id,
            "agent": conversation.agent,
            "content": to_text(past, self._masked),
            "said_at": to_stored(self._clock.now()),
        }
        given_up = threading.Event()

        def work(connection: Connection) -> None:
            upsert(connection, kept, values, key=("entry",), change=_CHANGED)
            if given_up.is_set():
                connection.rollback()

        try:
            await self._database.run(work)
        except asyncio.CancelledError:
            given_up.set()
            raise
        await self._sweep()

    async def _sweep(self) -> None:
        """At most once in SWEEP_EVERY_S, unless there was more than one sweep deletes."""
        now = self._clock.monotonic()
        if now < self._next_sweep:
            return
        self._next_sweep = now + SWEEP_EVERY_S
        before = self._oldest()
        if await self._database.run(lambda connection: _swept(connection, before)) == SWEPT_AT_ONCE:
            self._next_sweep = now

    def _oldest(self) -> datetime:
        return self._clock.now() - self._max_age


def forget_agents(connection: Connection, user_id: str, session_id: str | None = None) -> None:
    """What agents remember of a session, or of all that the person has."""
    where = [kept.c.user_id == user_id]
    if session_id is not None:
        where.append(kept.c.session_id == session_id)
    connection.execute(delete(kept).where(*where))


def _swept(connection: Connection, before: datetime) -> int:
    """How many rows of before that moment, oldest first, are gone now."""
    query = select(kept.c.entry).where(kept.c.said_at < to_stored(before)).order_by(kept.c.said_at)
    old = connection.scalars(query.limit(SWEPT_AT_ONCE)).all()
    if old:
        connection.execute(delete(kept).where(kept.c.entry.in_(old), kept.c.said_at < to_stored(before)))
    return len(old)


def _can_be_kept(conversation: Conversation) -> bool:
    """Ids of the house's own are never longer; an erasure would not find others."""
    ids = (conversation.agent, conversation.user_id, conversation.session_id)
    return bool(conversation.context_id) and all(len(one) <= _LONGEST for one in ids)


def _entry(conversation: Conversation) -> str:
    """Lengths before the ids keep apart what only looks alike when put together."""
    parts = (conversation.agent, conversation.user_id, conversation.context_id)
    told = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()

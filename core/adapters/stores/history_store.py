"""Memories, conversations and feedback in the database; a turn is written in one transaction.

Every writing transaction begins with a write: SQLite cannot turn a reader into a writer while somebody else writes.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, insert, select

from core.adapters.stores import memory_rows as rows
from core.adapters.stores.agent_memory import forget_agents
from core.adapters.stores.database import Database, from_stored, to_stored
from core.adapters.stores.kept_responses import forget_answers
from core.adapters.stores.memory_rows import USER_LEVEL
from core.adapters.stores.offer_store import forget_offers
from core.adapters.stores.recall_rows import read_context
from core.adapters.stores.tables import conversation_memory as memory
from core.adapters.stores.tables import feedback as feedbacks
from core.adapters.stores.tables import sessions
from core.adapters.stores.trace_rows import add_trace, forget_traces
from core.adapters.stores.trace_store import SqlTraceStore
from core.adapters.stores.turn_places import given_back, take_away
from core.adapters.stores.upsert import upsert
from core.adapters.stores.user_data import erase_user, export_user
from core.shared.clock import Clock
from core.shared.errors import InvalidRequest
from core.types.memory import (
    Fact,
    Feedback,
    MemoryContext,
    MemoryKind,
    Message,
    Page,
    Profile,
    SessionView,
    TurnRecord,
)

TITLE_CHARACTERS = 30

_INSERT = insert(memory)
_ENTRY = ("user_id", "session_id", "kind", "entry")
_SESSION_KINDS = ("short_term", "task_context")
_LARGEST_NUMBER = 2**63 - 1


class SqlHistoryStore:
    """Implements the port HistoryStore. Runs of turns are written here, with their turn, and read by `traces`."""

    def __init__(self, database: Database, clock: Clock, traces: SqlTraceStore | None = None) -> None:
        self._database = database
        self._clock = clock
        self._traces = traces or SqlTraceStore(database, clock)

    async def read(self, user_id: str, session_id: str, *, messages: int, facts: int) -> MemoryContext:
        return await self._database.run(
            lambda connection: read_context(connection, user_id, session_id, messages, facts)
        )

    async def record(self, turn: TurnRecord, *, facts: int) -> None:
        """A preference whose value is an empty text is taken back."""
        now = to_stored(self._clock.now())

        def work(connection: Connection) -> None:
            if not given_back(connection, turn):
                return
            if turn.messages:
                _add_messages(connection, turn.user_id, turn.session_id, turn.messages)
            if turn.task_context is not None:
                context = rows.context_row(turn.user_id, turn.session_id, turn.task_context, from_stored(now))
                upsert(connection, memory, context, key=_ENTRY, change=("content", "created_at"))
            self._merge(connection, turn.user_id, {k: v for k, v in turn.profile.items() if v != ""})
            _take_back(connection, turn.user_id, [k for k, v in turn.profile.items() if v == ""])
            _add_facts(connection, turn.user_id, turn.facts, facts)
            if turn.trace is not None:
                add_trace(connection, turn.user_id, turn.trace)

        await self._database.run(work)
        await self._traces.sweep()

    async def replace_profile(self, user_id: str, profile: Profile) -> None:
        def work(connection: Connection) -> None:
            connection.execute(delete(memory).where(*_of_user(user_id, "user_profile")))
            self._merge(connection, user_id, profile)

        await self._database.run(work)

    async def merge_profile(self, user_id: str, changes: Profile) -> Profile:
        def work(connection: Connection) -> Profile:
            self._merge(connection, user_id, changes)
            query = select(memory).where(*_of_user(user_id, "user_profile")).order_by(memory.c.id)
            return rows.to_profile(connection.execute(query).mappings())

        return await self._database.run(work)

    async def clear(self, user_id: str, session_id: str, kinds: tuple[MemoryKind, ...]) -> None:
        def work(connection: Connection) -> None:
            cleared = session_id if set(kinds) <= set(_SESSION_KINDS) else None
            take_away(connection, user_id, cleared)
            forget_traces(connection, user_id, cleared)
            forget_agents(connection, user_id, cleared)
            for kind in kinds:
                where = _of_session(user_id, session_id, kind) if kind in _SESSION_KINDS else _of_user(user_id, kind)
                connection.execute(delete(memory).where(*where))
            forget_answers(connection, user_id)
            if "task_context" in kinds:
                forget_offers(connection, user_id, session_id)
            if "short_term" in kinds:  # the title is made of the first message
                connection.execute(delete(sessions).where(*_session(user_id, session_id)))

        await self._database.erase(work)

    async def sessions(self, user_id: str) -> tuple[SessionView, ...]:
        newest = (sessions.c.updated_at.desc(), sessions.c.session_id)
        query = select(sessions).where(sessions.c.user_id == user_id).order_by(*newest)
        found = await self._database.run(lambda connection: connection.execute(query).mappings().all())
        return tuple(SessionView(s["session_id"], s["title"], from_stored(s["updated_at"])) for s in found)

    async def messages(self, user_id: str, session_id: str, *, limit: int, before: str | None) -> Page | None:
        """`before` is a page's `next`; InvalidRequest for one that cannot be."""
        end = _LARGEST_NUMBER if before is None else _number(before)
        return await self._database.run(lambda connection: _page(connection, user_id, session_id, limit, end))

    async def delete_session(self, user_id: str, session_id: str) -> bool:
        def work(connection: Connection) -> bool:
            take_away(connection, user_id, session_id)
            gone = connection.execute(delete(sessions).where(*_session(user_id, session_id))).rowcount
            forget_traces(connection, user_id, session_id)
            forget_agents(connection, user_id, session_id)
            mine = (memory.c.user_id == user_id, memory.c.session_id == session_id)
            forget_answers(connection, user_id)
            forget_offers(connection, user_id, session_id)
            return bool(connection.execute(delete(memory).where(*mine)).rowcount + gone)

        return await self._database.erase(work)

    async def add_feedback(self, user_id: str, feedback: Feedback) -> None:
        """One reply has one: a second replaces the first."""
        values = {
            "user_id": user_id,
            "trace_id": feedback.trace_id,
            "score": feedback.score,
            "comment": feedback.comment,
            "created_at": to_stored(feedback.created_at),
        }
        key, change = ("user_id", "trace_id"), ("score", "comment", "created_at")
        await self._database.run(lambda connection: upsert(connection, feedbacks, values, key=key, change=change))

    async def export(self, user_id: str) -> dict[str, object]:
        return await self._database.run(lambda connection: export_user(connection, user_id))

    async def erase(self, user_id: str) -> None:
        await self._database.erase(lambda connection: erase_user(connection, user_id))

    def _merge(self, connection: Connection, user_id: str, changes: Profile) -> None:
        """Each preference is a row, so that two who change different ones never undo each other's."""
        for key in sorted(changes):  # one order for all writers: no two wait for each other
            row = rows.preference_row(user_id, key, changes[key], self._clock.now())
            upsert(connection, memory, row, key=_ENTRY, change=("content", "created_at"))


def _add_messages(connection: Connection, user_id: str, session_id: str, messages: Sequence[Message]) -> None:
    connection.execute(_INSERT, [rows.message_row(user_id, session_id, message) for message in messages])
    values = {
        "user_id": user_id,
        "session_id": session_id,
        "title": title_of(messages),
        "updated_at": to_stored(messages[-1].created_at),
    }
    key = ("user_id", "session_id")
    upsert(connection, sessions, values, key=key, change=("updated_at",), keep_unless_empty="title")


def title_of(messages: Sequence[Message]) -> str:
    """The beginning of the first message of the person, on one line; empty where the person has not spoken."""
    first = next((message.content for message in messages if message.role == "user"), "")
    return " ".join(first.split())[:TITLE_CHARACTERS]


def _add_facts(connection: Connection, user_id: str, facts: Sequence[Fact], most: int) -> None:
    """A fact that is there already becomes the newest; the oldest beyond `most` are forgotten."""
    if not facts:
        return
    for fact in facts:
        entry = rows.fact_row(user_id, fact)
        connection.execute(delete(memory).where(*_of_user(user_id, "long_term"), memory.c.entry == entry["entry"]))
        upsert(connection, memory, entry, key=_ENTRY, change=("created_at",))
    query = select(memory.c.id).where(*_of_user(user_id, "long_term")).order_by(memory.c.id.desc())
    if oldest := connection.scalars(query).all()[most:]:
        connection.execute(delete(memory).where(memory.c.id.in_(oldest)))


def _take_back(connection: Connection, user_id: str, keys: Sequence[str]) -> None:
    entries = [rows.digest(key) for key in keys]
    if entries:
        connection.execute(delete(memory).where(*_of_user(user_id, "user_profile"), memory.c.entry.in_(entries)))


def _page(connection: Connection, user_id: str, session_id: str, limit: int, end: int) -> Page | None:
    query = _newest_messages(user_id, session_id).where(memory.c.id < end).limit(limit + 1)
    found = connection.execute(query).mappings().all()
    known = select(sessions.c.session_id).where(*_session(user_id, session_id))
    if not found and connection.scalar(known) is None:
        return None
    page = found[:limit]
    more = str(page[-1]["id"]) if len(found) > limit else None
    return Page(tuple(rows.to_message(row) for row in page), more)


def _newest_messages(user_id: str, session_id: str) -> Select[Any]:
    mine = _of_session(user_id, session_id, "short_term")
    return select(memory).where(*mine, memory.c.entry.is_(None)).order_by(memory.c.id.desc())


def _number(cursor: str) -> int:
    if not (cursor.isascii() and cursor.isdigit()) or int(cursor) > _LARGEST_NUMBER:
        raise InvalidRequest("before 不是有效的翻页位置，请使用上一页返回的 next。")
    return int(cursor)


def _session(user_id: str, session_id: str) -> tuple[ColumnElement[bool], ...]:
    return sessions.c.user_id == user_id, sessions.c.session_id == session_id


def _of_session(user_id: str, session_id: str, kind: MemoryKind) -> tuple[ColumnElement[bool], ...]:
    return memory.c.user_id == user_id, memory.c.session_id == session_id, memory.c.kind == kind


def _of_user(user_id: str, kind: MemoryKind) -> tuple[ColumnElement[bool], ...]:
    return _of_session(user_id, USER_LEVEL, kind)

"""What every turn reads: all four memories, by two statements that are put together once and not for every turn."""

from sqlalchemy import Connection, and_, bindparam, or_, select

from core.adapters.stores import memory_rows as rows
from core.adapters.stores.memory_rows import USER_LEVEL
from core.adapters.stores.tables import conversation_memory as memory
from core.types.memory import MemoryContext

_OF_THE_USER = (memory.c.user_id == bindparam("user"), memory.c.session_id == USER_LEVEL)
_OF_THE_SESSION = (memory.c.user_id == bindparam("user"), memory.c.session_id == bindparam("session"))

_SAID = (
    select(memory)
    .where(*_OF_THE_SESSION, memory.c.kind == "short_term", memory.c.entry.is_(None))
    .order_by(memory.c.id.desc())
    .limit(bindparam("most"))
)
_KNOWN = (
    select(memory)
    .where(
        or_(
            and_(*_OF_THE_USER, memory.c.kind == "user_profile"),
            and_(*_OF_THE_USER, memory.c.kind == "long_term"),
            and_(*_OF_THE_SESSION, memory.c.kind == "task_context"),
        )
    )
    .order_by(memory.c.id)
)


def read_context(connection: Connection, user_id: str, session_id: str, messages: int, facts: int) -> MemoryContext:
    """The newest `messages` of the session and `facts` of the person, oldest first, with profile and task context."""
    mine = {"user": user_id, "session": session_id}
    said = [rows.to_message(row) for row in connection.execute(_SAID, {**mine, "most": messages}).mappings()]
    found = connection.execute(_KNOWN, mine).mappings().all()
    facts_known = [row for row in found if row["kind"] == "long_term"]
    contexts = [row for row in found if row["kind"] == "task_context"]
    return MemoryContext(
        short_term=tuple(reversed(said)),
        user_profile=rows.to_profile(row for row in found if row["kind"] == "user_profile"),
        task_context=rows.to_context(contexts[0] if contexts else None),
        long_term=tuple(rows.to_fact(row) for row in facts_known[max(0, len(facts_known) - facts) :]),
    )

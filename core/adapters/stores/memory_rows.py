"""Between the words of memory and the rows of conversation_memory."""

import hashlib
import json
import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping

from core.adapters.stores.database import from_stored, to_stored
from core.language.slots import slots_from_json
from core.types.memory import NO_CONTEXT, Fact, MemoryKind, Message, PastTask, Profile, ProfileValue, TaskContext

log = logging.getLogger(__name__)

USER_LEVEL = ""
"""What stands for the session where a memory belongs to the user."""

THE_CONTEXT = "context"


def message_row(user_id: str, session_id: str, message: Message) -> dict[str, object]:
    row = _row(user_id, session_id, "short_term", None, message.content, message.created_at)
    return row | {"role": message.role, "trace_id": message.trace_id}


def context_row(user_id: str, session_id: str, context: TaskContext, now: datetime) -> dict[str, object]:
    content = {
        "tasks": [{"intent": task.intent, "slots": task.slots.to_json()} for task in context.tasks],
        "asked": context.asked,
        "shown": list(context.shown),
        "shown_kind": context.shown_kind,
    }
    return _row(user_id, session_id, "task_context", THE_CONTEXT, _to_json(content), now)


def preference_row(user_id: str, key: str, value: ProfileValue, now: datetime) -> dict[str, object]:
    content = _to_json({"key": key, "value": value})
    return _row(user_id, USER_LEVEL, "user_profile", digest(key), content, now)


def fact_row(user_id: str, fact: Fact) -> dict[str, object]:
    return _row(user_id, USER_LEVEL, "long_term", digest(fact.content), fact.content, fact.created_at)


def digest(text: str) -> str:
    """A fact may be longer than what an index can hold."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def to_message(row: RowMapping) -> Message:
    return Message(row["role"], row["content"], from_stored(row["created_at"]), row["trace_id"])


def to_fact(row: RowMapping) -> Fact:
    return Fact(row["content"], from_stored(row["created_at"]))


def to_profile(rows: Iterable[RowMapping]) -> Profile:
    pairs = (json.loads(row["content"]) for row in rows)
    return {pair["key"]: pair["value"] for pair in pairs}


def to_context(row: RowMapping | None) -> TaskContext:
    """What an older version has written and this one cannot read is left aside: the conversation goes on without."""
    if row is None:
        return NO_CONTEXT
    content: dict[str, Any] = json.loads(row["content"])
    try:
        tasks = tuple(PastTask(task["intent"], slots_from_json(task["slots"])) for task in content["tasks"])
        return TaskContext(tasks, content["asked"], tuple(content["shown"]), content["shown_kind"])
    except (KeyError, ValueError) as error:
        log.warning("a stored task context cannot be read", extra={"reason": type(error).__name__})
        return NO_CONTEXT


def _row(
    user_id: str, session_id: str, kind: MemoryKind, entry: str | None, content: str, created_at: datetime
) -> dict[str, object]:
    return {
        "user_id": user_id, "session_id": session_id, "kind": kind, "entry": entry, "role": "", "content": content,
        "trace_id": "", "created_at": to_stored(created_at),
    }


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)

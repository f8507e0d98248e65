"""The shapes of memory, conversations and feedback: every name here is one that clients depend on."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import PydanticCustomError

from core.gateway.schemas import Identifier
from core.memory.memory_manager import MemoryPart
from core.shared.json_types import JsonObject
from core.types.memory import Fact, MemoryContext, Message, Page, Profile, SessionView, TaskContext


def _whole_characters(text: str) -> str:
    """JSON can spell half of a character (\\ud800), which no database and no reply can hold."""
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise PydanticCustomError("half_character", "含有不完整的字符。")
    return text


def _entry_of_a_profile(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """One sentence instead of one for each type that it might have been."""
    try:
        return check(value)
    except ValidationError as error:
        raise PydanticCustomError("profile_value", "只能是文字、数字、true/false 或文字列表。") from error


def _no_flag(value: Any) -> Any:
    if value not in (-1, 1) or isinstance(value, bool):
        raise PydanticCustomError("score", "只能是 1 或 -1。")
    return value


Text = Annotated[StrictStr, AfterValidator(_whole_characters)]
Number = StrictInt | Annotated[float, Field(strict=True, allow_inf_nan=False)]
ProfileKey = Annotated[str, StringConstraints(min_length=1), AfterValidator(_whole_characters)]
ProfileEntry = Annotated[StrictBool | Number | Text | list[Text], WrapValidator(_entry_of_a_profile)]
ProfileIn = dict[ProfileKey, ProfileEntry]


class MessageOut(BaseModel):
    """Something that was said. RFC 3339 with offset."""

    role: Literal["user", "assistant"]
    content: str
    created_at: str


class HistoryMessageOut(MessageOut):
    """`trace_id` names the reply that feedback is given for."""

    trace_id: str


class FactOut(BaseModel):
    """Something durable that a person said of themselves."""

    content: str
    created_at: str


class MemoryOut(BaseModel):
    """All four memories. `task_context` is empty while nothing is going on."""

    short_term: list[MessageOut]
    user_profile: JsonObject
    task_context: JsonObject
    long_term: list[FactOut]


class MemoryKindOut(BaseModel):
    """One memory as a list: messages, facts, {key, value} of the profile, or the one task context."""

    kind: str
    items: list[JsonObject]


class SessionOut(BaseModel):
    session_id: str
    title: str
    updated_at: str


class SessionsOut(BaseModel):
    """Newest first."""

    sessions: list[SessionOut]


class HistoryOut(BaseModel):
    """Newest first; `next` is the cursor of the following page, null at the end."""

    messages: list[HistoryMessageOut]
    next: str | None = None


class FeedbackIn(BaseModel):
    """A thumb up (1) or down (-1) for the reply of one trace."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "score": 1}]}
    )

    trace_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    score: Annotated[Literal[-1, 1], BeforeValidator(_no_flag)]
    comment: Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_whole_characters)] | None = None
    user_id: Identifier | None = None


def memory_out(known: MemoryContext) -> MemoryOut:
    return MemoryOut(
        short_term=[_message(message) for message in known.short_term],
        user_profile=_profile(known.user_profile),
        task_context=_context(known.task_context),
        long_term=[_fact(fact) for fact in known.long_term],
    )


def items_of(part: MemoryPart) -> list[JsonObject]:
    """A memory of any kind as a list."""
    if isinstance(part, TaskContext):
        return [context] if (context := _context(part)) else []
    if isinstance(part, dict):
        return [{"key": key, "value": value} for key, value in _profile(part).items()]
    return [_entry(entry) for entry in part]


def sessions_out(views: Sequence[SessionView]) -> SessionsOut:
    return SessionsOut(
        sessions=[
            SessionOut(session_id=view.session_id, title=view.title, updated_at=view.updated_at.isoformat())
            for view in views
        ]
    )


def history_out(page: Page) -> HistoryOut:
    messages = [
        HistoryMessageOut(**_message(message).model_dump(), trace_id=message.trace_id) for message in page.messages
    ]
    return HistoryOut(messages=messages, next=page.next)


def _entry(entry: Message | Fact) -> JsonObject:
    shape = _message(entry) if isinstance(entry, Message) else _fact(entry)
    return shape.model_dump()


def _message(message: Message) -> MessageOut:
    return MessageOut(role=message.role, content=message.content, created_at=message.created_at.isoformat())


def _fact(fact: Fact) -> FactOut:
    return FactOut(content=fact.content, created_at=fact.created_at.isoformat())


def _profile(profile: Profile) -> JsonObject:
    return {key: [*value] if isinstance(value, list) else value for key, value in profile.items()}


def _context(context: TaskContext) -> JsonObject:
    if context == TaskContext():
        return {}
    return {
        "tasks": [{"intent": task.intent, "slots": task.slots.to_json()} for task in context.tasks],
        "asked": context.asked,
        "shown": list(context.shown),
        "shown_kind": context.shown_kind,
    }

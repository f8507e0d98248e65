"""The four memories of a conversation, read at once before a turn and written at once after it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from core.language.frames import PastWish
from core.shared.json_types import JsonObject
from core.types.trace import Trace

MemoryKind = Literal["short_term", "user_profile", "task_context", "long_term"]
KINDS: tuple[MemoryKind, ...] = ("short_term", "user_profile", "task_context", "long_term")

ProfileValue = str | int | float | bool | list[str]
Profile = dict[str, ProfileValue]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, as it was said (numbers that name a person or an account are masked)."""

    role: Literal["user", "assistant"]
    content: str
    created_at: datetime
    trace_id: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something durable that a person said of themselves."""

    content: str
    created_at: datetime


PastTask = PastWish
"""A wish of an earlier turn, so that 那上海呢 and 改成后天 can lean on it."""


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What the conversation is about at the moment.

    `tasks` are the last wishes understood; `asked` is true while they wait for the answer to our question; `shown` are
    the rows that the last reply put before the person, in the order in which it did, and `shown_kind` what they are.
    """

    tasks: tuple[PastTask, ...] = ()
    asked: bool = False
    shown: tuple[JsonObject, ...] = ()
    shown_kind: str = ""


NO_CONTEXT = TaskContext()


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """What a turn knows of the person and the conversation. `short_term` is oldest first."""

    short_term: tuple[Message, ...] = ()
    user_profile: Profile = field(default_factory=dict)
    task_context: TaskContext = NO_CONTEXT
    long_term: tuple[Fact, ...] = ()


NOTHING_KNOWN = MemoryContext()


@dataclass(frozen=True, slots=True)
class Learned:
    """What a message says of its author for good: preferences (an empty text takes one back) and facts."""

    profile: Profile = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """Everything a turn leaves behind, written in one transaction before its reply is given back.

    `profile` are preferences to merge; `facts` are new ones, oldest first. `task_context` None: the conversation's
    stays as it is. `place` is the turn's in its session's queue: where an erasure has taken it away, nothing is written
    and the offers that the turn `made` go too. Empty for what is no turn. `trace` is the turn's run.
    """

    user_id: str
    session_id: str
    messages: tuple[Message, ...]
    task_context: TaskContext | None
    profile: Profile = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    place: str = ""
    made: tuple[str, ...] = ()
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class SessionView:
    """A conversation in a person's list: its title is the beginning of what was said first."""

    session_id: str
    title: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Page:
    """Messages, newest first; `next` is where the following page begins, None at the end."""

    messages: tuple[Message, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Feedback:
    """A thumb up (1) or down (-1) for one reply."""

    trace_id: str
    score: Literal[-1, 1]
    comment: str
    created_at: datetime

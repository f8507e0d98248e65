"""Where memories are kept. Every method is bound to a user; what belongs to another is like what does not exist."""

from typing import Protocol

from core.types.memory import Feedback, Learned, MemoryContext, MemoryKind, Page, Profile, SessionView, TurnRecord
from core.types.turn import Turn


class HistoryStore(Protocol):
    """One store for the four memories, the full history behind them, and feedback. Durable, shared by all replicas.

    short_term and task_context belong to (user, session), user_profile and long_term to the user.
    """

    async def read(self, user_id: str, session_id: str, *, messages: int, facts: int) -> MemoryContext:
        """All four at once: the last `messages` messages (oldest first) and at most `facts` facts (oldest first)."""
        ...

    async def record(self, turn: TurnRecord, *, facts: int) -> None:
        """Write a turn in one transaction: messages, context, merged profile, facts (the newest `facts` stay)."""
        ...

    async def replace_profile(self, user_id: str, profile: Profile) -> None: ...

    async def merge_profile(self, user_id: str, changes: Profile) -> Profile: ...

    async def clear(self, user_id: str, session_id: str, kinds: tuple[MemoryKind, ...]) -> None:
        """Delete these memories; short_term takes the session's whole history with it."""
        ...

    async def sessions(self, user_id: str) -> tuple[SessionView, ...]:
        """Newest first."""
        ...

    async def messages(self, user_id: str, session_id: str, *, limit: int, before: str | None) -> Page | None:
        """A page of the full history, newest first; None where this user has no such session."""
        ...

    async def delete_session(self, user_id: str, session_id: str) -> bool:
        """Delete the session's messages, context and place in the list. False where there is none."""
        ...

    async def add_feedback(self, user_id: str, feedback: Feedback) -> None: ...

    async def export(self, user_id: str) -> dict[str, object]:
        """All that is kept of the user, as JSON-ready lists by table."""
        ...

    async def erase(self, user_id: str) -> None:
        """Delete everything of the user in these tables."""
        ...


class Learner(Protocol):
    """Finds what the rules have missed of what a person says of themselves for good. Asked when the answer has left."""

    def is_worth_asking(self, text: str) -> bool:
        """Whether the message may hold anything of the kind; costs nothing."""
        ...

    async def learned(self, turn: Turn) -> Learned:
        """From the person's own words in this message alone. Never raises for want of an answer."""
        ...

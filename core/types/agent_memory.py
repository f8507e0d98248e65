"""What an agent remembers of a conversation, and by what it finds it again."""

from dataclasses import dataclass

from core.language.frames import PastWish
from core.shared.json_types import JsonObject


@dataclass(frozen=True, slots=True)
class Conversation:
    """One agent's conversation with one person: who guesses another's context id reads nothing of it.

    `session_id` is that of the master's conversation which the call belongs to. With it goes what is kept here.
    """

    agent: str
    user_id: str
    context_id: str
    session_id: str = "default"


@dataclass(frozen=True, slots=True)
class Past:
    """The last turn of a conversation that asked for anything. `asked`: its answer was a question."""

    wishes: tuple[PastWish, ...] = ()
    asked: bool = False
    shown: tuple[JsonObject, ...] = ()
    shown_kind: str = ""


NO_PAST = Past()

"""Where an agent keeps what a follow-up in words leans on."""

from typing import Protocol

from core.types.agent_memory import Conversation, Past

MAX_AGE_S = 900.0
"""How long after its last turn a conversation is remembered."""


class AgentMemory(Protocol):
    """The last turn of each conversation, for MAX_AGE_S; one that has no context id is not kept."""

    async def past(self, conversation: Conversation) -> Past:
        """What is remembered of it; NO_PAST where nothing is, or nothing any more."""
        ...

    async def remember(self, conversation: Conversation, past: Past) -> None:
        """In place of what was remembered of it before."""
        ...

"""Messages of one session run one after another, whichever process they reach."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol


class Place(Protocol):
    """A place in the queue of a session. An erasure takes it away: what its turn leaves behind is then not kept."""

    @property
    def holder(self) -> str:
        """What tells this place from all others."""
        ...

    async def reached(self) -> None:
        """Return when it is this message's turn, which then lasts until the queue's block ends or it was given back."""
        ...

    def given_back(self) -> None:
        """Note that the turn was recorded, and its place given back in the same transaction."""
        ...


class SessionOrder(Protocol):
    """A queue for each (user, session). First come, first served."""

    def queue(self, user_id: str, session_id: str) -> AbstractAsyncContextManager[Place]:
        """Take a place. Raises Conflict when three are waiting already."""
        ...

"""Messages of one session run one after another, whichever process they reach."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol


class SessionOrder(Protocol):
    """A queue for each (user, session). First come, first served."""

    def turn(self, user_id: str, session_id: str) -> AbstractAsyncContextManager[None]:
        """Enter when it is this message's turn; raises Conflict when three are waiting already."""
        ...

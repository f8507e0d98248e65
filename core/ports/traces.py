"""Where the runs of turns are read back. They are written with the memory of the turn, by the port HistoryStore."""

from typing import Protocol

from core.types.trace import Trace


class TraceStore(Protocol):
    """Bound to a user; what belongs to another is like what does not exist."""

    async def find(self, user_id: str, trace_id: str) -> Trace | None:
        """The run of that id, the newest where a caller used an id again. None for what is no longer kept."""
        ...

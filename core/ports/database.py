"""What a health check may know of the core's database, without waiting for it."""

from typing import Protocol


class DatabaseState(Protocol):
    """Kept current by whoever watches over the database."""

    @property
    def answers(self) -> bool:
        """Whether the database was there with its tables when it was last looked at."""
        ...

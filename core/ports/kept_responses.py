"""First answers to requests that carry an Idempotency-Key: kept, so that a retry gets the same one and runs nothing."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class KeptResponse:
    """An answer as it was sent."""

    status: int
    media_type: str
    body: str


class Claim(Protocol):
    """The right to be the one request that runs under its key. Ends with `keep` or `release`, whichever is first."""

    @property
    def resumed(self) -> bool:
        """Whether the same request began before and its process died: what it had done by then is not known."""
        ...

    async def keep(self, response: KeptResponse) -> None:
        """The answer for everyone who comes with this key from now on."""
        ...

    async def release(self) -> None:
        """Nothing was answered that could be kept: the next request under this key runs again."""
        ...


class KeptResponses(Protocol):
    """The keys of all users, for every replica of the gateway."""

    async def claim(self, user_id: str, key: str, fingerprint: str) -> Claim | KeptResponse:
        """The first request's right to run, or its answer for one who comes after.

        Raises Conflict while the first is running or when its answer was erased, KeyReused when the key came with
        another request before (`fingerprint` tells them apart).
        """
        ...

"""What the end of one try means: may it be made again, and does it speak against the address?"""

from core.ports.language_model import FailureKind, ModelFailure


class TryFailed(ModelFailure):
    """One try brought nothing.

    `again`: the same ask may be tried once more. `after_s`: how long the address asks to be left alone, in seconds.
    `against`: counts for the circuit breaker. `empty`: only JSON mode came back empty-handed.
    """

    def __init__(
        self, kind: FailureKind, message: str, *, again: bool = False, after_s: float | None = None,
        against: bool = False, empty: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(kind, message, retry_after_s=after_s)
        self.again = again
        self.against = against
        self.empty = empty
        self.at_once = False


def broken(message: str) -> TryFailed:
    """The address did not speak its protocol, or stopped in the middle: worth another try."""
    return TryFailed("unavailable", message, again=True, against=True)


def adapted(message: str) -> TryFailed:
    """The address refused a parameter, which has been changed: the next try follows at once."""
    failed = TryFailed("rejected", message, again=True)
    failed.at_once = True
    return failed


def came_back_empty(message: str) -> TryFailed:
    """JSON mode brought nothing (a known habit of some models): the next try, at once, goes without it."""
    failed = TryFailed("unusable", message, again=True, empty=True)
    failed.at_once = True
    return failed

"""Expected failures that carry their own HTTP status and code; one handler in the gateway renders them."""

from typing import ClassVar


class SmartVoyageError(Exception):
    """An expected failure. `detail` is shown to the person: no stack trace, SQL, host name or key may stand in it."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "internal"
    title: ClassVar[str] = "Internal error"

    def __init__(self, detail: str, *, retry_after_s: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_after_s = retry_after_s


class InvalidRequest(SmartVoyageError):
    status, code, title = 422, "invalid_request", "Invalid request"


class KeyReused(SmartVoyageError):
    status, code, title = 422, "key_reused", "Idempotency key reused"


class Unauthenticated(SmartVoyageError):
    status, code, title = 401, "unauthenticated", "Authentication needed"


class NotFound(SmartVoyageError):
    status, code, title = 404, "not_found", "Not found"


class MethodNotAllowed(SmartVoyageError):
    status, code, title = 405, "method_not_allowed", "Method not allowed"


class Forbidden(SmartVoyageError):
    status, code, title = 403, "forbidden", "Forbidden"


class Conflict(SmartVoyageError):
    status, code, title = 409, "conflict", "Conflict"


class TooLarge(SmartVoyageError):
    status, code, title = 413, "too_large", "Request body too large"


class UpstreamUnavailable(SmartVoyageError):
    status, code, title = 503, "upstream_unavailable", "Upstream unavailable"


class OutcomeUnknown(UpstreamUnavailable):
    """Something was sent and no answer came: whether it happened is not known. Asking again does no harm."""


class DeadlineExceeded(SmartVoyageError):
    status, code, title = 504, "deadline_exceeded", "Deadline exceeded"


class SettingsError(Exception):
    """A broken configuration: one line that names the key and what was expected. The command line exits with 2."""

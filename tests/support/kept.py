"""First answers by their Idempotency-Key in one process, for tests that need no database."""

from core.ports.kept_responses import Claim, KeptResponse
from core.shared.errors import Conflict, KeyReused


class InMemoryKeptResponses:
    """Implements the port KeptResponses; nothing expires here."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], tuple[str, KeptResponse | None]] = {}

    async def claim(self, user_id: str, key: str, fingerprint: str) -> Claim | KeptResponse:
        if (found := self._rows.get((user_id, key))) is None:
            self._rows[user_id, key] = (fingerprint, None)
            return _Claim(self._rows, (user_id, key))
        if found[0] != fingerprint:
            raise KeyReused("这个 Idempotency-Key 已用于另一个请求，请换一个新的。")
        if found[1] is None:
            raise Conflict("同一个请求正在处理，请稍后再试。", retry_after_s=2)
        return found[1]


class _Claim:
    resumed = False

    def __init__(self, rows: dict[tuple[str, str], tuple[str, KeptResponse | None]], place: tuple[str, str]) -> None:
        self._rows = rows
        self._place = place

    async def keep(self, response: KeptResponse) -> None:
        self._rows[self._place] = (self._rows[self._place][0], response)

    async def release(self) -> None:
        if self._place in self._rows and self._rows[self._place][1] is None:
            del self._rows[self._place]

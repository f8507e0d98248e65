"""Idempotency keys in the database: of two equal requests one inserts the row and runs, in whatever process."""

import asyncio
import contextlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from core.adapters.stores.database import Database, to_stored
from core.adapters.stores.kept_table import kept_responses as kept
from core.ports.kept_responses import Claim, KeptResponse
from core.shared.clock import Clock
from core.shared.errors import Conflict, KeyReused, UpstreamUnavailable

KEPT = timedelta(hours=24)

LIFE = timedelta(seconds=15)
RENEW_S = 5.0
"""A crashed process blocks a key for LIFE at most; a living one renews it every RENEW_S."""

RETRY_AFTER_S = 2

_REUSED = "这个 Idempotency-Key 已用于另一个请求，请换一个新的。"
_RUNNING = "同一个请求（Idempotency-Key 相同）正在处理，请稍后再试。"
_ERASED = "这个请求已经处理过，它的答复已按您的要求清除。"


@dataclass(frozen=True, slots=True)
class _Wanted:
    user_id: str
    key: str
    fingerprint: str
    holder: str


class SqlKeptResponses:
    """Implements the port KeptResponses."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def claim(self, user_id: str, key: str, fingerprint: str) -> Claim | KeptResponse:
        wanted = _Wanted(user_id, key, fingerprint, secrets.token_hex(8))
        now = self._clock.now()
        await self._database.run(lambda connection: connection.execute(delete(kept).where(_over(now))))
        try:
            await self._database.run(lambda connection: connection.execute(insert(kept).values(_row(wanted, now))))
        except IntegrityError:
            if await self._database.run(lambda connection: _take_over(connection, wanted, now)):
                return _Claim(wanted, self._database, self._clock, resumed=True)
            return await self._of_the_first(wanted)
        return _Claim(wanted, self._database, self._clock, resumed=False)

    async def _of_the_first(self, wanted: _Wanted) -> KeptResponse:
        query = select(kept).where(kept.c.user_id == wanted.user_id, kept.c.request_key == wanted.key)
        found = await self._database.run(lambda connection: connection.execute(query).mappings().first())
        if found is None:  # released a moment ago
            raise Conflict(_RUNNING, retry_after_s=RETRY_AFTER_S)
        return _answer(found, wanted.fingerprint)


class _Claim:
    """Implements the port Claim."""

    def __init__(self, wanted: _Wanted, database: Database, clock: Clock, *, resumed: bool) -> None:
        self.resumed = resumed
        self._database = database
        self._clock = clock
        self._mine: tuple[ColumnElement[bool], ...] = (
            kept.c.user_id == wanted.user_id,
            kept.c.request_key == wanted.key,
            kept.c.holder == wanted.holder,
            kept.c.state == "running",
        )
        self._renewing = asyncio.create_task(self._renew_on(), name="idempotency key")

    async def keep(self, response: KeptResponse) -> None:
        self._renewing.cancel()
        await self._change(
            state="answered",
            status=response.status,
            media_type=response.media_type,
            body=response.body,
            expires_at=to_stored(self._clock.now() + KEPT),
        )

    async def release(self) -> None:
        self._renewing.cancel()
        with contextlib.suppress(UpstreamUnavailable):  # without a database the claim dies by itself, after LIFE
            await self._database.run(lambda connection: connection.execute(delete(kept).where(*self._mine)))

    async def _renew_on(self) -> None:
        while True:
            await self._clock.sleep(RENEW_S)
            with contextlib.suppress(UpstreamUnavailable):  # the next renewal may find the database again
                await self._change(expires_at=to_stored(self._clock.now() + LIFE))

    async def _change(self, **values: Any) -> None:
        """Touches nothing when the row was erased meanwhile: what a person has erased must not come back."""
        change = update(kept).where(*self._mine).values(values)
        await self._database.run(lambda connection: connection.execute(change))


def forget_answers(connection: Connection, user_id: str) -> None:
    """Take a person's words out of what is kept; that their keys were used stays known, so that nothing runs twice."""
    mine = (kept.c.user_id == user_id, kept.c.state != "erased")
    connection.execute(update(kept).where(*mine).values(state="erased", body="", media_type=""))


def _take_over(connection: Connection, wanted: _Wanted, now: datetime) -> bool:
    """The row of the same request, left behind by a process that died. Of several who find it one gets it."""
    left = (
        kept.c.user_id == wanted.user_id,
        kept.c.request_key == wanted.key,
        kept.c.fingerprint == wanted.fingerprint,
        kept.c.state == "running",
        kept.c.expires_at <= to_stored(now),
    )
    change = update(kept).where(*left).values(holder=wanted.holder, expires_at=to_stored(now + LIFE))
    return connection.execute(change).rowcount == 1


def _over(now: datetime) -> ColumnElement[bool]:
    """What may be forgotten: answers after their day, and what was begun and never answered after a day as well."""
    day_old = kept.c.expires_at <= to_stored(now - KEPT)
    return or_(day_old, and_(kept.c.state != "running", kept.c.expires_at <= to_stored(now)))


def _row(wanted: _Wanted, now: datetime) -> dict[str, Any]:
    return {
        "user_id": wanted.user_id,
        "request_key": wanted.key,
        "fingerprint": wanted.fingerprint,
        "holder": wanted.holder,
        "state": "running",
        "status": 0,
        "media_type": "",
        "body": "",
        "expires_at": to_stored(now + LIFE),
    }


def _answer(row: RowMapping, fingerprint: str) -> KeptResponse:
    if row["fingerprint"] != fingerprint:
        raise KeyReused(_REUSED)
    if row["state"] == "answered":
        return KeptResponse(row["status"], row["media_type"], row["body"])
    if row["state"] == "erased":
        raise Conflict(_ERASED)
    raise Conflict(_RUNNING, retry_after_s=RETRY_AFTER_S)

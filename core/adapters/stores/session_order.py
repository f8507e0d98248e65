"""Queues of sessions in the database: a ticket is a row, the lowest living one has its turn, in whatever process."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, bindparam, delete, func, insert, select, update

from core.adapters.stores.agent_memory import forget_agents
from core.adapters.stores.database import Database, to_stored
from core.adapters.stores.queue_table import session_tickets as tickets
from core.shared.clock import Clock
from core.shared.errors import Conflict, UpstreamUnavailable

MOST_WAITING = 3
"""Messages of one session that may wait behind the one that is being answered."""

LIFE_S = 15.0
RENEW_S = 5.0
"""A crashed process blocks its sessions for LIFE_S at most; a living one renews every RENEW_S."""

LOOK_S = 0.05

_OF_THE_SESSION = (tickets.c.user_id == bindparam("user"), tickets.c.session_id == bindparam("session"))
_INSERT = insert(tickets)
_SWEEP = delete(tickets).where(*_OF_THE_SESSION, tickets.c.expires_at <= bindparam("now"))
_BEFORE = (tickets.c.ticket < bindparam("number"), tickets.c.expires_at > bindparam("now"))
# A locking read: in MySQL it waits for whoever has drawn a lower number and not committed yet.
_AHEAD = select(func.count()).where(*_OF_THE_SESSION, *_BEFORE).with_for_update(read=True)


@dataclass(frozen=True, slots=True)
class _Ticket:
    """`holder` tells it from a later ticket that got the number of one that was swept away.

    `ahead`: the tickets before it when it was drawn. Later ones have higher numbers, so that it never grows.
    """

    number: int
    holder: str
    user_id: str
    session_id: str
    ahead: int = 0


class SqlSessionOrder:
    """Implements the port SessionOrder."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @contextlib.asynccontextmanager
    async def queue(self, user_id: str, session_id: str) -> AsyncIterator["_Place"]:
        """Take a place and give it back when the block ends."""
        drawing = asyncio.create_task(self._draw(user_id, session_id))
        try:
            ticket = await asyncio.shield(drawing)
        except asyncio.CancelledError:
            await asyncio.shield(asyncio.create_task(self._leave_when_drawn(drawing)))
            raise
        place = _Place(ticket, self._database, self._clock)
        renewing = asyncio.create_task(place.keep())
        try:
            yield place
        finally:
            renewing.cancel()
            if place.held:
                await asyncio.shield(asyncio.create_task(self._leave(ticket)))

    async def _draw(self, user_id: str, session_id: str) -> _Ticket:
        now = self._clock.now()
        ticket = await self._database.run(lambda connection: _draw(connection, user_id, session_id, now))
        if ticket.ahead > MOST_WAITING:
            await self._leave(ticket)
            raise Conflict("这个会话里已有几条消息在等待答复，请稍后再发。", retry_after_s=2)
        return ticket

    async def _leave_when_drawn(self, drawing: "asyncio.Task[_Ticket]") -> None:
        """Whoever gives up while the ticket is being written must not leave it in the others' way."""
        with contextlib.suppress(Conflict, UpstreamUnavailable):
            await self._leave(await drawing)

    async def _leave(self, ticket: _Ticket) -> None:
        with contextlib.suppress(UpstreamUnavailable):  # without a database the ticket dies by itself, after LIFE_S
            await self._database.run(lambda connection: _leave(connection, ticket))


class _Place:
    """Implements the port Place."""

    def __init__(self, ticket: _Ticket, database: Database, clock: Clock) -> None:
        self._ticket = ticket
        self._database = database
        self._clock = clock
        self.held = True

    @property
    def holder(self) -> str:
        return self._ticket.holder

    async def reached(self) -> None:
        while self._ticket.ahead and await self._ahead():
            await self._clock.sleep(LOOK_S)

    def given_back(self) -> None:
        self.held = False

    async def keep(self) -> None:
        """Renew the ticket for as long as this runs."""
        while True:
            await self._clock.sleep(RENEW_S)
            with contextlib.suppress(UpstreamUnavailable):  # the next renewal may find the database again
                await self._renew()

    async def _ahead(self) -> int:
        now = self._clock.now()
        return await self._database.run(lambda connection: _ahead(connection, self._ticket, now))

    async def _renew(self) -> None:
        until = to_stored(self._clock.now() + timedelta(seconds=LIFE_S))
        change = update(tickets).where(*_is(self._ticket)).values(expires_at=until)
        await self._database.run(lambda connection: connection.execute(change))


def _draw(connection: Connection, user_id: str, session_id: str, now: datetime) -> _Ticket:
    """A new ticket; dead ones of the session are swept away on the way."""
    connection.execute(_SWEEP, {"user": user_id, "session": session_id, "now": to_stored(now)})
    values = {
        "user_id": user_id,
        "session_id": session_id,
        "holder": (holder := secrets.token_hex(8)),
        "expires_at": to_stored(now + timedelta(seconds=LIFE_S)),
    }
    number = connection.execute(_INSERT, values).inserted_primary_key
    if number is None:
        raise RuntimeError("the database gave a session ticket no number")
    ticket = _Ticket(int(number[0]), holder, user_id, session_id)
    return replace(ticket, ahead=_ahead(connection, ticket, now))


def _leave(connection: Connection, ticket: _Ticket) -> None:
    """A place that is gone was taken away by an erasure: what agents have noted of the turn since then goes as well."""
    if not connection.execute(delete(tickets).where(*_is(ticket))).rowcount:
        forget_agents(connection, ticket.user_id, ticket.session_id)


def _ahead(connection: Connection, ticket: _Ticket, now: datetime) -> int:
    """How many living tickets of the session were drawn before."""
    mine = {"user": ticket.user_id, "session": ticket.session_id, "now": to_stored(now), "number": ticket.number}
    return connection.scalar(_AHEAD, mine) or 0


def _is(ticket: _Ticket) -> tuple[ColumnElement[bool], ...]:
    return tickets.c.ticket == ticket.number, tickets.c.holder == ticket.holder

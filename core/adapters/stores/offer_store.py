"""Offers in the database; a change of state is one conditional UPDATE, so that of two confirmations one wins."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, RowMapping, delete, insert, select, update

from core.adapters.stores.database import Database, from_stored, to_stored
from core.adapters.stores.tables import offers
from core.types.agent_protocol import Quote
from core.types.orders import Offer, OfferState


class SqlOfferStore:
    """Implements the port OfferStore."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, offers_made: Sequence[Offer]) -> None:
        if offers_made:
            values = [_to_row(offer) for offer in offers_made]
            await self._database.run(lambda connection: connection.execute(insert(offers), values))

    async def get(self, user_id: str, offer_id: str) -> Offer | None:
        query = select(offers).where(offers.c.user_id == user_id, offers.c.offer_id == offer_id)
        found = await self._database.run(lambda connection: connection.execute(query).mappings().first())
        return _from_row(found) if found else None

    async def latest(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        return await self._database.run(lambda connection: _latest(connection, user_id, session_id))

    async def unknown(self, user_id: str, session_id: str) -> tuple[Offer, ...]:
        query = select(offers).where(
            offers.c.user_id == user_id, offers.c.session_id == session_id, offers.c.state.in_(("placing", "unknown"))
        )
        ordered = query.order_by(offers.c.created_at, offers.c.offer_id)
        found = await self._database.run(lambda connection: connection.execute(ordered).mappings().all())
        return tuple(_from_row(row) for row in found)

    async def move(self, offer: Offer, to: OfferState, *, now: datetime) -> bool:
        change = update(offers).where(
            offers.c.offer_id == offer.offer_id, offers.c.user_id == offer.user_id, offers.c.state == offer.state
        )
        change = change.where(_moment_is(offer.moved_at))
        if to == "placing" and offer.state == "open":
            change = change.where(offers.c.expires_at > to_stored(now))
        values = change.values(state=to, moved_at=to_stored(now))
        done = await self._database.run(lambda connection: connection.execute(values).rowcount)
        return done == 1


def forget_offers(connection: Connection, user_id: str, session_id: str) -> None:
    """What still waits for a yes goes with its conversation; what was agreed to stays, so that it happens once."""
    mine = (offers.c.user_id == user_id, offers.c.session_id == session_id, offers.c.state == "open")
    connection.execute(delete(offers).where(*mine))


def _moment_is(moved_at: datetime | None) -> ColumnElement[bool]:
    """Of two who find an offer left behind, one may take it up: the state alone would look the same to both."""
    return offers.c.moved_at.is_(None) if moved_at is None else offers.c.moved_at == to_stored(moved_at)


def _latest(connection: Connection, user_id: str, session_id: str) -> tuple[Offer, ...]:
    of_session = (offers.c.user_id == user_id, offers.c.session_id == session_id)
    last = (
        select(offers.c.reply_id)
        .where(*of_session)
        .order_by(offers.c.created_at.desc(), offers.c.offer_id.desc())
        .limit(1)
    )
    reply_id = connection.scalar(last)
    if reply_id is None:
        return ()
    query = select(offers).where(*of_session, offers.c.reply_id == reply_id).order_by(offers.c.offer_id)
    return tuple(_from_row(row) for row in connection.execute(query).mappings())


def _to_row(offer: Offer) -> dict[str, object]:
    return {
        "offer_id": offer.offer_id,
        "user_id": offer.user_id,
        "session_id": offer.session_id,
        "reply_id": offer.reply_id,
        "agent": offer.agent,
        "quote": offer.quote.model_dump_json(),
        "state": offer.state,
        "created_at": to_stored(offer.created_at),
        "expires_at": to_stored(offer.expires_at),
        "moved_at": to_stored(offer.moved_at) if offer.moved_at else None,
    }


def _from_row(row: RowMapping) -> Offer:
    return Offer(
        offer_id=row["offer_id"],
        user_id=row["user_id"],
        session_id=row["session_id"],
        reply_id=row["reply_id"],
        agent=row["agent"],
        quote=Quote.model_validate_json(row["quote"]),
        state=row["state"],
        created_at=from_stored(row["created_at"]),
        expires_at=from_stored(row["expires_at"]),
        moved_at=from_stored(row["moved_at"]) if row["moved_at"] else None,
    )

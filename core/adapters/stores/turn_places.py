"""The places of turns that are running: an erasure takes them away first, so that no turn writes back what is gone."""

from sqlalchemy import Connection, bindparam, delete

from core.adapters.stores.agent_memory import forget_agents
from core.adapters.stores.queue_table import session_tickets as tickets
from core.adapters.stores.tables import offers
from core.types.memory import TurnRecord

_GIVE_BACK = delete(tickets).where(
    tickets.c.user_id == bindparam("user"),
    tickets.c.session_id == bindparam("session"),
    tickets.c.holder == bindparam("holder"),
)


def given_back(connection: Connection, turn: TurnRecord) -> bool:
    """Give the turn's place back with what it leaves behind. False when it was taken away meanwhile, since something
    was erased: what the turn left elsewhere goes where that went.

    Deletes the ticket's row and so locks it: an erasure comes wholly before the turn is written, or wholly after.
    """
    if not turn.place:
        return True
    mine = {"user": turn.user_id, "session": turn.session_id, "holder": turn.place}
    if connection.execute(_GIVE_BACK, mine).rowcount:
        return True
    connection.execute(delete(offers).where(offers.c.user_id == turn.user_id, offers.c.offer_id.in_(turn.made)))
    forget_agents(connection, turn.user_id, turn.session_id)
    return False


def take_away(connection: Connection, user_id: str, session_id: str | None = None) -> None:
    """The places of all turns of the session, or of all that the person has. Must come before anything is erased."""
    where = [tickets.c.user_id == user_id]
    if session_id is not None:
        where.append(tickets.c.session_id == session_id)
    connection.execute(delete(tickets).where(*where))

"""Traces as rows and back; what writes, finds and forgets them within somebody else's transaction."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import Connection, RowMapping, delete, insert, select

from core.adapters.stores.database import to_stored
from core.adapters.stores.trace_table import traces
from core.types.trace import AgentCalled, ModelAsked, StepTrace, Trace, TracedRun

MOST_CHARACTERS = 256 * 1024
"""Of one trace as JSON; a larger one is kept without its rows, inner rounds and actions."""

SWEPT_AT_ONCE = 500
"""Rows that one sweep deletes at most, so that no turn waits long for it."""

_TRACE = TypeAdapter(Trace)
_ASKED = TypeAdapter(tuple[ModelAsked, ...])
_INSERT = insert(traces)


def add_trace(connection: Connection, user_id: str, trace: Trace) -> None:
    bare = replace(trace, asked=tuple(replace(asked, prompt=(), answer="") for asked in trace.asked))
    content = _TRACE.dump_json(bare).decode("utf-8")
    if len(content) > MOST_CHARACTERS:
        content = _TRACE.dump_json(_slimmed(bare)).decode("utf-8")
    values = {
        "user_id": user_id,
        "session_id": trace.session_id,
        "trace_id": trace.trace_id,
        "content": content,
        "prompts": _ASKED.dump_json(trace.asked).decode("utf-8") if trace.asked else "",
        "created_at": to_stored(trace.started_at),
    }
    connection.execute(_INSERT, values)


def find_trace(connection: Connection, user_id: str, trace_id: str, since: datetime) -> Trace | None:
    """The newest run of that id that began at `since` or later."""
    mine = (traces.c.user_id == user_id, traces.c.trace_id == trace_id, traces.c.created_at >= to_stored(since))
    query = select(traces).where(*mine).order_by(traces.c.id.desc()).limit(1)
    found = connection.execute(query).mappings().first()
    return None if found is None else _to_trace(found)


def all_runs(connection: Connection, trace_id: str) -> Iterator[TracedRun]:
    """Everybody's runs of that id, oldest first: for who has the database in hand anyway."""
    query = select(traces).where(traces.c.trace_id == trace_id).order_by(traces.c.id)
    for row in connection.execute(query).mappings():
        yield TracedRun(row["user_id"], _to_trace(row))


def forget_traces(connection: Connection, user_id: str, session_id: str | None = None) -> None:
    """The runs of a session, or of all that the person has: they hold words and prompts with what was remembered."""
    where = [traces.c.user_id == user_id]
    if session_id is not None:
        where.append(traces.c.session_id == session_id)
    connection.execute(delete(traces).where(*where))


def sweep_traces(connection: Connection, before: datetime) -> bool:
    """Delete runs that began before that moment, the oldest SWEPT_AT_ONCE of them. Whether more may be left."""
    query = select(traces.c.id).where(traces.c.created_at < to_stored(before)).order_by(traces.c.created_at)
    old = connection.scalars(query.limit(SWEPT_AT_ONCE)).all()
    if old:
        connection.execute(delete(traces).where(traces.c.id.in_(old)))
    return len(old) == SWEPT_AT_ONCE


def _to_trace(row: RowMapping) -> Trace:
    trace = _TRACE.validate_json(row["content"])
    return replace(trace, asked=_ASKED.validate_json(row["prompts"])) if row["prompts"] else trace


def _slimmed(trace: Trace) -> Trace:
    rounds = tuple(
        replace(one, action_code=(), steps=tuple(_slim_step(step) for step in one.steps)) for one in trace.rounds
    )
    return replace(trace, rounds=rounds, calls=tuple(_slim_call(call) for call in trace.calls))


def _slim_step(step: StepTrace) -> StepTrace:
    return replace(step, data=None, calls=tuple(_slim_call(call) for call in step.calls))


def _slim_call(call: AgentCalled) -> AgentCalled:
    return replace(call, request={}, data=None, rounds=())

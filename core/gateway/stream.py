"""Server-Sent Events: rising ids, a heartbeat through every silence, and exactly one end."""

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator

from core.gateway.events_json import event_json
from core.gateway.problems import problem_of
from core.shared.clock import Clock
from core.shared.errors import SmartVoyageError
from core.shared.json_types import JsonObject
from core.shared.waiting import within
from core.types.events import Event

log = logging.getLogger(__name__)

HEARTBEAT_S = 10.0
"""The contract allows silences of 15 s; proxies and clocks take their share."""

MEDIA_TYPE = "text/event-stream"

HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}

_HEAD = 64
"""Within so many bytes an event has said its number and its name."""

_Named = tuple[str, JsonObject]
_SILENCE: _Named = ("silence", {})
_pumps: set[asyncio.Task[None]] = set()


async def begun(events: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
    """The same events, the first of them already there: a refusal is then a plain HTTP answer, not a stream."""
    first = await anext(events)

    async def from_the_first() -> AsyncGenerator[Event]:
        async with contextlib.aclosing(events):
            yield first
            async for event in events:
                yield event

    return from_the_first()


async def server_sent(events: AsyncGenerator[Event], clock: Clock, trace: str) -> AsyncIterator[bytes]:
    """The events as bytes of a stream. When it is closed, `events` are closed too, which ends the run behind them."""
    told: asyncio.Queue[_Named | None] = asyncio.Queue()
    # The run is closed by a task of its own: the server cancels the stream again and again while it unwinds.
    pump = asyncio.create_task(_pump(events, told, trace), name=f"stream {trace}")
    _pumps.add(pump)
    pump.add_done_callback(_pumps.discard)
    try:
        number = 0
        while (named := await _next(told, clock)) is not None:
            number += named is not _SILENCE
            yield _bytes(number, named)
    finally:
        pump.cancel()


async def _pump(events: AsyncGenerator[Event], told: asyncio.Queue[_Named | None], trace: str) -> None:
    """Hand the events over; whatever goes wrong becomes the one `error` event that ends the stream."""
    try:
        async with contextlib.aclosing(events):
            async for event in events:
                told.put_nowait(event_json(event))
    except SmartVoyageError as error:
        told.put_nowait(("error", problem_of(error, trace).model_dump()))
    except Exception as error:  # the edge of a stream: its client must hear of the end
        log.exception("a stream failed", extra={"trace_id": trace})
        told.put_nowait(("error", problem_of(error, trace).model_dump()))
    told.put_nowait(None)


async def _next(told: asyncio.Queue[_Named | None], clock: Clock) -> _Named | None:
    """What comes next, or silence when nothing came for HEARTBEAT_S."""
    try:
        return await within(clock, HEARTBEAT_S, told.get())
    except TimeoutError:
        return _SILENCE


def ends_well(told: bytes) -> bool:
    """Whether a piece of the stream is its `done`."""
    return told.startswith(b"id: ") and b"\nevent: done\n" in told[:_HEAD]


def as_first(told: bytes) -> bytes:
    """The same event as the first and only one of a stream."""
    return b"id: 1\n" + told.partition(b"\n")[2]


def _bytes(number: int, named: _Named) -> bytes:
    if named is _SILENCE:
        return b": waiting\n\n"
    name, data = named
    return f"id: {number}\nevent: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()

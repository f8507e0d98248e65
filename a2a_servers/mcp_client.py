"""The connection to one tool server: opened once, kept for the process's life, reopened by itself after an outage."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any, cast

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, RequestParamsMeta
from mcp_types import Tool as ListedTool
from mcp_types.jsonrpc import CONNECTION_CLOSED, REQUEST_TIMEOUT

from a2a_servers.connecting import NotingTransport, sending
from a2a_servers.tool_wire import answer_of, tool_of
from a2a_servers.tools import Tool, ToolAnswer, ToolFailed, ToolLost, ToolsUnreachable, ToolTooSlow
from core.shared.call_context import CallContext
from core.shared.clock import Clock
from core.shared.json_types import JsonObject

log = logging.getLogger(__name__)

MAX_IN_FLIGHT = 64
CONNECT_S = 5.0
LIST_S = 5.0
WAIT_FOR_SERVER_S = 2.0
FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 5.0
_ASK_AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class _Link:
    """An open session; `lost` is set the moment it can no longer be used."""

    client: Client
    lost: asyncio.Event


class SupervisedToolBox:
    """Implements ToolBox over MCP. One task owns the session, because the SDK's cancel scopes belong to their task."""

    def __init__(self, url: str, clock: Clock, *, refresh_s: float = 5.0) -> None:
        self._url = url
        self._clock = clock
        self._refresh_s = refresh_s
        self._tools: tuple[Tool, ...] = ()
        self._link: _Link | None = None
        self._up = asyncio.Event()
        self._places = asyncio.Semaphore(MAX_IN_FLIGHT)

    @property
    def reachable(self) -> bool:
        return self._link is not None

    def tools(self) -> tuple[Tool, ...]:
        return self._tools

    async def ready(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._up.wait()
        return self.reachable

    async def call(self, tool: str, arguments: JsonObject, context: CallContext) -> ToolAnswer:
        seconds = context.remaining_ms / 1000
        try:
            async with asyncio.timeout(seconds), self._places:
                return await self._call(tool, arguments, context, seconds)
        except TimeoutError:
            raise ToolTooSlow(f"{tool}: no answer within {seconds:.1f} s") from None

    async def _call(self, tool: str, arguments: JsonObject, context: CallContext, seconds: float) -> ToolAnswer:
        if not await self.ready(min(WAIT_FOR_SERVER_S, seconds / 2)) or self._link is None:
            raise ToolsUnreachable("no connection to the tool server")
        link = self._link
        meta = cast("RequestParamsMeta", context.to_metadata())
        with sending() as sent:
            try:
                result = await _unless_lost(
                    link, link.client.call_tool(tool, arguments, read_timeout_seconds=seconds, meta=meta)
                )
            except (MCPError, ToolLost) as error:
                raise _failure(tool, error, refused=sent.refused) from error
            except (ValueError, RuntimeError) as error:  # an answer the SDK could not read against the tool's schema
                raise ToolFailed(f"{tool}: {error}") from error
        return answer_of(result)

    async def supervise(self) -> None:
        """Hold a session for ever. Losing it is expected; the pause before the next try grows to five seconds."""
        pause = FIRST_PAUSE_S
        while True:
            was_up = await self._hold_session()
            _obey_cancellation()
            pause = FIRST_PAUSE_S if was_up else min(pause * 2, LONGEST_PAUSE_S)
            await self._clock.sleep(pause)

    async def _hold_session(self) -> bool:
        """Open a session and use it up. True when it had been open."""
        lost = asyncio.Event()
        was_up = False
        try:
            async with self._session() as client:
                await self._learn_tools(client)
                self._link, was_up = _Link(client, lost), True
                self._up.set()
                log.info("tool server is up", extra={"server": self._url, "tools": len(self._tools)})
                await self._watch(client, lost)
        except asyncio.CancelledError:
            _obey_cancellation()
        except Exception as error:  # whatever ended the session, the answer is the same: open another
            log.debug("session ended: %s", type(error).__name__, extra={"server": self._url})
        finally:
            self._link = None
            self._up.clear()
            lost.set()
        if was_up:
            log.warning("tool server is gone", extra={"server": self._url})
        return was_up

    @contextlib.asynccontextmanager
    async def _session(self) -> AsyncIterator[Client]:
        limits = httpx2.Limits(max_connections=MAX_IN_FLIGHT, max_keepalive_connections=MAX_IN_FLIGHT)
        timeout = httpx2.Timeout(CONNECT_S, read=None)  # each call brings its own read timeout
        transport = NotingTransport(limits=limits, trust_env=False)
        async with (
            httpx2.AsyncClient(timeout=timeout, transport=transport, trust_env=False) as http,
            Client(streamable_http_client(self._url, http_client=http), read_timeout_seconds=CONNECT_S) as client,
        ):
            yield client

    async def _watch(self, client: Client, lost: asyncio.Event) -> None:
        """List the tools again and again: that keeps the card current, and notices a server that went away idle."""
        while not lost.is_set():
            await self._clock.sleep(self._refresh_s)
            await self._learn_tools(client)

    async def _learn_tools(self, client: Client) -> None:
        found: list[ListedTool] = []
        cursor: str | None = None
        async with asyncio.timeout(LIST_S):
            while True:
                page = await client.list_tools(cursor=cursor, cache_mode="refresh")
                found += page.tools
                cursor = page.next_cursor
                if cursor is None:
                    break
        self._tools = tuple(tool_of(tool) for tool in found)


def _failure(tool: str, error: MCPError | ToolLost, *, refused: bool) -> ToolFailed | ToolsUnreachable:
    """What the call came to; `refused`: it never left this process."""
    if refused:
        return ToolsUnreachable(f"{tool}: the connection was refused")
    if isinstance(error, ToolLost):
        return error
    if error.error.code == REQUEST_TIMEOUT:
        return ToolTooSlow(f"{tool}: {error}")
    return (ToolLost if error.error.code == CONNECTION_CLOSED else ToolFailed)(f"{tool}: {error}")


def _obey_cancellation() -> None:
    """End if somebody asked this task to. The SDK cancels its host task when its transport dies, which is no such
    request, and may turn a real one into an error of its own."""
    if (task := asyncio.current_task()) and task.cancelling():
        raise asyncio.CancelledError


async def _unless_lost(link: _Link, calling: Coroutine[Any, Any, CallToolResult]) -> CallToolResult:
    """The call's result, or ToolLost as soon as the session is lost: the SDK alone would leave it waiting."""
    call = asyncio.create_task(calling)
    lost = asyncio.create_task(link.lost.wait())
    try:
        await asyncio.wait({call, lost}, return_when=asyncio.FIRST_COMPLETED)
        if call.done() and not call.cancelled():
            return call.result()
        raise ToolLost("the connection to the tool server was lost")
    finally:
        call.add_done_callback(_forget)  # not awaited: what the SDK does after a cancel must not hold the caller
        call.cancel()
        lost.cancel()


def _forget(call: asyncio.Task[CallToolResult]) -> None:
    if not call.cancelled():
        call.exception()


@contextlib.asynccontextmanager
async def supervised(toolbox: SupervisedToolBox) -> AsyncIterator[None]:
    """Keep the toolbox connected until the context ends. It begins at once, whether or not the server is there."""
    supervising = asyncio.create_task(toolbox.supervise(), name="tools under supervision")
    try:
        yield
    finally:
        while not supervising.done():  # asked again, should the SDK have swallowed the request
            supervising.cancel()
            await asyncio.wait({supervising}, timeout=_ASK_AGAIN_S)

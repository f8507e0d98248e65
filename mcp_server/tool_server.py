"""An MCP server whose refusals are plain sentences and whose log lines carry the caller's trace id."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, cast

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from core.shared.call_context import METADATA_KEY, from_metadata
from core.shared.clock import Clock
from core.shared.errors import SmartVoyageError
from core.shared.json_types import JsonObject
from core.shared.logging import trace_id
from core.shared.version import VERSION
from mcp_server.business_data import BusinessData
from mcp_server.refusals import refusal_of
from mcp_server.skills import Skill

logger = logging.getLogger(__name__)

_DEFAULT_REMAINING_MS = 30_000
_READS_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class ToolServer(MCPServer[None]):
    """MCPServer with the house's habits. Tools raise SmartVoyageError for what a person may read; bugs stay hidden."""

    def __init__(self, name: str, instructions: str, data: BusinessData, clock: Clock) -> None:
        super().__init__(name, instructions=instructions, version=VERSION, lifespan=_opening(data))
        self._clock = clock
        self.custom_route("/health", methods=["GET"])(_health_route(data))

    def add_query(self, tool: Callable[..., Any], title: str, skill: Skill) -> None:
        """Offer a tool that only reads; the skill's words go into its `_meta`, for an agent to build its card from."""
        meta = {METADATA_KEY: skill.to_json()}
        self.add_tool(tool, title=title, description=skill.description, annotations=_READS_ONLY, meta=meta)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        call = from_metadata(_metadata(context), default_remaining_ms=_DEFAULT_REMAINING_MS)
        trace_id.set(call.trace_id)  # this task serves this call only
        started = self._clock.monotonic()
        outcome = "failed"
        try:
            result = await self._call_in_words(name, arguments, context)
            outcome = "ok"
            return result
        except UnexpectedToolError:
            raise
        except ToolError:
            outcome = "refused"
            raise
        finally:
            elapsed_ms = round((self._clock.monotonic() - started) * 1000)
            logger.info("tool call", extra={"tool": name[:64], "outcome": outcome, "elapsed_ms": elapsed_ms})

    async def _call_in_words(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, SmartVoyageError):
                raise ToolError(cause.detail) from cause
            if isinstance(cause, ValidationError) and not isinstance(error, UnexpectedToolError):
                raise ToolError(refusal_of(cause)) from cause
            raise


def _metadata(context: Context[None, Any] | None) -> JsonObject:
    if context is None or context.request_context.meta is None:
        return {}
    return cast(JsonObject, dict(context.request_context.meta))


def _opening(data: BusinessData) -> Callable[[MCPServer[None]], AbstractAsyncContextManager[None]]:
    return lambda _server: data.open()


def _health_route(data: BusinessData) -> Callable[[Request], Any]:
    async def health(_request: Request) -> Response:
        trouble = await asyncio.to_thread(data.trouble)
        if trouble is None:
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": "down", "detail": trouble}, status_code=503)

    return health

"""An MCP server whose refusals are plain sentences and whose log lines carry the caller's trace id."""

import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from core.shared.call_context import METADATA_KEY
from core.shared.clock import Clock
from core.shared.errors import InvalidRequest, SmartVoyageError, UpstreamUnavailable
from core.shared.logging import trace_id
from core.shared.version import VERSION
from mcp_server.business_data import BusinessData
from mcp_server.calls import Call, context_of
from mcp_server.health import health_of
from mcp_server.refusals import refusal_of
from mcp_server.skills import Skill
from mcp_tools.shelves import unit_of

logger = logging.getLogger(__name__)

_INVALID, _REFUSED = "invalid_parameter", "refused"
_CODES: dict[type[SmartVoyageError], str] = {InvalidRequest: _INVALID, UpstreamUnavailable: "unavailable"}

_READS_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_BUYS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_CANCELS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


class ToolServer(MCPServer[None]):
    """MCPServer with the house's habits. Tools raise SmartVoyageError for what a person may read; bugs stay hidden."""

    def __init__(
        self, name: str, instructions: str, data: BusinessData, clock: Clock, *, weather: bool = False
    ) -> None:
        super().__init__(name, instructions=instructions, version=VERSION, lifespan=_opening(data))
        self._clock = clock
        self._units: dict[str, str] = {}
        self.custom_route("/health", methods=["GET"])(health_of(data, clock, weather=weather))

    def add_query(self, tool: Callable[..., Any], title: str, skill: Skill) -> None:
        """Offer a tool that only reads; the skill's words go into its `_meta`, for an agent to build its card from."""
        self._add(tool, title, skill, _READS_ONLY)

    def add_order(self, tool: Callable[..., Any], title: str, skill: Skill) -> None:
        """Offer a tool that buys: once per idempotency key."""
        self._add(tool, title, skill, _BUYS)

    def add_cancel(self, tool: Callable[..., Any], title: str, skill: Skill) -> None:
        """Offer a tool that takes something back."""
        self._add(tool, title, skill, _CANCELS)

    def _add(self, tool: Callable[..., Any], title: str, skill: Skill, annotations: ToolAnnotations) -> None:
        meta = {METADATA_KEY: skill.to_json()}
        self._units[tool.__name__] = unit_of(skill.kind)
        self.add_tool(tool, title=title, description=skill.description, annotations=annotations, meta=meta)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Call | None = None
    ) -> CallToolResult | InputRequiredResult:
        call = context_of(context)
        trace_id.set(call.trace_id)  # this task serves this call only
        started = self._clock.monotonic()
        outcome = "failed"
        try:
            result = await self._call_in_words(name, arguments, context)
            outcome = "refused" if isinstance(result, CallToolResult) and result.is_error else "ok"
            return result
        finally:
            elapsed_ms = round((self._clock.monotonic() - started) * 1000)
            logger.info("tool call", extra={"tool": name[:64], "outcome": outcome, "elapsed_ms": elapsed_ms})

    async def _call_in_words(
        self, name: str, arguments: dict[str, Any], context: Call | None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, SmartVoyageError):
                return _refused(cause.detail, _CODES.get(type(cause), _REFUSED))
            if isinstance(cause, ValidationError) and not isinstance(error, UnexpectedToolError):
                return _refused(refusal_of(cause, self._units.get(name, "")), _INVALID)
            raise


def _refused(sentence: str, code: str) -> CallToolResult:
    """An error for the person to read, and its code for the program that called."""
    meta: dict[str, Any] = {METADATA_KEY: {"code": code}}
    return CallToolResult(content=[TextContent(type="text", text=sentence)], is_error=True, _meta=meta)


def _opening(data: BusinessData) -> Callable[[MCPServer[None]], AbstractAsyncContextManager[None]]:
    return lambda _server: data.open()


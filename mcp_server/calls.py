"""The context of a call: who asks, in which trace, how long is left, from the metadata beside the arguments."""

from typing import Any, cast

from mcp.server.mcpserver import Context

from core.shared.call_context import CallContext, from_metadata
from core.shared.json_types import JsonObject

_DEFAULT_REMAINING_MS = 30_000

Call = Context[None, Any]
"""What a tool declares a parameter of, to be given the call it serves."""


def context_of(call: Call | None) -> CallContext:
    """Never raises: a call without metadata is nobody's."""
    return from_metadata(_metadata(call), default_remaining_ms=_DEFAULT_REMAINING_MS)


def _metadata(call: Call | None) -> JsonObject:
    if call is None or call.request_context.meta is None:
        return {}
    return cast(JsonObject, dict(call.request_context.meta))

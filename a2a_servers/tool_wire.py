"""Between MCP's types and our own: what a tool's listing and a call's result mean here."""

import re
from collections.abc import Mapping
from typing import Any

import mcp_types

from a2a_servers.tools import Tool, ToolAnswer, ToolFailed, ToolRefused
from a2a_servers.untrusted import plain_json, plain_words
from core.shared.call_context import METADATA_KEY
from core.types.agent_protocol import INVALID_PARAMETER, REFUSED, UNAVAILABLE

# The MCP server puts this before the text of a ToolError, and sends nothing else when a tool crashed.
_PREFIX = re.compile(r"^(Error executing tool \S+?(: |$))+")
_ARGUMENTS_REJECTED = re.compile(r"^\d+ validation errors? for ")
_CODES = (INVALID_PARAMETER, UNAVAILABLE, REFUSED)
_PLANNING = ("needs", "yields", "price", "risk")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def tool_of(listed: mcp_types.Tool) -> Tool:
    """The tool with the skill that its `_meta` describes; a tool without such words is its own skill."""
    said = _words_of(listed.meta)
    schema = listed.input_schema
    return Tool(
        name=listed.name,
        intent=str(said.get("intent") or listed.name),
        kind=str(said.get("kind") or listed.name),
        description=str(said.get("description") or listed.description or listed.title or listed.name),
        tags=_texts(said.get("tags")),
        examples=_texts(said.get("examples")),
        parameters=frozenset(schema.get("properties") or {}),
        required=_required(schema, said.get("needs")),
        read_only=bool(listed.annotations and listed.annotations.read_only_hint),
        most_at_once=_most_at_once(schema),
        quotes_with=str(said.get("quotes_with") or ""),
        planning={name: said[name] for name in _PLANNING if name in said},
        schema=schema,
    )


def answer_of(result: mcp_types.CallToolResult) -> ToolAnswer:
    """The result's content, cleaned of what rows must not carry.

    Raises ToolRefused or ToolFailed for a result that is an error.
    """
    text = "\n".join(block.text for block in result.content if isinstance(block, mcp_types.TextContent))
    if result.is_error:
        raise _error_of(text, _words_of(result.meta))
    return ToolAnswer(content=plain_json(result.structured_content), text=plain_words(text))


def _error_of(text: str, about: Mapping[str, Any]) -> ToolRefused | ToolFailed:
    said = _PREFIX.sub("", text).strip()
    if _ARGUMENTS_REJECTED.match(said) or not _CHINESE.search(said):
        return ToolFailed(text or "an error without text")
    code = about.get("code")
    return ToolRefused(plain_words(said), code if code in _CODES else REFUSED)


def _words_of(meta: Mapping[str, Any] | None) -> Mapping[str, Any]:
    found = (meta or {}).get(METADATA_KEY)
    return found if isinstance(found, dict) else {}


def _most_at_once(schema: Mapping[str, Any]) -> int | None:
    quantity = (schema.get("properties") or {}).get("quantity")
    most = quantity.get("maximum") if isinstance(quantity, dict) else None
    return most if isinstance(most, int) else None


def _required(schema: Mapping[str, Any], needs: object) -> tuple[str, ...]:
    """What it needs by its own word, then what its schema asks for besides."""
    declared = [name for name in (needs if isinstance(needs, dict) else ()) if name in (schema.get("properties") or {})]
    return tuple(dict.fromkeys([*declared, *_texts(schema.get("required"))]))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()

"""What a card says of its skills for planning: as their tools declare it, else as their schemas let one tell."""

from collections.abc import Sequence

from a2a_servers.tools import Tool
from core.shared.json_types import JsonObject, JsonValue

PLANNING_EXTENSION = "smartvoyage/planning"
"""The capability extension whose params say {"skills": {a skill's id: {kind, needs, yields, quotes_with, …}}}."""

# An order tool's parameters that the quoting fills in: one where nobody says how many, and the price of the row.
_COUNTED = "quantity"
_PRICED = "expected_price"


def planning_of(tools: Sequence[Tool]) -> JsonObject:
    """The extension's params."""
    return {"skills": {tool.name: _declared(tool) for tool in tools}}


def _declared(tool: Tool) -> JsonObject:
    about: JsonObject = {"kind": tool.kind, "needs": _needs(tool), **tool.planning}
    if tool.quotes_with:
        about["quotes_with"] = tool.quotes_with
    return about


def _needs(tool: Tool) -> JsonValue:
    """The required parameters, whose names then are their types."""
    if not tool.quotes_with:
        return list(tool.required)
    return {name: "price" if name == _PRICED else name for name in tool.required if name != _COUNTED}

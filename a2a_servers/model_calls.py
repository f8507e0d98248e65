"""What a model may fill in: the tools as it is shown them, and its answer as calls that fit their schemas.

Nothing is filled in that nobody said, and nothing that chooses what is bought or for how much.
"""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from a2a_servers.model_values import said_by, value_for
from a2a_servers.tools import Tool
from core.ports.asking import Unfit
from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_values import is_null_word

_NEVER = frozenset({"item_id", "expected_price", "limit", "before", "status", "exclude"})
_WANTS = re.compile(r"[订定买购退]|下单|取消|投保|来[一两二三四五六七八九十0-9]")
_MOST_CALLS = 5
_LONGEST_DESCRIPTION = 200


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a tool, as a model understood it."""

    intent: str
    parameters: JsonObject


@dataclass(frozen=True, slots=True)
class Question:
    """What the model is asked about: which tools, whose words, what is known, which words nobody has read."""

    tools: tuple[Tool, ...]
    text: str
    known: JsonObject
    unread: tuple[str, ...]
    today: dt.date


def tools_shown(tools: Sequence[Tool]) -> list[JsonValue]:
    """The tools with what each parameter means, from their own schemas."""
    return [
        {
            "tool": tool.name, "description": tool.description[:_LONGEST_DESCRIPTION],
            "parameters": {name: _about(schema) for name, schema in _open(tool).items()},
            "required": [name for name in tool.required if name in _open(tool)],
        }
        for tool in tools
    ]


def answer_schema(tools: Sequence[Tool]) -> JsonObject:
    """The JSON schema of the answer. A single tool's parameters are spelt out; of several only the names are."""
    parameters: JsonObject = {"type": "object"}
    if len(tools) == 1:
        open_ones: JsonObject = {name: schema for name, schema in _open(tools[0]).items() if "$ref" not in str(schema)}
        parameters |= {"properties": open_ones, "additionalProperties": False}
    names: list[JsonValue] = [tool.name for tool in tools]
    call: JsonObject = {
        "type": "object", "additionalProperties": False, "required": ["tool", "parameters"],
        "properties": {"tool": {"type": "string", "enum": names}, "parameters": parameters},
    }
    calls: JsonObject = {"type": "array", "maxItems": _MOST_CALLS, "items": call}
    return {"type": "object", "additionalProperties": False, "required": ["calls"], "properties": {"calls": calls}}


def calls_in(value: JsonValue, question: Question) -> tuple[Call, ...]:
    """The calls of an answer. Raises Unfit for one that does not fit its tool."""
    calls = value.get("calls") if isinstance(value, dict) else value
    if isinstance(value, dict) and calls is None and "parameters" in value:
        calls = [value]
    if not isinstance(calls, list) or len(calls) > _MOST_CALLS:
        raise Unfit("应当是 {\"calls\": [...]}，最多五个。")
    found = [_call(call, question) for call in calls]
    return tuple(call for call in found if call is not None)


def _call(raw: JsonValue, question: Question) -> Call | None:
    """None for an order that the person's own words do not wish for."""
    if not isinstance(raw, dict) or not isinstance(parameters := raw.get("parameters", {}), dict):
        raise Unfit("每个调用应当写成 {\"tool\": …, \"parameters\": {…}}。")
    tool = _tool(raw.get("tool"), question.tools)
    if not tool.read_only and not _WANTS.search(question.text):
        return None
    return Call(tool.intent, _parameters(parameters, tool, question))


def _tool(said: JsonValue, tools: Sequence[Tool]) -> Tool:
    """Where there is but one tool it need not be named."""
    if is_null_word(said) and len(tools) == 1:
        return tools[0]
    tool = next((one for one in tools if said in (one.name, one.intent)), None)
    if tool is None:
        raise Unfit(f"没有“{str(said)[:40]}”这个工具。")
    return tool


def _parameters(raw: JsonObject, tool: Tool, question: Question) -> JsonObject:
    """What was filled in, of what the tool takes, is not yet known and may have been said."""
    open_ones = _open(tool)
    found: JsonObject = {}
    for name, said in raw.items():
        if name not in open_ones or name in question.known or is_null_word(said) or said in ([], {}):
            continue
        value = value_for(name, said, tool.schema, question.today)
        if value is not None and said_by(question.text, question.unread, name, value):
            found[name] = value
    return found


def _open(tool: Tool) -> JsonObject:
    """The parameters that a model may fill, with their schemas."""
    properties = tool.schema.get("properties")
    own = properties if isinstance(properties, dict) else {}
    return {name: own.get(name, {}) for name in sorted(tool.parameters - _NEVER)}


def _about(schema: JsonValue) -> JsonValue:
    """A parameter in words: what it says of itself, its choices, its form."""
    if not isinstance(schema, dict):
        return ""
    forms = [schema, *(one for one in _list(schema.get("anyOf")) if isinstance(one, dict))]
    choices = next((str(form["enum"]) for form in forms if "enum" in form), "")
    form = next((str(form.get("format") or form["type"]) for form in forms if form.get("type", "null") != "null"), "")
    parts = [str(schema.get("description") or ""), form, choices]
    return "；".join(part for part in parts if part)[:_LONGEST_DESCRIPTION]


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []

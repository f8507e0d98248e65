"""What a tool returned, as the typed rows of the agent protocol."""

from pydantic import ValidationError

from a2a_servers.tools import Tool, ToolAnswer
from core.shared.json_types import JsonObject, JsonValue
from core.types.agent_protocol import ResultData


def data_of(tool: Tool, answer: ToolAnswer) -> ResultData | None:
    """The answer's rows, or None when the tool returned only text.

    Our own servers return {kind, rows, more, origin}; a third party's list or object counts as rows of the tool's kind.
    """
    content = answer.content
    if isinstance(content, dict) and "rows" in content:
        try:
            return ResultData.model_validate({"kind": tool.kind, **content})
        except ValidationError:
            return None
    rows = _rows_in(content)
    return ResultData(kind=tool.kind, rows=rows) if rows is not None else None


def _rows_in(content: JsonValue) -> list[JsonObject] | None:
    if isinstance(content, dict) and set(content) == {"result"}:  # how MCP wraps what is no object
        content = content["result"]
    if isinstance(content, dict):
        return [content]
    if isinstance(content, list) and all(isinstance(item, dict) for item in content):
        return [item for item in content if isinstance(item, dict)]
    return None


def merged(found: list[ResultData]) -> ResultData | None:
    """Several results as one: rows of one kind are joined; of several kinds they become `mixed`, each row with its."""
    if len(found) <= 1:
        return found[0] if found else None
    origins = {data.origin for data in found}
    one_kind = len({data.kind for data in found}) == 1
    return ResultData(
        kind=found[0].kind if one_kind else "mixed",
        rows=[row if one_kind else {"kind": data.kind, **row} for data in found for row in data.rows],
        more=sum(data.more for data in found),
        origin=origins.pop() if len(origins) == 1 else None,
    )

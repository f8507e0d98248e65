"""The JSON of python-a2a's tasks, and what it means in A2A's types."""

import uuid
from collections.abc import Mapping
from typing import Any

from a2a.helpers import get_text_parts, new_data_part, new_text_part
from a2a.types.a2a_pb2 import Message, Part, Role, Task, TaskState
from google.protobuf.json_format import ParseDict

from core.shared.call_context import METADATA_KEY
from core.shared.json_types import JsonObject

# python-a2a knows no "working": its client reads that as completed.
_STATES = {
    TaskState.TASK_STATE_SUBMITTED: "submitted",
    TaskState.TASK_STATE_WORKING: "waiting",
    TaskState.TASK_STATE_COMPLETED: "completed",
    TaskState.TASK_STATE_FAILED: "failed",
    TaskState.TASK_STATE_REJECTED: "failed",
    TaskState.TASK_STATE_CANCELED: "canceled",
    TaskState.TASK_STATE_INPUT_REQUIRED: "input-required",
    TaskState.TASK_STATE_AUTH_REQUIRED: "input-required",
}


def message_of(params: Mapping[str, Any], *, task_id: str, context_id: str) -> Message:
    """The message of a `tasks/send`; a text or data part, with the call's metadata where it is given."""
    raw = params.get("message")
    said: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
    message = Message(
        message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=_parts(said), task_id=task_id, context_id=context_id
    )
    for holder in (params, said):
        metadata = holder.get("metadata")
        if isinstance(metadata, dict):
            ours = {key: value for key, value in metadata.items() if key in (METADATA_KEY, "traceparent")}
            ParseDict(ours, message.metadata)
    return message


def _parts(said: Mapping[str, Any]) -> list[Part]:
    content = said.get("content")
    pieces = [content] if isinstance(content, dict) else said.get("parts")
    found = [_part(piece) for piece in pieces if isinstance(piece, dict)] if isinstance(pieces, list) else []
    return [part for part in found if part is not None] or [new_text_part("")]


def _part(piece: Mapping[str, Any]) -> Part | None:
    data = piece.get("data")
    if isinstance(data, dict):
        return new_data_part(data)
    text = piece.get("text") or piece.get("message")
    return new_text_part(text) if isinstance(text, str) and text else None


def task_json(task: Task, *, id_: str, session_id: str, message: object) -> JsonObject:
    """A task as python-a2a's client reads it."""
    status: JsonObject = {
        "state": _STATES.get(task.status.state, "unknown"),
        "timestamp": task.status.timestamp.ToJsonString(),
    }
    if task.status.HasField("message"):
        words = "\n".join(get_text_parts(task.status.message.parts))
        status["message"] = {"role": "agent", "content": {"type": "text", "text": words}}
    artifacts = [
        {"name": artifact.name, "parts": [{"type": "text", "text": text} for text in get_text_parts(artifact.parts)]}
        for artifact in task.artifacts
    ]
    answer: dict[str, Any] = {"id": id_, "sessionId": session_id, "status": status, "artifacts": artifacts}
    if isinstance(message, dict):
        answer["message"] = message
    return answer


def failed_json(*, id_: str, session_id: str) -> JsonObject:
    """A failure as a task: python-a2a's client drops JSON-RPC errors and would post again."""
    words = "抱歉，暂时查不到，请稍后再试。"
    return {
        "id": id_,
        "sessionId": session_id,
        "status": {"state": "failed", "message": {"role": "agent", "content": {"type": "text", "text": words}}},
        "artifacts": [],
    }

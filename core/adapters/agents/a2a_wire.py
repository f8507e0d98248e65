"""Between our frozen words and A2A's protobuf types; nothing outside this folder sees the latter."""

import uuid

from a2a.types.a2a_pb2 import AgentCard, Artifact, Message, Part, Role, SendMessageRequest, Task, TaskState
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Value
from pydantic import ValidationError

from core.adapters.agents.facts_wire import PLANNING_EXTENSION, declared_by
from core.shared.call_context import CallContext
from core.shared.json_types import JsonObject, whole_numbers
from core.types.agent_protocol import AgentRequest, AgentResponse
from core.types.network import Skill
from core.types.tool_facts import NO_FACTS

TOOLS_EXTENSION = "smartvoyage/tools"
"""The capability extension of a card whose params say {"reachable": whether the agent's tools can be used now}."""


class UnreadableAnswer(Exception):
    """An agent's answer that is neither our format nor plain text; the message may be logged, not shown."""


_STATES = {
    TaskState.TASK_STATE_COMPLETED: "completed",
    TaskState.TASK_STATE_INPUT_REQUIRED: "input_required",
    TaskState.TASK_STATE_AUTH_REQUIRED: "failed",
    TaskState.TASK_STATE_FAILED: "failed",
    TaskState.TASK_STATE_CANCELED: "failed",
    TaskState.TASK_STATE_REJECTED: "failed",
}


def request_message(request: AgentRequest, context: CallContext) -> SendMessageRequest:
    """A2A message with one data part, the call's metadata beside it; the session is the A2A context id."""
    data = ParseDict(request.model_dump(mode="json"), Value())
    message = Message(
        message_id=str(uuid.uuid4()),
        role=Role.ROLE_USER,
        parts=[Part(data=data)],
        context_id=f"{context.user_id}/{context.session_id}",
    )
    ParseDict(context.to_metadata(), message.metadata)
    return SendMessageRequest(message=message)


def skills_of(card: AgentCard) -> tuple[Skill, ...]:
    """The card's skills; their names are the intents they serve."""
    declared = declared_by(_params_of(card, PLANNING_EXTENSION))
    return tuple(
        Skill(
            name=s.name, description=s.description, tags=tuple(s.tags), examples=tuple(s.examples), tool=s.id,
            facts=declared.get(s.id) or declared.get(s.name) or NO_FACTS,
        )
        for s in card.skills
    )


def tools_are_away(card: AgentCard) -> bool:
    """Whether the agent says that the tools behind its skills cannot be used at the moment."""
    return _params_of(card, TOOLS_EXTENSION).get("reachable") is False


def _params_of(card: AgentCard, uri: str) -> JsonObject:
    """What an extension of the card says; empty where the card has none of that name."""
    of_name = (extension for extension in card.capabilities.extensions if extension.uri == uri)
    found = next(of_name, None)
    return MessageToDict(found.params) if found is not None else {}


def response_of_task(task: Task) -> AgentResponse:
    """Read a finished task: our data part where there is one, else its texts. Raises UnreadableAnswer."""
    status = _STATES.get(task.status.state)
    if status is None:
        raise UnreadableAnswer(f"task ended in state {TaskState.Name(task.status.state)}")
    parts = [part for artifact in task.artifacts for part in artifact.parts]
    for part in [*parts, *task.status.message.parts]:
        if part.HasField("data"):
            return _validated(part)
    text = "\n".join(part.text for part in [*parts, *task.status.message.parts] if part.text)
    return AgentResponse.model_validate({"status": status, "observation": text})


def response_of_message(message: Message) -> AgentResponse:
    """Read a direct message, the short form that a third party's agent may answer with."""
    return response_of_task(
        Task(
            artifacts=[Artifact(parts=list(message.parts))],
            status={"state": TaskState.TASK_STATE_COMPLETED},
        )
    )


def _validated(part: Part) -> AgentResponse:
    raw = whole_numbers(MessageToDict(part.data))
    try:
        return AgentResponse.model_validate(raw)
    except ValidationError as error:
        raise UnreadableAnswer(f"data part does not fit the schema: {error.error_count()} errors") from error

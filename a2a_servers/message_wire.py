"""Between A2A messages and AgentTask, AgentResponse: protobuf stays here."""

from collections.abc import Iterable, Sequence

from a2a.helpers import get_data_parts, get_message_text, new_data_part, new_text_part
from a2a.types.a2a_pb2 import Message, Part, Role
from google.protobuf.json_format import MessageToDict
from pydantic import ValidationError

from a2a_servers.task import AgentTask
from core.shared.call_context import CallContext, from_metadata
from core.shared.json_types import JsonObject, whole_numbers
from core.types.agent_protocol import AgentRequest, AgentResponse

MAX_TEXT = 4000


class UnreadableRequest(Exception):
    """A message that is no request; the text may be shown and names the field at fault."""


def call_context(message: Message, request_metadata: JsonObject, default_remaining_ms: int) -> CallContext:
    """The context in the message's metadata, or in that of the request around it."""
    found = whole_numbers({**request_metadata, **MessageToDict(message.metadata)})
    return from_metadata(found if isinstance(found, dict) else {}, default_remaining_ms=default_remaining_ms)


def task_of(messages: Sequence[Message], context: CallContext) -> AgentTask:
    """Read what a person or an agent has said in this task so far; the last data part leads, later texts add to it.

    Raises UnreadableRequest.
    """
    request: AgentRequest | None = None
    texts: list[str] = []
    for message in messages:
        if (found := _request_in(message)) is not None:
            request, texts = found, []
        elif text := get_message_text(message).strip():
            texts.append(text)
    said = "，".join(texts)[:MAX_TEXT]
    if request is None and not said:
        raise UnreadableRequest("消息里没有要办的事：请用文字说明，或附上数据部分。")
    in_words = _with_words(request, said) if request else None
    return AgentTask(context=context, request=in_words, text=said, continues=len(messages) > 1)


def said_so_far(history: Iterable[Message], latest: Message) -> list[Message]:
    """The caller's messages of a task in their order, the latest once."""
    earlier = [m for m in history if m.role == Role.ROLE_USER and m.message_id != latest.message_id]
    return [*earlier, latest]


def response_parts(response: AgentResponse) -> list[Part]:
    """The answer twice: typed for programs, in words for everyone else."""
    return [new_data_part(response.model_dump(mode="json"), "application/json"), new_text_part(response.observation)]


def _request_in(message: Message) -> AgentRequest | None:
    found = [data for data in get_data_parts(message.parts) if isinstance(data, dict)]
    if not found:
        return None
    ours = next((data for data in found if "action_code" in data), None)
    if ours is None:
        if get_message_text(message).strip():  # a third party's own data beside a text: the text says what is wanted
            return None
        raise UnreadableRequest("请求的数据部分缺少 action_code。")
    try:
        return AgentRequest.model_validate(whole_numbers(ours))
    except ValidationError as error:
        fields = sorted({".".join(str(part) for part in one["loc"]) for one in error.errors()})
        raise UnreadableRequest(f"请求的数据部分有误，请检查：{'、'.join(fields[:5])}。") from None


def _with_words(request: AgentRequest, said: str) -> AgentRequest:
    if not said:
        return request
    actions = [
        action.model_copy(update={"job_desc": f"{action.job_desc}，{said}".lstrip("，")[:MAX_TEXT]})
        for action in request.action_code
    ]
    return request.model_copy(update={"action_code": actions})

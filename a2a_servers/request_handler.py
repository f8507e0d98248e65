"""The SDK's request handler, for answers that name only the task they continue."""

from collections.abc import AsyncGenerator

from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.types.a2a_pb2 import GetTaskRequest, Message, SendMessageRequest, Task


class FollowUpHandler(DefaultRequestHandler):
    """Gives an answer without a context that of its task: the SDK would make up a new one, which the task refuses."""

    async def on_message_send(self, params: SendMessageRequest, context: ServerCallContext) -> Message | Task:
        await self._in_its_context(params.message, context)
        answer: Message | Task = await super().on_message_send(params, context)
        return answer

    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        await self._in_its_context(params.message, context)
        async for event in super().on_message_send_stream(params, context):
            yield event

    async def _in_its_context(self, message: Message, context: ServerCallContext) -> None:
        """Raises TaskNotFoundError for a task that is not, or no longer, known."""
        if message.task_id and not message.context_id:
            task = await self.on_get_task(GetTaskRequest(id=message.task_id), context)
            message.context_id = task.context_id if task is not None else ""

"""The task-state machine: submitted → working → completed, input required, failed or canceled."""

import logging
from dataclasses import replace

from a2a.helpers import new_task, new_text_part
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types.a2a_pb2 import Message, TaskState

from a2a_servers.message_wire import UnreadableRequest, call_context, response_parts, said_so_far, task_of
from a2a_servers.outcome import BROKEN
from a2a_servers.travel_agent import TravelAgent
from core.shared import logging as house_logging
from core.shared.call_context import CallContext
from core.types.agent_protocol import INVALID_PARAMETER, UNKNOWN_OUTCOME, AgentResponse

log = logging.getLogger(__name__)

# One id, so that the answer after a question takes the place of an earlier one instead of standing beside it.
_ARTIFACT_ID = "answer"


class TravelAgentExecutor(AgentExecutor):
    """Drives a TravelAgent under a2a-sdk. No exception leaves it: the SDK would send its text to the client."""

    def __init__(self, agent: TravelAgent, longest_call_ms: int) -> None:
        self._agent = agent
        self._longest_call_ms = longest_call_ms

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        message = context.message or Message()
        if context.current_task is None:
            submitted = new_task(_id(context), _context_id(context), TaskState.TASK_STATE_SUBMITTED, history=[message])
            await event_queue.enqueue_event(submitted)
        updater = _updater(context, event_queue)
        await updater.start_work()
        calling = call_context(message, context.metadata, self._longest_call_ms)
        house_logging.trace_id.set(calling.trace_id)
        response = await self._respond(context, message, calling)
        log.info("task done", extra={"task": _id(context), "status": response.status})
        await _publish(response, updater)

    async def _respond(self, context: RequestContext, message: Message, calling: CallContext) -> AgentResponse:
        history = context.current_task.history if context.current_task else []
        try:
            task = task_of(said_so_far(history, message), calling)
            return await self._agent.handle_task(replace(task, context_id=_context_id(context)))
        except UnreadableRequest as error:
            return AgentResponse(status="failed", observation=str(error), code=INVALID_PARAMETER)
        except Exception:
            log.exception("task failed", extra={"task": _id(context)})
            return AgentResponse(status="failed", observation=BROKEN, code=UNKNOWN_OUTCOME)

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        await _updater(context, event_queue).cancel()


async def _publish(response: AgentResponse, updater: TaskUpdater) -> None:
    parts = response_parts(response)
    if response.status == "input_required":
        await updater.requires_input(updater.new_agent_message(parts))
        return
    await updater.add_artifact(parts, artifact_id=_ARTIFACT_ID, name="answer")
    if response.status == "failed":
        await updater.failed(updater.new_agent_message([new_text_part(response.observation)]))
    else:
        await updater.complete()


def _updater(context: RequestContext, event_queue: EventQueue) -> TaskUpdater:
    return TaskUpdater(event_queue, _id(context), _context_id(context))


def _id(context: RequestContext) -> str:
    return context.task_id or ""


def _context_id(context: RequestContext) -> str:
    # A follow-up that names only its task gets a fresh context id from the SDK, which its task does not have.
    return context.current_task.context_id if context.current_task else context.context_id or ""

"""Finished tasks in memory, bounded by number and age: the SDK's own store keeps every task for ever."""

from collections import OrderedDict
from dataclasses import dataclass

from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.server.tasks.task_store import TaskStore
from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse, Task, TaskState

from core.shared.clock import Clock

MAX_TASKS = 2_000
MAX_AGE_S = 3_600.0
_UNFINISHED = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)


@dataclass(frozen=True, slots=True)
class _Kept:
    saved_at: float
    context: ServerCallContext


class BoundedTaskStore(TaskStore):
    """The SDK's copying store, from which the oldest tasks go. A task that still runs is never dropped."""

    def __init__(self, clock: Clock, *, max_tasks: int = MAX_TASKS, max_age_s: float = MAX_AGE_S) -> None:
        self._store = InMemoryTaskStore()
        self._clock = clock
        self._max_tasks = max_tasks
        self._max_age_s = max_age_s
        self._idle: OrderedDict[str, _Kept] = OrderedDict()

    async def save(self, task: Task, context: ServerCallContext) -> None:
        await self._store.save(task, context)
        self._idle.pop(task.id, None)
        if task.status.state not in _UNFINISHED:
            self._idle[task.id] = _Kept(self._clock.monotonic(), context)
            await self._evict()

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        return await self._store.get(task_id, context)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        return await self._store.list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        self._idle.pop(task_id, None)
        await self._store.delete(task_id, context)

    async def _evict(self) -> None:
        too_old = self._clock.monotonic() - self._max_age_s
        while self._idle:
            task_id, kept = next(iter(self._idle.items()))
            if len(self._idle) <= self._max_tasks and kept.saved_at >= too_old:
                return
            await self.delete(task_id, kept.context)

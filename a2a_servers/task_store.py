"""Finished tasks in memory, bounded by number, age and bytes: the SDK's own store keeps every task for ever."""

from collections import OrderedDict
from dataclasses import dataclass

from a2a.server.context import ServerCallContext
from a2a.server.owner_resolver import resolve_user_scope
from a2a.server.tasks import InMemoryTaskStore
from a2a.server.tasks.task_store import TaskStore
from a2a.types.a2a_pb2 import ListTasksRequest, ListTasksResponse, Task, TaskState

from core.shared.clock import Clock

MAX_TASKS = 500
MAX_AGE_S = 900.0
MAX_BYTES = 4 * 1024 * 1024
_UNFINISHED = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)

_Key = tuple[str, str]
"""Owner and task id."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A task as the wire has it: its parsed form takes several times as much memory."""

    packed: bytes
    saved_at: float


class BoundedTaskStore(TaskStore):
    """Gives out copies, and lets the oldest tasks go. A task that still runs is never dropped."""

    def __init__(
        self, clock: Clock, *, max_tasks: int = MAX_TASKS, max_age_s: float = MAX_AGE_S, max_bytes: int = MAX_BYTES
    ) -> None:
        self._clock = clock
        self._max_tasks = max_tasks
        self._max_age_s = max_age_s
        self._max_bytes = max_bytes
        self._running: dict[_Key, bytes] = {}
        self._idle: OrderedDict[_Key, _Kept] = OrderedDict()
        self._idle_bytes = 0

    @property
    def stored_bytes(self) -> int:
        """What all tasks take, packed."""
        return self._idle_bytes + sum(map(len, self._running.values()))

    async def save(self, task: Task, context: ServerCallContext) -> None:
        key = _key(task.id, context)
        self._forget(key)
        packed = task.SerializeToString()
        if task.status.state in _UNFINISHED:
            self._running[key] = packed
            return
        self._idle[key] = _Kept(packed, self._clock.monotonic())
        self._idle_bytes += len(packed)
        self._evict()

    async def get(self, task_id: str, context: ServerCallContext) -> Task | None:
        packed = self._packed(_key(task_id, context))
        return None if packed is None else Task.FromString(packed)

    async def list(self, params: ListTasksRequest, context: ServerCallContext) -> ListTasksResponse:
        """The SDK's own listing, over the caller's tasks."""
        own = InMemoryTaskStore()
        owner = resolve_user_scope(context)
        for key in [*self._running, *self._idle]:
            if key[0] == owner and (packed := self._packed(key)) is not None:
                await own.save(Task.FromString(packed), context)
        return await own.list(params, context)

    async def delete(self, task_id: str, context: ServerCallContext) -> None:
        self._forget(_key(task_id, context))

    def _packed(self, key: _Key) -> bytes | None:
        kept = self._idle.get(key)
        return kept.packed if kept is not None else self._running.get(key)

    def _forget(self, key: _Key) -> None:
        self._running.pop(key, None)
        if (kept := self._idle.pop(key, None)) is not None:
            self._idle_bytes -= len(kept.packed)

    def _evict(self) -> None:
        too_old = self._clock.monotonic() - self._max_age_s
        while self._idle:
            key, kept = next(iter(self._idle.items()))
            fits = len(self._idle) <= self._max_tasks and self._idle_bytes <= self._max_bytes
            if fits and kept.saved_at >= too_old:
                return
            self._forget(key)


def _key(task_id: str, context: ServerCallContext) -> _Key:
    return resolve_user_scope(context), task_id

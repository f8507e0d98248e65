"""What an agent keeps of finished work is small, however many questions of its are never answered."""

import asyncio

import pytest
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import ListTasksRequest, Message, Part, Task, TaskState, TaskStatus

from a2a_servers.task_store import BoundedTaskStore
from core.shared.clock import ManualClock
from tests.a2a_servers.world import NOON, World, answer_in

CONTEXT = ServerCallContext()
QUESTIONS = 120


def parked() -> int:
    """Tasks of the SDK that keep a request of A2A alive."""
    return sum(task.get_name().startswith(("producer:", "consumer:")) for task in asyncio.all_tasks())


async def ask_back(world: World) -> str:
    task = await world.send({"data": {"action_code": [{"tool_name": "query train tickets", "parameter": {}}]}})
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    return str(task["id"])


@pytest.mark.wire
@pytest.mark.asyncio(loop_scope="module")
async def test_unanswered_questions_leave_no_live_tasks(world: World) -> None:
    before = parked()
    for _ in range(QUESTIONS // 8):
        await asyncio.gather(*(ask_back(world) for _ in range(8)))
    last = await ask_back(world)
    while parked() > before:
        await world.http.get("/health")
    assert (await world.rpc("GetTask", {"id": last}))["result"]["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"


@pytest.mark.wire
@pytest.mark.asyncio(loop_scope="module")
async def test_an_answer_that_comes_after_the_waiting_ended_continues_the_task(world: World) -> None:
    before = parked()
    task_id = await ask_back(world)
    while parked() > before:
        await world.http.get("/health")
    task = await world.send({"text": "明天北京到上海的高铁"}, taskId=task_id)
    assert (task["id"], answer_in(task)["status"]) == (task_id, "completed")


def big(name: str, state: TaskState = TaskState.TASK_STATE_INPUT_REQUIRED) -> Task:
    said = Message(message_id="m", parts=[Part(text="行" * 1000)])
    return Task(id=name, context_id="c", status=TaskStatus(state=state, message=said))


async def test_the_task_store_is_bounded_by_bytes() -> None:
    store = BoundedTaskStore(ManualClock(NOON), max_bytes=20_000)
    for number in range(50):
        await store.save(big(str(number)), CONTEXT)
        assert store.stored_bytes <= 20_000
    assert await store.get("0", CONTEXT) is None
    assert await store.get("49", CONTEXT) is not None


async def test_a_task_saved_again_is_counted_once() -> None:
    store = BoundedTaskStore(ManualClock(NOON))
    await store.save(big("a", TaskState.TASK_STATE_WORKING), CONTEXT)
    once = store.stored_bytes
    for _ in range(5):
        await store.save(big("a"), CONTEXT)
    assert store.stored_bytes == once
    await store.delete("a", CONTEXT)
    assert store.stored_bytes == 0


async def test_stored_tasks_can_be_listed() -> None:
    store = BoundedTaskStore(ManualClock(NOON))
    for name in ("a", "b"):
        await store.save(big(name), CONTEXT)
    found = await store.list(ListTasksRequest(), CONTEXT)
    assert {task.id for task in found.tasks} == {"a", "b"}

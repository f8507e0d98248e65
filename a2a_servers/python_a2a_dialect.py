"""python-a2a's wire format on the same agent: /tasks/send, /tasks/get, /tasks/cancel, and its older card.

Its client posts a task again after any error or time-out; here a task id runs once, whatever is posted.
"""

import asyncio
import json
import logging
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from a2a.server.request_handlers import RequestHandler
from a2a.server.routes import DefaultServerCallContextBuilder
from a2a.types.a2a_pb2 import CancelTaskRequest, GetTaskRequest, Message, SendMessageRequest, Task, TaskState
from a2a.utils.errors import A2AError
from fastapi import Request
from fastapi.responses import JSONResponse

from a2a_servers.python_a2a_wire import failed_json, message_of, task_json
from core.shared.json_types import JsonObject

log = logging.getLogger(__name__)

MAX_IDS = 500
MAX_MESSAGE_BYTES = 2_000_000
_TASK_NOT_FOUND = -32001
_NOT_CANCELABLE = -32002
_INVALID_REQUEST = -32600


@dataclass(frozen=True, slots=True)
class _Known:
    """A task id of python-a2a's, the task behind it and the message last taken for it."""

    task_id: str
    context_id: str
    session_id: str
    message: object
    size: int


class _Ids:
    """The ids last seen, bounded by their number and by the bytes of what was said with them."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._bytes = 0

    def get(self, id_: str) -> _Known | None:
        return self._known.get(id_)

    def remember(self, id_: str, known: _Known) -> None:
        """Keep it as the newest; the oldest go, though never this one."""
        self._drop(id_)
        self._known[id_] = known
        self._bytes += known.size
        while len(self._known) > 1 and (len(self._known) > MAX_IDS or self._bytes > MAX_MESSAGE_BYTES):
            self._drop(next(iter(self._known)))

    def _drop(self, id_: str) -> None:
        if (known := self._known.pop(id_, None)) is not None:
            self._bytes -= known.size


@dataclass(frozen=True, slots=True)
class _Call:
    """One posted body. `rpc_id` is None where the body came without a JSON-RPC envelope."""

    params: dict[str, Any]
    rpc_id: object
    enveloped: bool

    @property
    def id(self) -> str:
        return str(self.params.get("id") or "")

    def result(self, found: JsonObject) -> JSONResponse:
        return JSONResponse({"jsonrpc": "2.0", "id": self.rpc_id, "result": found} if self.enveloped else found)

    def error(self, code: int, message: str, status: int) -> JSONResponse:
        body = {"jsonrpc": "2.0", "id": self.rpc_id, "error": {"code": code, "message": message}}
        return JSONResponse(body, status)


class _UnreadableBody(Exception):
    """A body that is no JSON object."""


class PythonA2ADialect:
    """Three routes over one request handler. Remembers which ids it has seen lately."""

    def __init__(self, handler: RequestHandler) -> None:
        self._handler = handler
        self._known = _Ids()
        self._running: dict[str, asyncio.Task[JsonObject]] = {}
        self._contexts = DefaultServerCallContextBuilder()

    async def send(self, request: Request) -> JSONResponse:
        """Run the task, or join the run of the same id, or tell its result again."""
        try:
            call = await _read(request)
        except _UnreadableBody:
            return _unreadable()
        id_ = call.id or str(uuid.uuid4())
        running = self._running.get(id_)
        if running is None:
            running = asyncio.create_task(self._run(id_, call.params, request))
            self._running[id_] = running
            running.add_done_callback(lambda _: self._running.pop(id_, None))
        # Shielded: a client that gives up and posts again must find the first run still going.
        return call.result(await asyncio.shield(running))

    async def get(self, request: Request) -> JSONResponse:
        try:
            call = await _read(request)
            known = self._known_of(call)
            task = await self._stored(known, request)
        except _UnreadableBody:
            return _unreadable()
        except (KeyError, A2AError):
            return call.error(_TASK_NOT_FOUND, "Task not found", 404)
        return call.result(task_json(task, id_=call.id, session_id=known.session_id, message=known.message))

    async def cancel(self, request: Request) -> JSONResponse:
        try:
            call = await _read(request)
            known = self._known_of(call)
            cancelling = CancelTaskRequest(id=known.task_id)
            task = await self._handler.on_cancel_task(cancelling, self._contexts.build(request))
        except _UnreadableBody:
            return _unreadable()
        except KeyError:
            return call.error(_TASK_NOT_FOUND, "Task not found", 404)
        except A2AError:
            return call.error(_NOT_CANCELABLE, "Task cannot be canceled", 409)
        shown = task or Task()
        return call.result(task_json(shown, id_=call.id, session_id=known.session_id, message=known.message))

    async def _run(self, id_: str, params: dict[str, Any], request: Request) -> JsonObject:
        session_id = str(params.get("sessionId") or uuid.uuid4())
        try:
            return await self._run_or_replay(id_, session_id, params, request)
        except Exception:
            log.exception("task failed", extra={"task": id_})
            return failed_json(id_=id_, session_id=session_id)

    async def _run_or_replay(
        self, id_: str, session_id: str, params: dict[str, Any], request: Request
    ) -> JsonObject:
        known = self._known.get(id_)
        said = params.get("message")
        if known is not None:
            task = await self._stored(known, request)
            if task.status.state != TaskState.TASK_STATE_INPUT_REQUIRED or _same(known.message, said):
                return task_json(task, id_=id_, session_id=session_id, message=known.message)
        message = message_of(
            params, task_id=known.task_id if known else "", context_id=known.context_id if known else session_id
        )
        context = self._contexts.build(request)
        answer = await self._handler.on_message_send(SendMessageRequest(message=message), context)
        if isinstance(answer, Message):
            raise TypeError("the executor must answer with a task")
        size = len(json.dumps(said, ensure_ascii=False))
        self._known.remember(id_, _Known(answer.id, answer.context_id, session_id, said, size))
        return task_json(answer, id_=id_, session_id=session_id, message=said)

    def _known_of(self, call: _Call) -> _Known:
        if (known := self._known.get(call.id)) is None:
            raise KeyError(call.id)
        return known

    async def _stored(self, known: _Known, request: Request) -> Task:
        task = await self._handler.on_get_task(GetTaskRequest(id=known.task_id), self._contexts.build(request))
        return task or Task()


async def _read(request: Request) -> _Call:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise _UnreadableBody from error
    if not isinstance(body, dict):
        raise _UnreadableBody
    enveloped = "jsonrpc" in body
    params = body.get("params") if enveloped else body
    if not isinstance(params, dict):
        raise _UnreadableBody
    return _Call(params, body.get("id"), enveloped)


def _unreadable() -> JSONResponse:
    return _Call({}, None, True).error(_INVALID_REQUEST, "A JSON object with params was expected", 400)


def _same(earlier: object, later: object) -> bool:
    """Whether a message is a repetition. Clients make a new message id per attempt; what is said decides."""
    return _said(earlier) == _said(later)


def _said(message: object) -> object:
    return (message.get("content"), message.get("parts")) if isinstance(message, dict) else message

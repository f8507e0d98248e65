"""A language model's address that plays a script: real HTTP on a loopback port, down to bytes and cut sockets."""

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from core.shared.clock import Clock
from tests.support.whole import free_port

End = Literal["eof", "cut", "reset", "hang"]


@dataclass(frozen=True)
class Pause:
    """Seconds of the server's clock between two parts."""

    seconds: float


Part = bytes | Pause | asyncio.Event


@dataclass(frozen=True)
class Act:
    """One answer: each part of bytes is a chunk of its own; an event holds the rest back until a test sets it."""

    parts: Sequence[Part] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    end: End = "eof"


def body(payload: Any, *, status: int = 200, **headers: str) -> Act:
    """An answer with one JSON body."""
    names = {"content-type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
    return Act([json.dumps(payload, ensure_ascii=False).encode()], status, names)


def answer(text: str | None, *, finish: str | None = "stop", tokens: int = 11, **message: Any) -> Act:
    """A whole completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
    return body({"id": "c1", "choices": [choice], "usage": {"total_tokens": tokens}})


def error(status: int, message: str = "", *, code: str | None = None, **headers: str) -> Act:
    """OpenAI's shape of an error."""
    return body({"error": {"message": message, "code": code, "type": None}}, status=status, **headers)


def chunk(content: str | None = None, *, finish: str | None = None, **delta: Any) -> bytes:
    """One event of a stream."""
    choice = {"index": 0, "delta": {"content": content, **delta}, "finish_reason": finish}
    return event({"id": "c1", "object": "chat.completion.chunk", "choices": [choice]})


def event(payload: Any) -> bytes:
    return f"data: {json.dumps(payload, ensure_ascii=False)}\n\n".encode()


DONE = b"data: [DONE]\n\n"
STREAM = {"content-type": "text/event-stream"}


def streamed(*parts: Part, end: End = "eof") -> Act:
    """A stream of such events."""
    return Act(parts, headers=STREAM, end=end)


def said(*words: str, tokens: int = 11) -> Act:
    """A whole stream that ends as it should."""
    usage = event({"choices": [], "usage": {"total_tokens": tokens}})
    return streamed(*[chunk(word) for word in words], chunk("", finish="stop"), usage, DONE)


UNANSWERED = Act(status=0, end="hang")


@dataclass(frozen=True)
class Call:
    """What a client sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ModelServer:
    """Plays its acts in order, the last one again and again. `calls` are all requests, `left` the clients that went."""

    def __init__(self, port: int, clock: Clock) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.calls: list[Call] = []
        self.connections = 0
        self.called = asyncio.Event()
        self.left = asyncio.Event()
        self.answers: Callable[[dict[str, Any]], Act] | None = None
        """Chooses the act by the request, where the order of calls is not certain."""
        self._clock = clock
        self._acts: list[Act] = []

    def plays(self, *acts: Act) -> None:
        """From the next call on."""
        self.answers = None
        self._acts = list(acts)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept alive between answers."""
        self.connections += 1
        try:
            while call := await _request(reader):
                self.calls.append(call)
                self.called.set()
                if not await self._play(self._next(call), reader, writer):
                    break
        except ConnectionError:
            self.left.set()
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    def _next(self, call: Call) -> Act:
        if self.answers is not None:
            return self.answers(call.body)
        return self._acts.pop(0) if len(self._acts) > 1 else self._acts[0]

    async def _play(self, act: Act, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection may carry a further call."""
        if act.status:
            lines = [f"HTTP/1.1 {act.status} X", "transfer-encoding: chunked"]
            lines += [f"{name}: {value}" for name, value in act.headers.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode())
        for part in act.parts:
            if not await self._part(part, reader, writer):
                return False
        if act.end == "eof":
            writer.write(b"0\r\n\r\n")
        elif act.end == "hang":
            await reader.read()
            self.left.set()
        elif act.end == "reset":
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await writer.drain()
        return act.end == "eof"

    async def _part(self, part: Part, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Whether the client is still there after this part."""
        if isinstance(part, bytes):
            writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            await writer.drain()
            return True
        waiting = asyncio.create_task(self._clock.sleep(part.seconds) if isinstance(part, Pause) else _is_set(part))
        leaving = asyncio.create_task(reader.read(1))
        try:
            done, _ = await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (waiting, leaving):
                task.cancel()
            await asyncio.wait({waiting, leaving})
        if leaving in done:
            self.left.set()
        return leaving not in done


async def _is_set(gate: asyncio.Event) -> None:
    await gate.wait()


async def _request(reader: asyncio.StreamReader) -> Call | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    content = await reader.readexactly(int(headers.get("content-length", "0")))
    return Call(first.split()[1], headers, json.loads(content or b"{}"))


@contextlib.asynccontextmanager
async def model_server(clock: Clock) -> AsyncIterator[ModelServer]:
    """A running address; its connections are closed at the end."""
    port = free_port()
    server = ModelServer(port, clock)
    connections: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            connections.add(task)
            task.add_done_callback(connections.discard)
        with contextlib.suppress(asyncio.CancelledError):
            await server.serve(reader, writer)

    listening = await asyncio.start_server(serve, "127.0.0.1", port)
    try:
        yield server
    finally:
        listening.close()
        for task in connections:
            task.cancel()
        if connections:
            await asyncio.wait(set(connections))
        await listening.wait_closed()

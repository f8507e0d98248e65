"""One HTTP call through the OpenAI client, read as it comes: events or one body, whichever was asked for.

The client's own parsing is left out: it drops a missing finish_reason, fails on null choices with a bare TypeError,
takes an HTML page for an answer, and has no word for an event stream where JSON was asked.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING, Any

from core.adapters.llm.failures import TryFailed, broken
from core.adapters.llm.refusals import error_in, refusal, retry_after, status_in
from core.shared.clock import Clock
from core.shared.json_types import JsonObject, JsonValue

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

MOST_BYTES = 8_000_000
# After the last event only the end of the body is missing; having read it, the connection can be used again.
DRAIN_S = 0.2


class Refused(Exception):
    """An error with a status. `body` is for recognition only: it may quote the key or the prompt."""

    def __init__(self, failed: TryFailed, status: int, body: JsonValue) -> None:
        super().__init__(str(failed))
        self.failed = failed
        self.status = status
        self.body = body


async def payloads(client: "AsyncOpenAI", clock: Clock, request: dict[str, Any]) -> AsyncGenerator[JsonObject]:
    """The JSON objects of one answer. Raises Refused for an error with a status, TryFailed for a broken answer."""
    import httpx2
    import openai

    try:
        call = client.chat.completions.with_streaming_response.create(**request)
        async with call as response, contextlib.aclosing(_objects(response.iter_bytes())) as objects:
            async for payload in objects:
                if error_in(payload):
                    raise Refused(refusal(status_in(payload), payload), status_in(payload), payload)
                yield payload
    except openai.APIStatusError as error:
        raise _refused(error, clock) from None
    # `from None`: the client's exceptions hold the request, and with it key and prompt.
    except (openai.APIConnectionError, httpx2.RequestError, httpx2.StreamError) as error:
        raise broken(f"no connection, or one that broke ({_kind(error)})") from None


def _refused(error: "APIStatusError", clock: Clock) -> Refused:
    status = error.response.status_code
    try:
        body: JsonValue = json.loads(error.response.content)
    except (ValueError, RecursionError):
        body = error.response.text
    after_s = retry_after(error.response.headers, clock.now())
    return Refused(refusal(status, body, after_s=after_s), status, body)


def _kind(error: Exception) -> str:
    return type(error.__cause__ or error).__name__


async def _objects(chunks: AsyncIterator[bytes]) -> AsyncGenerator[JsonObject]:
    body = _Body()
    async for chunk in chunks:
        for data in body.take(chunk):
            yield _object(data)
        if body.is_done:
            await _drain(chunks)
            return
    for data in body.end():
        yield _object(data)


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            async for _ in chunks:
                pass


def _object(text: str) -> JsonObject:
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        raise broken("an answer that is no JSON") from None
    if not isinstance(payload, dict):
        raise broken("an answer that is no JSON object")
    return payload


class _Body:
    """Bytes cut anywhere, as the texts of JSON in them. A character is decoded only when its line is whole.

    Told apart by the first sign, since content types lie: `{` begins one body, `<` a page, all else are events.
    """

    def __init__(self) -> None:
        self.is_done = False
        """Whether the event that ends a stream was seen."""
        self._bytes = b""
        self._size = 0
        self._first = b""
        self._data: list[str] = []

    def take(self, chunk: bytes) -> list[str]:
        """What is whole by now."""
        self._bytes += chunk
        self._size += len(chunk)
        if self._size > MOST_BYTES:
            raise TryFailed("unusable", "the answer does not end")
        self._first = self._first or self._bytes.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        if self._first == b"<":
            raise broken("a page instead of an answer")
        if self._first in (b"{", b"["):
            return []
        *whole, self._bytes = self._bytes.split(b"\n")
        return self._events(whole)

    def end(self) -> list[str]:
        """What is left: the one body, or an event that lacks its empty line."""
        if self._first in (b"{", b"["):
            return [_decoded(self._bytes)]
        return self._events([self._bytes, b""])

    def _events(self, lines: list[bytes]) -> list[str]:
        """The data of events. A line of data that is whole by itself is one: some proxies leave empty lines out."""
        found: list[str] = []
        for line in lines:
            text = _decoded(line).rstrip("\r")
            if text.startswith("data:"):
                self._data.append(text[5:].strip())
            self.is_done = self.is_done or self._data[:1] == ["[DONE]"]
            if self.is_done:
                break
            if self._data and (not text or _is_whole("\n".join(self._data))):
                found.append("\n".join(self._data))
                self._data = []
        return found


def _is_whole(data: str) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise broken("an answer that is no UTF-8") from None

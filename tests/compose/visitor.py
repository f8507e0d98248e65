"""A client of the published port, with the standard library alone: it runs before any virtual environment is there."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

HOST, PORT = "127.0.0.1", 8888
TIMEOUT_S = 90


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass(frozen=True)
class Heard:
    """One event of a stream, and when its last line had come."""

    id: int
    name: str
    data: Any
    after_s: float


class Visitor:
    """Somebody with a token, or without."""

    def __init__(self, token: str | None = None) -> None:
        self._headers = {"Content-Type": "application/json"}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, body: Any = None) -> Answer:
        connection = HTTPConnection(HOST, PORT, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, body=_encoded(body), headers=self._headers)
            got = connection.getresponse()
            headers = {name.lower(): value for name, value in got.getheaders()}
            return Answer(got.status, headers, got.read().decode())
        finally:
            connection.close()

    def ask(self, query: str, **more: str) -> Any:
        """The Reply to a message."""
        answer = self.call("POST", "/api/chat", {"query": query, **more})
        assert answer.status == 200, f"{answer.status}: {answer.text[:400]}"
        return answer.json

    def listen(self, query: str, **more: str) -> Iterator[Heard]:
        """The events of the answer as they come."""
        connection = HTTPConnection(HOST, PORT, timeout=TIMEOUT_S)
        try:
            began = time.monotonic()
            body = _encoded({"query": query, **more})
            connection.request("POST", "/api/chat/stream", body=body, headers=self._headers)
            got = connection.getresponse()
            assert got.status == 200, got.read()[:400]
            assert (got.getheader("Content-Type") or "").startswith("text/event-stream")
            fields: dict[str, str] = {}
            for line in iter(got.readline, b""):
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                elif "event" in fields:
                    after_s = time.monotonic() - began
                    yield Heard(int(fields["id"]), fields["event"], json.loads(fields["data"]), after_s)
                    fields = {}
        finally:
            connection.close()


def _encoded(body: Any) -> bytes | None:
    return body if body is None or isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()

"""What travels beside every A2A message and MCP call: who asks, how long is left, what may be spent."""

import re
import secrets
from dataclasses import dataclass, replace

from core.shared.json_types import JsonObject, JsonValue

METADATA_KEY = "smartvoyage"

MOST_HOPS = 3
"""Agents that a call may pass through, one asking the next; a caller's own words may name a few more."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_LONGEST_PATH = 16


@dataclass(frozen=True, slots=True)
class CallContext:
    """The metadata of one call. `user_id` is empty where there is no person, which no name can be. `remaining_ms` is a
    duration, not a moment: clocks of two machines differ. `path` names the agents that the call has passed through; an
    agent that hides its name still counts in `hops`."""

    user_id: str
    session_id: str
    remaining_ms: int
    traceparent: str
    model_calls_left: int = 0
    wording: bool = True
    idempotency_key: str | None = None
    offer_id: str | None = None
    path: tuple[str, ...] = ()
    hops: int = 0

    @property
    def trace_id(self) -> str:
        return trace_id_of(self.traceparent)

    def child(self, *, remaining_ms: int | None = None, wording: bool | None = None) -> "CallContext":
        """The context for a call made while serving this one: a new span, the same trace."""
        return replace(
            self,
            traceparent=child_traceparent(self.traceparent),
            remaining_ms=self.remaining_ms if remaining_ms is None else remaining_ms,
            wording=self.wording if wording is None else wording,
        )

    def onward(self, agent: str, *, remaining_ms: int, model_calls: int) -> "CallContext":
        """The context for a question of this agent to another one: nothing that could place an order goes along."""
        return replace(
            self.child(remaining_ms=remaining_ms, wording=False),
            model_calls_left=model_calls, offer_id=None, idempotency_key=None,
            path=(*self.path, agent), hops=self.hops + 1,
        )

    def to_metadata(self) -> JsonObject:
        """The JSON form, under one key so that other extensions of the protocols are not disturbed."""
        inner: JsonObject = {
            "user_id": self.user_id,
            "session_id": self.session_id,
            "remaining_ms": self.remaining_ms,
            "model_calls_left": self.model_calls_left,
            "wording": self.wording,
        }
        if self.idempotency_key is not None:
            inner["idempotency_key"] = self.idempotency_key
        if self.offer_id is not None:
            inner["offer_id"] = self.offer_id
        if self.hops:
            inner |= {"path": list(self.path), "hops": self.hops}
        return {METADATA_KEY: inner, "traceparent": self.traceparent}


def from_metadata(metadata: JsonObject, *, default_remaining_ms: int) -> CallContext:
    """Read a context from foreign metadata. What is missing or of the wrong type takes a safe default; never raises."""
    found = metadata.get(METADATA_KEY)
    inner: JsonObject = found if isinstance(found, dict) else {}
    traceparent = metadata.get("traceparent")
    path = _names(inner.get("path"))
    return CallContext(
        user_id=_text(inner.get("user_id")) or "",
        session_id=_text(inner.get("session_id")) or "default",
        remaining_ms=max(0, min(_whole(inner.get("remaining_ms"), default_remaining_ms), default_remaining_ms)),
        traceparent=traceparent if isinstance(traceparent, str) and _is_traceparent(traceparent) else new_traceparent(),
        model_calls_left=max(0, _whole(inner.get("model_calls_left"), 0)),
        wording=inner.get("wording") is not False,
        idempotency_key=_text(inner.get("idempotency_key")),
        offer_id=_text(inner.get("offer_id")),
        path=path,
        hops=max(len(path), _whole(inner.get("hops"), 0)),
    )


def new_traceparent() -> str:
    """A fresh W3C traceparent (version 00, sampled)."""
    return f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"


def child_traceparent(parent: str) -> str:
    """The same trace, a new span."""
    return f"00-{trace_id_of(parent)}-{secrets.token_hex(8)}-01"


def trace_id_of(traceparent: str) -> str:
    """The 32 hex digits that name the trace."""
    return traceparent.split("-")[1]


def _is_traceparent(value: str) -> bool:
    parts = value.split("-")
    sizes_fit = [len(part) for part in parts] == [2, 32, 16, 2]
    return sizes_fit and all(c in "0123456789abcdef" for part in parts for c in part) and parts[1] != "0" * 32


def _names(value: JsonValue) -> tuple[str, ...]:
    names = value[:_LONGEST_PATH] if isinstance(value, list) else []
    return tuple(name if _NAME.fullmatch(name) else "?" for name in names if isinstance(name, str))


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and value else None


def _whole(value: JsonValue, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default

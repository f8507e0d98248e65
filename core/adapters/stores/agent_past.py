"""What an agent remembers of a conversation as text and back; on its way in it passes the mask."""

import json
from collections.abc import Callable
from dataclasses import replace

from core.language.frames import PastWish
from core.language.slots import slots_from_json
from core.shared.json_types import JsonObject, JsonValue
from core.types.agent_memory import NO_PAST, Past

MOST_CHARACTERS = 64 * 1024
"""Of one text; a longer one is kept without its rows, and without its wishes if they are too many."""

Masked = Callable[[JsonObject], JsonObject]
"""The same without numbers that name a person or an account."""


def to_text(past: Past, masked: Masked) -> str:
    for kept in (past, replace(past, shown=(), shown_kind="")):
        if len(text := _text(kept, masked)) <= MOST_CHARACTERS:
            return text
    return _text(NO_PAST, masked)


def from_text(text: str) -> Past:
    """What another release of this program wrote in a form of its own is not remembered."""
    try:
        found = json.loads(text)
        wishes = tuple(PastWish(wish["intent"], slots_from_json(wish["slots"])) for wish in found["wishes"])
        return Past(wishes, found["asked"], tuple(found["shown"]), found["shown_kind"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return NO_PAST


def _text(past: Past, masked: Masked) -> str:
    wishes: list[JsonValue] = [{"intent": wish.intent, "slots": wish.slots.to_json()} for wish in past.wishes]
    content: JsonObject = {
        "wishes": wishes, "asked": past.asked, "shown": list(past.shown), "shown_kind": past.shown_kind,
    }  # fmt: skip
    text = json.dumps(masked(content), ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8")  # half a character of a tool's does not fit a table

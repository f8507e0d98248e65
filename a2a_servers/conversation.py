"""What an agent remembers of its conversations, by their context id: the last wishes, its question, the rows shown.

Bounded like the store of finished tasks, and as short-lived: nothing of it is kept on disk. A follow-up in words
(那后天呢, 第二个) is read with it; a request in the house's own form brings all that it means.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from a2a_servers.task_store import MAX_AGE_S, MAX_TASKS
from core.language.frames import PastWish
from core.language.slots import slots_from_json
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.agent_protocol import AgentResponse

_MOST_ROWS = 20
_MIXED = "mixed"

Key = tuple[str, str]
"""The person, and the context id: who guesses another's context reads nothing of it."""


@dataclass(frozen=True, slots=True)
class Past:
    """The last turn of a conversation that asked for anything. `asked`: its answer was a question."""

    wishes: tuple[PastWish, ...] = ()
    asked: bool = False
    shown: tuple[JsonObject, ...] = ()
    shown_kind: str = ""


NO_PAST = Past()


class Conversations:
    """The conversations of one agent; the oldest go first."""

    def __init__(self, clock: Clock, *, most: int = MAX_TASKS, max_age_s: float = MAX_AGE_S) -> None:
        self._clock = clock
        self._most = most
        self._max_age_s = max_age_s
        self._kept: OrderedDict[Key, tuple[float, Past]] = OrderedDict()

    def past(self, key: Key) -> Past:
        """What is remembered; nothing for a conversation without an id."""
        said_at, past = self._kept.get(key, (0.0, NO_PAST))
        return past if key[1] and self._clock.monotonic() - said_at <= self._max_age_s else NO_PAST

    def remember(self, key: Key, wishes: Sequence[tuple[str, JsonObject]], response: AgentResponse) -> None:
        """A turn and its answer. One that asked for nothing leaves the memory as it is."""
        asked_for = tuple(wish for intent, slots in wishes if (wish := _wish(intent, slots)) is not None)
        if not asked_for or not key[1]:
            return
        past = Past(asked_for, asked=response.status == "input_required" and not response.quotes)
        if response.data is not None and response.data.kind != _MIXED:
            rows = tuple(response.data.rows[:_MOST_ROWS])
            past = replace(past, shown=rows, shown_kind=response.data.kind)
        self._kept[key] = (self._clock.monotonic(), past)
        self._kept.move_to_end(key)
        self._evict()

    def _evict(self) -> None:
        now = self._clock.monotonic()
        while self._kept:
            said_at, _ = next(iter(self._kept.values()))
            if len(self._kept) <= self._most and now - said_at <= self._max_age_s:
                return
            self._kept.popitem(last=False)


def _wish(intent: str, slots: JsonObject) -> PastWish | None:
    """None for parameters that are no slots."""
    try:
        return PastWish(intent, slots_from_json(slots))
    except ValueError:
        return None

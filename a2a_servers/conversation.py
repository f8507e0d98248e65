"""What an agent remembers of a turn: the last wishes, its question, the rows shown; and a memory of one process alone.

A follow-up in words (那后天呢, 第二个) is read with it; a request in the house's own form brings all that it means.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from a2a_servers.task_store import MAX_TASKS
from core.adapters.stores.agent_past import Masked, from_text, to_text
from core.language.frames import PastWish
from core.language.slots import slots_from_json
from core.ports.agent_memory import MAX_AGE_S
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.agent_memory import NO_PAST, Conversation, Past
from core.types.agent_protocol import AgentResponse

_MOST_ROWS = 20
_MIXED = "mixed"

_Key = tuple[str, str, str]


class ProcessMemory:
    """Implements the port AgentMemory for an agent without a database: nothing is kept on disk or shared with other
    replicas, and no erasure reaches it. The oldest conversations go first."""

    def __init__(
        self, clock: Clock, masked: Masked = dict, *, most: int = MAX_TASKS, max_age_s: float = MAX_AGE_S
    ) -> None:
        self._clock = clock
        self._masked = masked
        self._most = most
        self._max_age_s = max_age_s
        self._kept: OrderedDict[_Key, tuple[float, str]] = OrderedDict()

    async def past(self, conversation: Conversation) -> Past:
        said_at, text = self._kept.get(_key(conversation), (float("-inf"), ""))
        return from_text(text) if self._clock.monotonic() - said_at <= self._max_age_s else NO_PAST

    async def remember(self, conversation: Conversation, past: Past) -> None:
        if not conversation.context_id:
            return
        key = _key(conversation)
        self._kept[key] = (self._clock.monotonic(), to_text(past, self._masked))
        self._kept.move_to_end(key)
        self._evict()

    def _evict(self) -> None:
        now = self._clock.monotonic()
        while self._kept:
            said_at, _ = next(iter(self._kept.values()))
            if len(self._kept) <= self._most and now - said_at <= self._max_age_s:
                return
            self._kept.popitem(last=False)


def past_of(wishes: Sequence[tuple[str, JsonObject]], response: AgentResponse) -> Past | None:
    """A turn and its answer. One that asked for nothing leaves the memory as it is: None."""
    asked_for = tuple(wish for intent, slots in wishes if (wish := _wish(intent, slots)) is not None)
    if not asked_for:
        return None
    past = Past(asked_for, asked=response.status == "input_required" and not response.quotes)
    if response.data is None or response.data.kind == _MIXED:
        return past
    return replace(past, shown=tuple(response.data.rows[:_MOST_ROWS]), shown_kind=response.data.kind)


def _key(conversation: Conversation) -> _Key:
    return conversation.agent, conversation.user_id, conversation.context_id


def _wish(intent: str, slots: JsonObject) -> PastWish | None:
    """None for parameters that are no slots."""
    try:
        return PastWish(intent, slots_from_json(slots))
    except ValueError:
        return None

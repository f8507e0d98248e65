"""What in a turn speaks for a value that a model has filled in and the grammar has not read.

Nothing is filled in that nobody said: a value is believed only where words were left over that may have meant it, or
where it was said before.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.language.frames import Reading
from core.language.slots import Slots
from core.language.values import Act, Mention, Where
from core.types.memory import MemoryContext
from core.types.turn import Turn

_DAY_WORDS = re.compile(
    r"[0-9零一二三四五六七八九十两日天月周号年节假期末初旬晚早晨午夜今明昨后礼拜星元旦清端中秋国庆春除寒暑]"
)
_COUNT_WORDS = re.compile(r"[0-9零一二三四五六七八九十两俩仨们家口夫妻全对双]")
_PRICE_WORDS = re.compile(r"[0-9零一二三四五六七八九十百千万钱元块贵宜算价]")
_HINTS: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("date", "date_end", "time_after", "time_before", "arrive_after", "arrive_before"), _DAY_WORDS),
    **dict.fromkeys(("quantity", "adults", "children", "days"), _COUNT_WORDS),
    **dict.fromkeys(("price_min", "price_max"), _PRICE_WORDS),
}
PLACES = ("from_city", "to_city", "city", "destination")
_SHORTEST = 2
"""Characters of a stretch that may be a name; less is a particle or a verb that the tables do not know."""
_LITERAL = frozenset({"order_id", "train_no", "flight_no"})
"""Slots whose value must stand in the person's words or in the conversation as it is."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words that nobody read, and what was said before."""

    reading: Reading
    unread: tuple[str, ...]
    before: str
    """The conversation so far, as one text."""
    past: tuple[Slots, ...]

    def speaks_for(self, slot: str, value: object) -> bool:
        """Whether the person may have said this."""
        if self._said_before(slot, value):
            return True
        if slot in _LITERAL:
            return str(value).upper() in self.reading.text.upper()
        if slot in _HINTS:
            return any(_HINTS[slot].search(words) for words in self.unread)
        return any(len(words) >= _SHORTEST for words in self.unread) or value in self._places()

    def names(self, place: str) -> bool:
        """Whether the person named it, in this message or before, by any of its names."""
        read = {getattr(frame.slots, name) for frame in self.reading.frames for name in PLACES}
        return place in self.reading.text or place in self.before or place in self._places() | read

    @property
    def orders(self) -> bool:
        """The person's own words order something, and none of them refuses."""
        acts = [e.value for e in self.reading.expressions if isinstance(e.value, Act) and e.value.name == "order"]
        return bool(acts) and not any(act.denied for act in acts)

    @property
    def cancels(self) -> bool:
        """The person's own words cancel something."""
        mentions = (e.value for e in self.reading.expressions if isinstance(e.value, Mention))
        return any(mention.domain == "cancel" and not mention.denied for mention in mentions)

    def _said_before(self, slot: str, value: object) -> bool:
        if any(getattr(slots, slot) == value for slots in self.past):
            return True
        return any(form in self.before for form in _forms(value))

    def _places(self) -> set[str]:
        """Cities that were read in this message and belong to no wish yet."""
        wheres = (e.value for e in self.reading.expressions if isinstance(e.value, Where))
        return {city for where in wheres if not where.denied for city in where.place.cities}


def evidence_of(turn: Turn, reading: Reading) -> Evidence:
    """What the turn and its history say."""
    unread = tuple(reading.text[first:end] for first, end in reading.leftover)
    doubtful = tuple(
        reading.text[e.span[0] : e.span[1]] for e in reading.expressions if e.certainty < 1 and e.kind != "act"
    )
    memory = turn.memory
    return Evidence(reading, unread + doubtful, _told(memory), tuple(task.slots for task in memory.task_context.tasks))


def _told(memory: MemoryContext) -> str:
    said = [message.content for message in memory.short_term]
    return "\n".join([*said, *(fact.content for fact in memory.long_term), *map(str, memory.user_profile.values())])


def _forms(value: object) -> Iterator[str]:
    """How a value may stand in earlier messages. A bare number proves nothing."""
    if isinstance(value, dt.date):
        yield value.isoformat()
        yield f"{value.month}月{value.day}日"
        yield f"{value.month}月{value.day}号"
    elif isinstance(value, dt.time):
        yield value.isoformat("minutes")
    elif isinstance(value, str) and len(value) >= _SHORTEST:
        yield value

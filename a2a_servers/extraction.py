"""What a sentence asks of this agent: the port ParameterExtractor, and the rules that serve it without a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from a2a_servers.tools import Tool
from core.adapters.llm.allowance import Allowance
from core.language.frames import Frame, ReadContext, Reading, SkillWords, Trouble
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.agent_memory import NO_PAST, Past

Read = Callable[[str, datetime, ReadContext], Reading]
"""The grammar's door: core.language.read."""

_DAYS = ("days", "shift")
_DATES = frozenset({"date", "date_end"})


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing a sentence asks for, with the slots it names in the wire's spelling.

    `assumed`: slots that no word names, such as today for the weather; whoever finds a word for them is right.
    """

    intent: str
    parameter: JsonObject
    query: str
    troubles: tuple[Trouble, ...] = ()
    assumed: frozenset[str] = frozenset()


class ParameterExtractor(Protocol):
    async def wishes(
        self, text: str, tools: Sequence[Tool], allowance: Allowance | None = None, past: Past = NO_PAST
    ) -> tuple[Wish, ...]:
        """What the text asks for, in its order; only what some of `tools` can do. Never raises for odd text.

        Without an allowance no model is asked. `past`: what a text that leans on the conversation may lean on.
        """
        ...

    async def fill(self, tool: Tool, text: str, known: JsonObject, allowance: Allowance) -> JsonObject:
        """What the text says of this tool's parameters beyond those known and what `wishes` has read."""
        ...


class RulesExtractor:
    """Implements ParameterExtractor with the grammar, which learns the tools' own words."""

    def __init__(self, read: Read, clock: Clock) -> None:
        self._read = read
        self._clock = clock

    def reading(self, text: str, tools: Sequence[Tool], past: Past = NO_PAST) -> Reading:
        """The grammar's own account of the text."""
        words = tuple(SkillWords(tool.intent, tool.description, tool.tags, tool.examples) for tool in tools)
        known = ReadContext(words, past.wishes, past.asked, past.shown, past.shown_kind)
        return self._read(text, self._clock.now(), known)

    async def wishes(
        self, text: str, tools: Sequence[Tool], allowance: Allowance | None = None, past: Past = NO_PAST
    ) -> tuple[Wish, ...]:
        return wishes_in(self.reading(text, tools, past), tools)

    async def fill(self, tool: Tool, text: str, known: JsonObject, allowance: Allowance) -> JsonObject:
        return {}


def wishes_in(reading: Reading, tools: Sequence[Tool]) -> tuple[Wish, ...]:
    """The frames that some of the tools can serve."""
    offered = {tool.intent for tool in tools}
    return tuple(_wish_of(frame, reading) for frame in reading.frames if frame.intent in offered)


def _wish_of(frame: Frame, reading: Reading) -> Wish:
    dated = any(expression.kind in _DAYS for expression in reading.expressions)
    assumed = frozenset() if dated else _DATES
    return Wish(frame.intent, frame.slots.to_json(), frame.query, frame.troubles, assumed)


def laid_under(found: JsonObject, slots: JsonObject, assumed: frozenset[str]) -> JsonObject:
    """The slots with what was found beneath them; only what was merely assumed gives way."""
    return found | {name: value for name, value in slots.items() if name not in assumed or name not in found}

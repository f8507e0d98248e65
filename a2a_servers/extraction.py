"""What a sentence asks of this agent: the port ParameterExtractor, and the rules that serve it without a model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from a2a_servers.tools import Tool
from core.language.frames import Frame, ReadContext, Reading, SkillWords, Trouble
from core.shared.clock import Clock
from core.shared.json_types import JsonObject

Read = Callable[[str, datetime, ReadContext], Reading]
"""The grammar's door: core.language.read."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing a sentence asks for, with the slots it names in the wire's spelling."""

    intent: str
    parameter: JsonObject
    query: str
    troubles: tuple[Trouble, ...] = ()


class ParameterExtractor(Protocol):
    async def wishes(self, text: str, tools: Sequence[Tool]) -> tuple[Wish, ...]:
        """What the text asks for, in its order; only what some of `tools` can do. Never raises for odd text."""
        ...


class RulesExtractor:
    """Implements ParameterExtractor with the grammar, which learns the tools' own words."""

    def __init__(self, read: Read, clock: Clock) -> None:
        self._read = read
        self._clock = clock

    async def wishes(self, text: str, tools: Sequence[Tool]) -> tuple[Wish, ...]:
        words = tuple(SkillWords(tool.intent, tool.description, tool.tags, tool.examples) for tool in tools)
        reading = self._read(text, self._clock.now(), ReadContext(skills=words))
        offered = {tool.intent for tool in tools}
        return tuple(_wish_of(frame) for frame in reading.frames if frame.intent in offered)


def _wish_of(frame: Frame) -> Wish:
    return Wish(frame.intent, frame.slots.to_json(), frame.query, frame.troubles)

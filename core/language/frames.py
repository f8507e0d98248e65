"""The words of the grammar: what a reading of one sentence is made of; spans count characters as typed."""

from dataclasses import dataclass, field
from typing import Literal

from core.language.slots import Slots

Span = tuple[int, int]
"""From, to (exclusive), in characters of the text as the person typed it."""


@dataclass(frozen=True, slots=True)
class SkillWords:
    """An intent that some agent offers, in the agent's own words: the grammar learns it from tags and examples."""

    intent: str
    description: str = ""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadContext:
    """What the grammar may know besides the sentence."""

    skills: tuple[SkillWords, ...] = ()


@dataclass(frozen=True, slots=True)
class Expression:
    """Something a reader made of tokens: a date, a window of time, a place, a count, the mention of an intent …"""

    kind: str
    value: object
    span: Span
    certainty: float = 1.0


@dataclass(frozen=True, slots=True)
class Condition:
    """`when` of a frame: do this only if an earlier frame's result passes the test."""

    frame: int
    """Index of the frame whose result is looked at."""
    test: Literal["rain", "dry", "found", "none_found", "hot", "cold", "snow"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a frame cannot be run as it stands; the person is asked about it."""

    kind: Literal["missing", "past_date", "impossible_date", "unknown_place", "same_place", "ambiguous", "bad_count",
                  "unsupported"]
    slot: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One thing asked for. `query` is a self-contained Chinese rewriting with relative dates made absolute."""

    intent: str
    slots: Slots
    query: str
    spans: tuple[Span, ...] = ()
    certainty: float = 1.0
    when: Condition | None = None
    troubles: tuple[Trouble, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What the grammar made of one sentence."""

    text: str
    frames: tuple[Frame, ...] = ()
    expressions: tuple[Expression, ...] = ()
    leftover: tuple[Span, ...] = ()
    """Content characters that no expression used (punctuation, politeness and particles are not content)."""
    topic: Literal["travel", "greeting", "thanks", "farewell", "assistant", "memory", "other", "nothing"] = "nothing"
    """What a sentence without frames is about; `nothing`: no sense was found in it."""
    certain: bool = field(default=False)
    """Every content character was used and no expression is in doubt."""

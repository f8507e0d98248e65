"""The words of the grammar: what a reading of one sentence is made of; spans count characters as typed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.language.slots import Slots
from core.shared.json_types import JsonValue

Span = tuple[int, int]
"""From, to (exclusive), in characters of the text as the person typed it."""


Topic = Literal[
    "travel", "greeting", "thanks", "farewell", "assistant", "memory", "assent", "refusal", "other", "nothing"
]


@dataclass(frozen=True, slots=True)
class SkillWords:
    """An intent that some agent offers, in the agent's own words: the grammar learns it from tags and examples."""

    intent: str
    description: str = ""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PastWish:
    """A wish of the last turn that had any."""

    intent: str
    slots: Slots


@dataclass(frozen=True, slots=True)
class ReadContext:
    """What the grammar may know besides the sentence.

    `past`: the wishes of the last turn that had any; `asked`: our last reply was a question about them. `shown`: the
    rows last put before the person, in the order shown, one for each service; `shown_kind`: what they are (train,
    flight, concert, tour_group, car_rental, insurance, weather, attraction, order …). `home_city`: where the person
    usually sets out from.
    """

    skills: tuple[SkillWords, ...] = ()
    past: tuple[PastWish, ...] = ()
    asked: bool = False
    shown: tuple[Mapping[str, JsonValue], ...] = ()
    shown_kind: str = ""
    home_city: str | None = None


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
                  "unsupported", "no_such_item"]
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
    topic: Topic = "nothing"
    """What a sentence without frames is about; `nothing`: no sense was found in it. `assent` and `refusal` answer a
    question of ours and wish nothing themselves."""
    certain: bool = field(default=False)
    """Every content character was used and no expression is in doubt."""
    leaned: bool = False
    """History or the profile was needed to understand it: such a turn is never written to a cache."""

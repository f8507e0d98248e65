"""What expressions mean: one small frozen type per kind of reading."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from core.language.gazetteer import Place


@dataclass(frozen=True, slots=True)
class Days:
    """A day or a range of days. `trouble` says why it cannot be used as a date to travel on."""

    start: dt.date | None
    end: dt.date | None = None
    trouble: Literal["past_date", "impossible_date"] | None = None
    denied: bool = False
    """Said only to be taken back: 不是明天."""
    said: str = ""
    windows: tuple["Window", ...] = ()
    """The hours that were said with the day: 周五早上去，周日晚上回."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the day. `next_day`: hours after midnight of the evening that was named."""

    after: dt.time | None = None
    before: dt.time | None = None
    night_after: bool = False
    denied: bool = False
    arrives: bool = False
    """Hours of the arrival: 晚上八点前到."""

    def or_else(self, other: "Window") -> "Window":
        """From the beginning of the earlier one to the end of the later one."""
        after = min(self.after, other.after) if self.after and other.after else None
        before = max(self.before, other.before) if self.before and other.before else None
        return Window(after, before, arrives=self.arrives or other.arrives)


@dataclass(frozen=True, slots=True)
class Where:
    """A place as it was said. `rail` and `air` are what the same words mean on the railway and at an airport."""

    place: Place
    rail: Place | None = None
    air: Place | None = None
    said: str = ""
    denied: bool = False
    """Said only to be taken back: 不是北京."""
    from_past: bool = False
    """Known from an earlier turn or the profile: 那边, 老地方."""

    @property
    def city(self) -> str | None:
        return self.place.city


@dataclass(frozen=True, slots=True)
class Line:
    """Two cities in one word: 京沪."""

    start: Place
    end: Place


@dataclass(frozen=True, slots=True)
class Amount:
    """A count for a slot: tickets, adults, children, days."""

    slot: Literal["quantity", "adults", "children", "days"]
    number: int
    said: str = ""
    """The words, where they are no count (1.5)."""


@dataclass(frozen=True, slots=True)
class Price:
    """Bounds in yuan; `a_day`: of each day, not of all of them."""

    low: int | None = None
    high: int | None = None
    a_day: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A slot that one word fills: 二等座, 直飞, G1. `denied`: 不要经济舱, 除了高铁."""

    slot: str
    value: str
    denied: bool = False
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A word that names a kind of wish (机票, 天气). `weak` ones count only where nothing better is said."""

    domain: str
    denied: bool = False
    weak: bool = False
    slot: tuple[str, str] | None = None
    """What the word fills besides: 高铁 is a mention of trains and their type G."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is wished to be done: order or query; `denied`: 别给我订."""

    name: Literal["order", "query"]
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A word that gives others their role: from, to, fly, depart, back, round, there, if, then, else, stop …"""

    role: str


@dataclass(frozen=True, slots=True)
class Test:
    """What a condition looks at: rain, dry, none_found …"""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Words with a meaning for the query's text only, such as 七座."""

    text: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Words that stand where a place must stand and are in no table; `slot`: the place they stand for."""

    text: str
    slot: Literal["from_city", "to_city", "city"] = "city"


@dataclass(frozen=True, slots=True)
class Talk:
    """Words of conversation: greeting, thanks, farewell, assistant, memory, other."""

    topic: str


@dataclass(frozen=True, slots=True)
class Pick:
    """One of the rows last shown: by its place (第二个: 2, 最后一个: -1), or the one both know (就这趟: None)."""

    rank: int | None
    said: str


@dataclass(frozen=True, slots=True)
class Shift:
    """A day counted from the one talked about before: 往后推一天, 第二天, 那天 (0).

    `to_end`: the last day of the holiday that it belongs to.
    """

    days: int
    to_end: bool = False


@dataclass(frozen=True, slots=True)
class Compare:
    """Other rows than those shown: earlier, later, cheaper, faster, others."""

    name: str


Value = (
    Days | Window | Where | Line | Amount | Price | Word | Mention | Act | Mark | Test | Note | Unknown | Talk
    | Pick | Shift | Compare
)


@dataclass(frozen=True, slots=True)
class Found:
    """A value read from tokens first..end (exclusive)."""

    value: Value
    first: int
    end: int
    certainty: float = 1.0

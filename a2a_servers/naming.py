"""What the words name of the rows at hand: an area, a class, a brand or model, an insurance product, a tour.

The rows bring the names, so that none has to be known beforehand.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from a2a_servers.goods import goods
from a2a_servers.wording.bits import text
from a2a_servers.wording.items import car_name
from core.shared.json_types import JsonObject, JsonValue, Row

_SHORTEST_PART = 2
_NOT_WANTED = ("不要", "不想要", "不想坐", "不坐", "不选", "不租", "不订", "别要", "别订", "除了", "除")
_SAYS_NOTHING = (
    "保险", "旅游", "旅行", "出行", "境内", "意外险", "一日游", "两日游", "二日游", "三日游", "四日游", "五日游",
    "日游", "报名", "预订", "购买", "查询", "跟团游", "服务", "出发", "门票",
)
"""Words that are in many names and tell none of them from another."""


@dataclass(frozen=True, slots=True)
class _Naming:
    """How rows of a kind are called; `parameter`: the tool's and the slot's name for it; `partly`: a part will do."""

    parameter: str
    name: Callable[[Row], str]
    partly: bool = True


_NAMINGS: Mapping[str, _Naming] = {
    "train": _Naming("seat_class", lambda row: text(row, "seat_class"), partly=False),
    "flight": _Naming("cabin", lambda row: text(row, "cabin"), partly=False),
    "concert": _Naming("area", lambda row: text(row, "area")),
    "car_rental": _Naming("brand", car_name),
    "tour_group": _Naming("", lambda row: text(row, "name", "title")),
    "insurance": _Naming("", lambda row: text(row, "name", "title")),
}


@dataclass(frozen=True, slots=True)
class Named:
    """What was named. `said`: as the words and the names share it; `names`: those of the rows that are meant."""

    said: str
    names: frozenset[str]
    kind: str
    whole: bool

    @property
    def parameter(self) -> str:
        return _NAMINGS[self.kind].parameter

    @property
    def several_classes(self) -> bool:
        """Whether the words name two classes of one service: then they speak of two different things."""
        return self.whole and len(self.names) > 1 and bool(goods(self.kind).variant)

    def of(self, rows: Sequence[JsonObject]) -> list[JsonObject]:
        """The rows that are meant."""
        return [row for row in rows if _squeezed(_NAMINGS[self.kind].name(row)) in self.names]


def named_in(words: str, slots: JsonObject, kind: str, rows: Sequence[Row]) -> Named | None:
    """What of the rows' names the words name; None for nothing, or where a slot says it already."""
    naming = _NAMINGS.get(kind)
    if naming is None or slots.get("item_id") is not None or slots.get(naming.parameter) is not None:
        return None
    names = {squeezed for row in rows if (squeezed := _squeezed(naming.name(row)))}
    said = _squeezed(words)
    whole = {name for name in names if _wants(said, name)}
    whole = {name for name in whole if not any(name != other and name in other for other in whole)}
    if whole:
        return Named("、".join(sorted(whole)), frozenset(whole), kind, whole=True)
    return _named_partly(_telling(said, slots, kind), names, kind) if naming.partly else None


def _named_partly(said: str, names: set[str], kind: str) -> Named | None:
    parts = {name: part for name in names if (part := _longest_part(said, name))}
    if not parts:
        return None
    longest = max(map(len, parts.values()))
    meant = {name for name, part in parts.items() if len(part) == longest}
    if meant == names and len(names) > 1:
        return None  # a word that all have in common names none of them
    return Named(parts[min(meant)], frozenset(meant), kind, whole=False)


def _longest_part(said: str, name: str) -> str:
    """The longest piece of a name that stands in the words and is wanted; a mere number is none."""
    for size in range(len(name), _SHORTEST_PART - 1, -1):
        for start in range(len(name) - size + 1):
            part = name[start : start + size]
            if any(char.isalpha() for char in part) and "|" not in part and _wants(said, part):
                return part
    return ""


def _wants(said: str, name: str) -> bool:
    """Whether a name stands in the words at least once without a word of refusal before it."""
    pieces = said.split(name)
    return any(not before.endswith(_NOT_WANTED) for before, _ in pairwise(pieces))


def _telling(said: str, slots: JsonObject, kind: str) -> str:
    """The words without what has been understood already, and without what says nothing."""
    known = [_squeezed(value) for value in _texts(slots) if len(value) > 1]
    for word in sorted([*known, *goods(kind).words, *_SAYS_NOTHING], key=len, reverse=True):
        said = said.replace(word, "|")
    return said


def _texts(slots: Mapping[str, JsonValue]) -> list[str]:
    return [value for value in slots.values() if isinstance(value, str)]


def _squeezed(value: str) -> str:
    return "".join(value.split()).upper()

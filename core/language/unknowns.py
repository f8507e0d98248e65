"""Words that stand where a place must stand, and are in no table: 火星 in 明天火星天气."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from core.language.clauses import role_of
from core.language.gazetteer import other_names, places, short_names
from core.language.scan import Scene
from core.language.values import Found, Mention, Unknown, Where

_LONGEST = 10
_STRANGE_BEFORE = 2
"""Unknown characters before another name of a city that make it the end of a longer one."""
_FOREIGN = {"foreign"}
"""Cities abroad: known as words, so that they stay whole, but no places that can be served."""
_ABOUT_A_PLACE = {"weather", "attraction", "tour"}
_SLOT_AFTER: dict[str, Literal["from_city", "to_city", "city"]] = {
    "from": "from_city", "to": "to_city", "go": "to_city", "fly": "to_city", "back": "to_city", "place_is": "city",
}


def with_unknown_places(scene: Scene, founds: Sequence[Found]) -> list[Found]:
    """The values, with Unknown ones where unread words stand beside a marker of a place."""
    founds = _without_swallowed(scene, with_short_names(scene, founds))
    used = {place for found in founds for place in range(found.first, found.end)}
    added = list(founds)
    beside = _Beside({found.end: found for found in founds}, {found.first: found for found in reversed(founds)})
    for first, end in _unread_runs(scene, used):
        unknown = _as_place(scene, beside, first, end)
        if unknown is not None:
            added.append(scene.found(unknown, first, end, 0.5))
    added.extend(_after_place_is(scene, founds))
    return sorted(added, key=lambda found: (found.first, found.end))


def with_short_names(scene: Scene, founds: Sequence[Found]) -> list[Found]:
    """从沪到宁: a city by the one character of its railway lines, where a place must stand and nothing else does."""
    used = {place for found in founds for place in range(found.first, found.end)}
    marked = {found.end for found in founds if role_of(found) in ("from", "to", "dash")}
    added = list(founds)
    for place, token in enumerate(scene.tokens):
        city = short_names().get(token.text) if place in marked and place not in used and not token.meanings else None
        if city is not None and not any(_is_strange(scene, beside) for beside in (place - 1, place + 1)):
            added.append(scene.found(Where(places()[city], said=token.text), place, place + 1))
    return sorted(added, key=lambda found: (found.first, found.end))


def _is_strange(scene: Scene, place: int) -> bool:
    """Whether a character stands there that belongs to no word."""
    return 0 <= place < len(scene.tokens) and not scene.tokens[place].meanings and scene.text(place).isalnum()


def _without_swallowed(scene: Scene, founds: Sequence[Found]) -> list[Found]:
    """阿斯塔纳星城 is not 长沙: another name of a city, right behind unknown characters, is part of theirs."""
    return [
        found for found in founds
        if not (isinstance(found.value, Where) and found.value.said in other_names()
                and all(_is_strange(scene, found.first - n) for n in range(1, _STRANGE_BEFORE + 1)))
    ]


def _unread_runs(scene: Scene, used: set[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for place, token in enumerate(scene.tokens):
        inside = token.text in other_names() and _is_strange(scene, place - 1)
        if place in used or (token.meanings.keys() - _FOREIGN and not inside) or not token.text.isalnum():
            continue
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return [run for run in runs if 2 <= len(scene.said(*run)) <= _LONGEST]


@dataclass(frozen=True, slots=True)
class _Beside:
    """The values by the place where they end, and by the place where they begin."""

    ending: Mapping[int, Found]
    beginning: Mapping[int, Found]


def _as_place(scene: Scene, beside: _Beside, first: int, end: int) -> Unknown | None:
    before = beside.ending.get(first)
    after = beside.beginning.get(scene.skip_text(end, "的"))
    text = scene.said(first, end)
    if before is not None and (slot := _SLOT_AFTER.get(role_of(before) or "")):
        return Unknown(text, slot)
    if _alone_between(scene, first, end) or (scene.has(first, "foreign") and _asks_about_a_place(beside)):
        return Unknown(text, "city")
    if after is None:
        return None
    if role_of(after) in ("to", "fly", "go", "dash") and _is_place(beside.beginning.get(after.end)):
        return Unknown(text, "from_city")
    if isinstance(after.value, Mention) and after.value.domain in _ABOUT_A_PLACE:
        return Unknown(text, "city")
    return None


def _asks_about_a_place(beside: _Beside) -> bool:
    """纽约现在几度: a city abroad in a question about the weather, and no other place in it."""
    values = [found.value for found in beside.ending.values()]
    asks = any(isinstance(value, Mention) and value.domain == "weather" for value in values)
    return asks and not any(isinstance(value, Where) for value in values)


def _alone_between(scene: Scene, first: int, end: int) -> bool:
    """那东京呢, 换成东京: a foreign city that is all of the message; other unread words may be anything."""
    if not scene.has(first, "foreign"):
        return False
    before = all(scene.has(place, "there", "correct", "to", "go", "stop") for place in range(first))
    return before and all(scene.has(place, "ask", "stop", "polite") for place in range(end, len(scene.tokens)))


def _is_place(found: Found | None) -> bool:
    return found is not None and isinstance(found.value, Where)


def _after_place_is(scene: Scene, founds: Sequence[Found]) -> list[Found]:
    """城市是 %%%: whatever stands there up to the next comma."""
    added = []
    named = {found.first for found in founds if isinstance(found.value, Where)}
    for found in founds:
        if role_of(found) != "place_is":
            continue
        end = found.end
        while end - found.end < _LONGEST and scene.text(end) not in (",", "。", ";", "!", "?", ""):
            end += 1
        inside = any(place in named for place in range(found.end, end))
        text = scene.said(found.end, end)
        if text and not inside and not text.isalnum():
            added.append(scene.found(Unknown(text, "city"), found.end, end, 0.5))
    return added

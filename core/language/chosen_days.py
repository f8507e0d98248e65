"""Days that are to be found, not named: 哪天最便宜, 最便宜的一天, 不下雨的那几天; and days left open: 下周三以后."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace

from core.language.drafts import Draft
from core.language.scan import Scene
from core.language.slots import Slots
from core.language.values import Days, Found

DAYS_LOOKED_AT = 7
"""From the first day on, where nobody says how far: a week, today included."""

_WHICH = re.compile(r"哪一?[天日]|哪[几些][天日]|哪个日子|几号|什么时候(?!能?(?:发|开|到|起飞|出发|抵|降落|停|进站))")
_BEST = re.compile(r"最(?:便宜|低价|省钱|划算|实惠|快)的?(?:那|这)?一?(?:天|日子)")
_DRY = re.compile(r"(?:不会?下雨|没有?雨|无雨|天晴|晴天|晴朗|天气好)的?(?:那|这)?[几些一]?(?:天|日子|时候)")
_NO_RAIN = re.compile(r"不会?下雨|没有?雨|无雨|晴")
_RAIN = re.compile(r"下雨|有雨")
_ONWARD = re.compile(r"(?:那天|当天)?(?:以后|之后|往后|过后|起|开始|后)")
_ONWARD_BEGINS = frozenset("那当以之往过起开后")
_SORTS = ("price", "duration")
_BY_PRICE = ("train", "flight", "car")
_ON_SALE_OR_NOT = ("train", "flight")
_REACH = 2
"""Words after a day within which 以后 stands."""

_REACH_OF_DAYS = 4
"""Words after 不下雨 that say that its days are meant."""


def with_chosen_days(drafts: Sequence[Draft], scene: Scene) -> list[Draft]:
    """The drafts; those that look for a day say by what (`day_by`) and within which days."""
    if not any(_may_choose(draft) for draft in drafts):
        return list(drafts)
    tours = any(draft.domain.name == "tour" for draft in drafts)
    dry = tours and _DRY.search(scene.said(0, len(scene.tokens))) is not None
    chosen = [_chosen(draft, scene, dry) for draft in drafts]
    return [draft for draft in chosen if not (dry and _only_for_the_days(draft, scene, drafts))]


def _may_choose(draft: Draft) -> bool:
    return not draft.orders and draft.domain.name in ("train", "flight", "car", "weather", "tour")


def _only_for_the_days(draft: Draft, scene: Scene, drafts: Sequence[Draft]) -> bool:
    """A forecast that nobody asked for: it only tells which days are meant."""
    looked_at = any(other.looks_at == draft.wish for other in drafts)
    said = _DRY.sub("", _words_of(draft, scene))
    return draft.domain.name == "weather" and not looked_at and "天气" not in said


def _chosen(draft: Draft, scene: Scene, dry: bool) -> Draft:
    onward = any(_is_onward(found, scene) for found in draft.founds)
    by = _wanted(draft, scene, dry=dry, onward=onward) if _may_choose(draft) else None
    if by is None or any(trouble.slot == "date" for trouble in draft.troubles):
        return draft
    slots = _with_window(draft.slots, scene.today, onward=onward)
    return draft if slots.date_end is None else replace(draft, slots=replace(slots, day_by=by))


def _wanted(draft: Draft, scene: Scene, *, dry: bool, onward: bool) -> str | None:
    """By what the day is to be chosen; None where the day is not the question."""
    kind, sort = draft.domain.name, draft.slots.sort
    if kind == "tour":
        return "dry" if dry and draft.looks_at is None else None
    said = _words_of(draft, scene)
    which = bool(_WHICH.search(said) or _BEST.search(said))
    if kind == "weather":
        return _by_rain(said) if which or _DRY.search(_words_of(draft, scene, _REACH_OF_DAYS)) else None
    if kind in _BY_PRICE and sort in _SORTS and (which or (onward and kind != "car")):
        return sort
    return "found" if which and sort is None and kind in _ON_SALE_OR_NOT else None


def _by_rain(said: str) -> str | None:
    if _NO_RAIN.search(said):
        return "dry"
    return "rain" if _RAIN.search(said) else None


def _with_window(slots: Slots, today: dt.date, *, onward: bool) -> Slots:
    """A single day that was named without 以后 stays the only one."""
    if slots.date_end is not None or (slots.date is not None and not onward):
        return slots
    first = slots.date or today
    return replace(slots, date=first, date_end=first + dt.timedelta(days=DAYS_LOOKED_AT - 1))


def _is_onward(found: Found, scene: Scene) -> bool:
    if not isinstance(found.value, Days) or found.value.end is not None:
        return False
    if scene.text(found.end)[:1] not in _ONWARD_BEGINS:
        return False  # seen first, as there may be hundreds of days
    return _ONWARD.match(scene.said(found.end, found.end + _REACH)) is not None


def _words_of(draft: Draft, scene: Scene, beyond: int = 0) -> str:
    """The words from the first to the last that the draft was made of, and so many more."""
    if not draft.founds:
        return ""
    first = min(found.first for found in draft.founds)
    return scene.said(first, max(found.end for found in draft.founds) + beyond)

"""Two ways to travel put side by side: 高铁和飞机哪个便宜 asks for the best of each, so that they can be compared."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.language.drafts import Draft
from core.language.scan import Scene

_CHEAP, _QUICK = "(?:便宜|划算|省钱|实惠|合算)", "(?:快|省时间|省时|用时短|时间短)"
_ASKED = "(?:哪|谁|那)[一]?[个种样边趟班者]?(?:更|比较|最|要|会|票价|票)*{0}|{0}(?:些|点|一点|一些)?还是|比.{{1,8}}{0}"
_SORTS = (("price", re.compile(_ASKED.format(_CHEAP))), ("duration", re.compile(_ASKED.format(_QUICK))))


def with_comparison(drafts: Sequence[Draft], scene: Scene) -> list[Draft]:
    """The drafts; journeys that are compared are wished in the order by which they are."""
    compared = [draft for draft in drafts if draft.domain.is_transport and not draft.orders]
    if len(compared) < 2 or len({_way(draft) for draft in compared}) > 1:
        return list(drafts)
    said = scene.said(0, len(scene.tokens))
    sort = next((sort for sort, asked in _SORTS if asked.search(said)), None)
    return [_sorted(draft, sort) if sort and draft in compared else draft for draft in drafts]


def _way(draft: Draft) -> tuple[object, ...]:
    slots = draft.slots
    return slots.from_city, slots.to_city, slots.date


def _sorted(draft: Draft, sort: str) -> Draft:
    return draft if draft.slots.sort else replace(draft, slots=replace(draft.slots, sort=sort))

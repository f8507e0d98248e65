"""A profile and facts in words a person reads."""

from collections.abc import Sequence

from core.memory.travel_words import TRAIN_TYPES
from core.types.memory import Fact, Profile, ProfileValue

LABELS = {
    "seat_class": "席别", "seat_pref": "座位", "cabin": "舱位", "train_type": "车型", "airline": "航空公司",
    "direct": "直达", "home_city": "常住城市", "name": "称呼",
}
_ONE_AT_A_TIME = ("名字叫", "住在", "老家在", "一般从")
"""Facts of which only the newest holds."""


def preferences_in_words(profile: Profile) -> str:
    """席别二等座、座位靠窗; keys that somebody else has chosen stand as they are."""
    return "、".join(_preference(key, value) for key, value in profile.items())


def standing(facts: Sequence[Fact]) -> tuple[str, ...]:
    """The facts that hold, newest first."""
    seen, kept = set(), []
    for fact in reversed(facts):
        head = next((head for head in _ONE_AT_A_TIME if fact.content.startswith(head)), fact.content)
        if head not in seen:
            seen.add(head)
            kept.append(fact.content)
    return tuple(kept)


def value_in_words(key: str, value: ProfileValue) -> str:
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, list):
        return "和".join(value)
    return TRAIN_TYPES.get(str(value), str(value)) if key == "train_type" else str(value)


def _preference(key: str, value: ProfileValue) -> str:
    if key == "direct":
        return "只要直达" if value else "可以中转"
    said = value_in_words(key, value)
    return f"{LABELS[key]}{said}" if key in LABELS else f"{key}：{said}"

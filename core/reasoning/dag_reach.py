"""Which tools can begin at all: forwards from what is there, each need looked at once."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import TypeVar

NeedT = TypeVar("NeedT", bound=Hashable)


def able_to_begin(
    wanted: Mapping[int, Collection[NeedT]], sources: Mapping[NeedT, Iterable[tuple[int, str]]], met: Collection[NeedT]
) -> set[int]:
    """Of the tools in `wanted` (by place, with their needs) those whose needs are `met` or come from another of them.

    Linear in tools and in pairs of a need and its sources.
    """
    users, meets = _users(wanted), _meets(sources)
    there = set(met)
    missing = {place: len(set(needs) - there) for place, needs in wanted.items()}
    ready = [place for place, count in missing.items() if not count]
    able: set[int] = set()
    while ready:
        place = ready.pop()
        able.add(place)
        for need in meets[place] - there:
            there.add(need)
            for user in users[need]:
                missing[user] -= 1
                if not missing[user]:
                    ready.append(user)
    return able


def _users(wanted: Mapping[int, Collection[NeedT]]) -> Mapping[NeedT, list[int]]:
    users: dict[NeedT, list[int]] = defaultdict(list)
    for place, needs in wanted.items():
        for need in set(needs):
            users[need].append(place)
    return users


def _meets(sources: Mapping[NeedT, Iterable[tuple[int, str]]]) -> Mapping[int, set[NeedT]]:
    meets: dict[int, set[NeedT]] = defaultdict(set)
    for need, found in sources.items():
        for place, _ in found:
            meets[place].add(need)
    return meets

"""What is asked of sights beyond their names, and what can be said of it: prices, hours and marks change and are not
kept, so that they are said to be missing and never guessed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.language.numerals import value_of
from core.language.sights import Sight

_DETAILS = (
    ("评分", re.compile(r"评分|几分|打分|口碑|高分")),
    ("门票", re.compile(r"门票|票价|免费|免票|收费|要钱|多少钱|花钱")),
    ("开放时间", re.compile(r"几点[开关]|[开关闭][门馆]|开放|营业|什么时候[开关]")),
    ("地址", re.compile(r"地址|在哪|什么位置|什么地方")),
    ("电话", re.compile(r"电话")),
    ("游玩时长", re.compile(r"[玩逛](?:上|个)?(?:多久|多长|几个?小时|几天)|游玩时[间长]|[0-9一二两三四]个?小时")),
)
_AROUND = re.compile(r"周边|附近|周围|旁边")
_OTHERS = re.compile(r"别的|其他|其它|换一?[个批]|还有")
_PLACE = re.compile(r"第([0-9]{1,2}|[一二三四五六七八九十])[个处家]?")
_NO_SUCH = "刚才列出的里面没有这一处，请看一下前面的列表。"
_SHORTEST_NAME = 2
_LISTING = re.compile(r"景点|推荐|哪些|好玩|玩的|哪儿|哪里玩|有什么|有啥")


@dataclass(frozen=True, slots=True)
class SightAnswer:
    """The sights that are told, and the words before and after them."""

    sights: tuple[Sight, ...]
    before: str = ""
    after: str = ""


def answer_about(said: str, city: str, sights: Sequence[Sight], seen: Sequence[str]) -> SightAnswer:
    """What a message asks of a city's sights; `seen`: those that the person has before
    them, in their order."""
    if (chosen := _PLACE.search(said)) is not None and seen:
        number = int(chosen[1]) if chosen[1].isdigit() else value_of(chosen[1]) or 0
        picked = [sight for sight in sights if sight.name == dict(enumerate(seen, 1)).get(number)]
        missing = missing_in(said)
        return SightAnswer(tuple(picked), after=missing) if picked else SightAnswer((), before=_NO_SUCH)
    named = [sight for sight in sights if sight.name in said or _short(sight.name, city) in said]
    missing = missing_in(said)
    if named and not (_AROUND.search(said) or (_LISTING.search(said) and not missing)):
        return SightAnswer(tuple(named), after=missing)
    others = tuple(sight for sight in sights if sight not in named)
    if seen and missing and not _LISTING.search(said):
        return SightAnswer((), before=f"{missing}想了解哪一处的看点，告诉我名字就行。")
    if seen and _OTHERS.search(said) and set(seen) >= {sight.name for sight in others}:
        return SightAnswer((), before=f"{city}目前收录的就是刚才说的这几处，可以换个城市看看，或者看看当地的跟团游。")
    return SightAnswer(others, before=missing)


def missing_in(said: str) -> str:
    """One sentence about the details asked for; empty where none was."""
    asked = [name for name, words in _DETAILS if words.search(said)]
    return f"{'、'.join(asked)}我这里没有，请以景区公布的为准。" if asked else ""


def _short(name: str, city: str) -> str:
    """The name as people say it in its own city: 长城, 迪士尼."""
    bare = name.removeprefix(city)
    return bare if len(bare) >= _SHORTEST_NAME else name

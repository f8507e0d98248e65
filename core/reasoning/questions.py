"""What is said when a wish cannot be run as it stands: one clear Chinese question for each kind of trouble."""

from collections.abc import Callable, Sequence

from core.language.frames import Frame, Trouble
from core.language.gazetteer import abroad, cities, places
from core.language.guard_words import without_links
from core.reasoning.labels import label
from core.types.network import Skill

_MISSING = {
    "from_city": "从哪个城市出发",
    "to_city": "要去哪个城市",
    "city": "是哪个城市",
    "destination": "想去哪里",
    "date": "是哪一天",
    "artist": "想看哪位歌手",
    "quantity": "要几张",
    "order_id": "是哪一个订单",
    "item_id": "选哪一个",
}
_MOST_CITIES = 4
_LONGEST_SAID = 20
"""Characters of a person's own words that are worth repeating."""

CHANGE_OFFERED = "现在还不能直接改签，可以先取消原来的订单，再重新预订合适的班次"
"""改签 cannot be done; what can be done instead."""


def ask(frames: Sequence[Frame], skills: tuple[Skill, ...]) -> str:
    """One message that asks for everything that is missing or wrong, wish by wish; equal questions are put once."""
    about: dict[str, list[str]] = {}
    for frame in frames:
        if frame.troubles:
            about.setdefault(_about(frame), []).append(label(frame.intent, skills))
    named = len(frames) > 1
    lines = (f"{_names(names)}：{text}" if named else text for text, names in about.items())
    return "\n".join(lines)


def _names(names: Sequence[str]) -> str:
    return "和".join(dict.fromkeys(names))


def only_at_home(place: str) -> str:
    """What is said of a city or country abroad."""
    return f"目前只能查国内的城市，{place}还查不了。想去国内哪个城市，告诉我就行。"


def _about(frame: Frame) -> str:
    away = (abroad(trouble.said) for trouble in frame.troubles if trouble.kind == "unknown_place")
    if (place := next(filter(None, away), None)) is not None:
        return only_at_home(place)
    missing = [_MISSING.get(t.slot, "您的具体要求") for t in frame.troubles if t.kind == "missing"]
    wrong = [f"{_question(t, frame)}。" for t in frame.troubles if t.kind != "missing"]
    parts = list(dict.fromkeys(wrong))
    if missing:
        parts.append(f"请问{'、'.join(dict.fromkeys(missing))}？")
    return "".join(parts).replace("？。", "？")


def _question(trouble: Trouble, frame: Frame) -> str:
    said = " ".join(without_links(trouble.said).split())
    return _ASKED.get(trouble.kind, _ambiguous)(said if len(said) <= _LONGEST_SAID else "", trouble.slot, frame)


def _unknown_place(said: str, slot: str, frame: Frame) -> str:
    return f"没有找到“{said}”这个地方，请确认一下城市名称" if said else "请告诉我是哪个城市"


def _ambiguous(said: str, slot: str, frame: Frame) -> str:
    """With the choices, where they are known: a province's cities, the cities that have such a district."""
    if "还是" in said:
        return f"请确认一下，您指的是{said}"
    if slot == "item_id":
        return "您指的是刚才列出的哪一个？请说第几个，或者说它的名称"
    if found := _cities_of(said):
        some = "、".join(found[:_MOST_CITIES])
        wide = f"{said}范围比较大，请问是哪个城市？比如{some}"
        return wide if _is_province(said) else f"“{said}”在{some}都有，请问是哪一个"
    return f"“{said}”可能有几种意思，请说得具体一点" if said else "请说得具体一点"


def _no_such_item(said: str, slot: str, frame: Frame) -> str:
    what = "订单" if frame.intent in ("query orders", "cancel order") else "内容"
    return f"刚才列出的{what}里没有{f'“{said}”' if said else '这一项'}，请看一下前面的列表，再告诉我选第几个"


def _unsupported(said: str, slot: str, frame: Frame) -> str:
    if slot != "action":
        return f"{said or '这个要求'}暂时办不了，请换个要求再试试"
    if frame.slots.order_id:
        return f"{CHANGE_OFFERED}。需要我先为您取消这笔订单吗？"
    return f"{CHANGE_OFFERED}。要取消哪一笔，告诉我订单号或车次就行"


def _is_province(said: str) -> bool:
    place = places().get(said)
    return place is not None and place.kind == "province"


def _cities_of(said: str) -> tuple[str, ...]:
    place = places().get(said)
    if place is None:
        return ()
    if place.kind == "province":
        return tuple(city for city, province in cities().items() if province == place.name)
    return place.cities if len(place.cities) > 1 else ()


_ASKED: dict[str, Callable[[str, str, Frame], str]] = {
    "past_date": lambda said, *_: f"{said or '这个日期'}已经过去了，请告诉我一个今天或以后的日期",
    "impossible_date": lambda said, *_: f"日历上没有{said or '这一天'}，请再确认一下日期",
    "unknown_place": _unknown_place,
    "same_place": lambda said, *_: f"出发地和目的地都是{said or '同一个城市'}，请告诉我要去哪个城市",
    "bad_count": lambda said, *_: f"数量“{said}”不对，请告诉我一个大于零的数量",
    "ambiguous": _ambiguous,
    "no_such_item": _no_such_item,
    "unsupported": _unsupported,
}

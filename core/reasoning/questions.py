"""What is said when a wish cannot be run as it stands: one clear Chinese question for each kind of trouble."""

from collections.abc import Callable, Sequence

from core.language.frames import Frame, Trouble
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

_ASKED: dict[str, Callable[[Trouble], str]] = {
    "past_date": lambda t: f"{t.said or '这个日期'}已经过去了，请告诉我一个今天或以后的日期",
    "impossible_date": lambda t: f"日历上没有{t.said or '这一天'}，请再确认一下日期",
    "unknown_place": lambda t: f"没有找到“{t.said}”这个地方，请确认一下城市名称" if t.said else "请告诉我是哪个城市",
    "same_place": lambda t: f"出发地和目的地都是{t.said or '同一个城市'}，请告诉我要去哪个城市",
    "bad_count": lambda t: f"数量“{t.said}”不对，请告诉我一个大于零的数量",
    "ambiguous": lambda t: (
        f"请确认一下，您指的是{t.said}" if "还是" in t.said else f"“{t.said}”可以有不止一种理解，请说得具体一点"
    ),
}


def ask(frames: Sequence[Frame], skills: tuple[Skill, ...]) -> str:
    """One message that asks for everything that is missing or wrong, wish by wish."""
    asking = [frame for frame in frames if frame.troubles]
    named = len(frames) > 1
    sentences = [_about(frame, label(frame.intent, skills) if named else "") for frame in asking]
    return "\n".join(dict.fromkeys(sentences))


def _about(frame: Frame, name: str) -> str:
    missing = [_MISSING.get(t.slot, t.slot) for t in frame.troubles if t.kind == "missing"]
    wrong = [f"{_ASKED.get(t.kind, _ASKED['ambiguous'])(t)}。" for t in frame.troubles if t.kind != "missing"]
    parts = list(dict.fromkeys(wrong))
    if missing:
        parts.append(f"请问{'、'.join(dict.fromkeys(missing))}？")
    return (f"{name}：" if name else "") + "".join(parts)

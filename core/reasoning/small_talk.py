"""What is said to a message that wishes nothing we can do: a greeting is greeted, thanks are taken, a no is short."""

import re
from collections.abc import Sequence

from core.language.consent import read_consent
from core.language.frames import Reading
from core.language.gazetteer import abroad
from core.language.values import Pick, Where
from core.reasoning.labels import abilities, all_abilities, looked_up
from core.reasoning.questions import only_at_home
from core.types.network import Skill
from core.types.understanding import Understanding

_POLITE = {
    "greeting": "您好，我是智途旅行助手。想去哪里、哪天出发，告诉我就行，比如“明天北京到上海的高铁，再看看上海天气”。",
    "thanks": "不客气，祝您旅途愉快！",
    "farewell": "再见，祝您一路顺风！",
    "assent": "好的，请告诉我接下来想查什么。",
    "memory": "这件事我还没有记着。您告诉我的偏好和要点，我会记下来。",
}
_SORRY = {"travel": "这件事我还帮不上忙。"}
_NOTHING_TO_CHOOSE = "现在没有可以挑选的内容。请告诉我想查什么，查到后说第几个就行。"
_NOTHING_TO_CONFIRM = "现在没有等您确认的报价。想订什么，告诉我就行。"
_OUTSIDE = "抱歉，这不在我的服务范围内。"
_ELSEWHERE = (
    ("酒店住宿", re.compile(r"酒店|宾馆|民宿|住宿|旅馆|客栈|青旅|住的地方|房间|入住")),
    ("吃饭的地方", re.compile(r"餐|饭店|饭馆|菜馆|美食|小吃|好吃|吃什么|吃饭|想吃|火锅|烤鸭|[荐牌色]菜|哪家店")),
    ("打车、地铁这些市内交通", re.compile(r"打车|打的|出租|网约车|叫车|叫个车|叫辆车|滴滴|车牌|地铁|公交|几号线")),
)
"""What belongs to a journey and is not looked up here."""

_OF_A_CITY = ("天气", "景点", "火车票", "机票")
"""What is worth naming to who spoke of a city."""


def without_wish(reading: Reading, skills: tuple[Skill, ...]) -> Understanding:
    """The reply to a sentence without frames."""
    topic = reading.topic
    if topic in ("travel", "nothing") and any(isinstance(expression.value, Pick) for expression in reading.expressions):
        return Understanding("not_understood", message=_NOTHING_TO_CHOOSE)
    if topic in ("travel", "nothing") and (place := abroad(reading.text)) is not None:
        return Understanding("out_of_scope", message=only_at_home(place))
    if topic == "nothing":
        return Understanding("not_understood", message=not_understood(skills))
    if topic == "refusal":
        return Understanding("withdrawn", message="好的，那就先不查了。需要时随时告诉我。")
    if topic == "assent" and _confirms(reading.text):
        return Understanding("told", message=_NOTHING_TO_CONFIRM)
    if topic == "assistant":
        return Understanding("out_of_scope", message=f"我是智途旅行助手，专门帮您安排出行。{all_abilities(skills)}")
    if topic in _POLITE:
        return Understanding("out_of_scope", message=_POLITE[topic])
    sorry = _SORRY.get(topic) or _not_here(reading.text) or _OUTSIDE
    return Understanding("out_of_scope", message=sorry + _instead(reading, skills))


def _not_here(said: str) -> str:
    """Named by what it is, so that nobody asks again in other words; empty for what is no part of a journey."""
    named = [name for name, words in _ELSEWHERE if words.search(said)]
    return f"抱歉，{'和'.join(named)}我还查不了。" if named else ""


def _confirms(text: str) -> bool:
    """确认, 订吧: clear words of agreement, and not just 好的."""
    heard = read_consent(text)
    return heard.kind == "yes" and heard.firm


def not_understood(skills: tuple[Skill, ...]) -> str:
    return f"抱歉，我没有听懂，请换个说法。{abilities(skills)}"


def _instead(reading: Reading, skills: tuple[Skill, ...]) -> str:
    """A few things that can be done, of the city that was named where there is one."""
    city = _city_in(reading)
    names = [name for name in _OF_A_CITY if name in looked_up(skills)]
    if city is None or not names:
        return abilities(skills)
    return f"{city}的{'、'.join(names)}我可以帮您查，要看看吗？"


def _city_in(reading: Reading) -> str | None:
    values: Sequence[object] = [expression.value for expression in reading.expressions]
    return next((value.place.city for value in values if isinstance(value, Where) and value.place.city), None)

"""Where a person lives and where journeys begin, from their own words."""

import re

from core.memory.sayings import Clause
from core.memory.travel_words import city_at

_LIVES = re.compile(
    r"(我们?家?|本人|咱家?)?(现在|目前|已经|就|一直|平时|长期|都)*(常住地?(在|是)?|定居在?|长住在?|常驻在?|住在|住|家在|家住在?|安家在)(?P<place>.+)"
)
_MOVED = re.compile(r"(我们?|已经|刚|最近)*(搬家?|搬)(到|去|来)(了)?(?P<place>.+?)了?$")
_STARTS = re.compile(
    r"(一般|通常|平时|平常|总是|都|每次|以后|习惯|基本上|默认|向来)(都|是|会|就)*(从|由|在)(?P<place>.+?)(市)?(出发|走|飞|坐车|上车|起飞|登机|出门|动身)"
)
_DEFAULT = re.compile(r"出发(城市|地|站)?(都|一般|默认)?(设为|设成|默认为|默认是|默认|是|为)(?P<place>.+)")
_LEFT = re.compile(r"不(在)?住(在)?(?P<place>[^了]+?)了|搬离了?(?P<other>.+?)了?$")
_STAY = re.compile(
    r"湾|景区|海边|酒店|宾馆|民宿|旅馆|饭店|客栈|招待所|附近|旁边|那边|[几两一二三四五六七八九十\d][天晚夜]|想|打算|准备|要|会|可以|能|哪|这里|那里"
)
_OTHERS_HOME = re.compile(
    r"他|她|朋友|同事|同学|亲戚|客户|老板|父母|爸|妈|爷|奶|外婆|外公|姥|儿子|女儿|孩子|老婆|老公|对象|您|你"
)


def home_of(clause: Clause) -> str | None:
    """The city that a clause calls home or the usual place of departure."""
    text = clause.text.strip()
    if _OTHERS_HOME.search(text) or clause.asks:
        return None
    if found := _STARTS.search(text) or _DEFAULT.search(text):
        return None if _denied(text) else _city(found["place"])
    return None if clause.this_time else lives_in(text)


def lives_in(text: str) -> str | None:
    """The city a person says to live in."""
    if _STAY.search(text) or _denied(text):
        return None
    found = _MOVED.search(text) or _LIVES.match(text)
    return _city(found["place"]) if found else None


def left_home(text: str) -> str | None:
    """The city a person says to live in no more."""
    found = _LEFT.search(text)
    return _city(found["place"] or found["other"]) if found else None


def usual_start(text: str) -> str | None:
    """The city from which a person says to set out as a rule."""
    found = _STARTS.search(text)
    return _city(found["place"]) if found and not _denied(text) else None


def _city(said: str) -> str | None:
    found = city_at(said.lstrip("在是为了 "))
    return found[0] if found else None


def _denied(text: str) -> bool:
    return "不" in text or "没" in text

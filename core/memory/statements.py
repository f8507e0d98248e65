"""Which clauses of a message only tell about the person who wrote it, and which are a wish."""

import re

from core.memory.facts import facts_of
from core.memory.preferences import KEEP, lasting_from, preferences_of
from core.memory.sayings import Clause, clauses, not_to_be_kept
from core.types.memory import Profile

_POLITE = re.compile(
    r"^[，,\s]*(你好|您好|嗨|对了|嗯+|好的?|谢谢|请|麻烦|帮我|你?要?给我|把这个|这个|这些|我)*[吧啊呀哦呢了嘛]?[，,\s]*$"
)
_WISH = re.compile(r"查|搜|找|推荐|看看|看一下|多少|有没有|(?<!搬)(?<!搬家)[去到]|旅游|玩|取消|退|改签")
_BUYS = re.compile(r"订|买|购|预定")


def wish_part(message: str, profile: Profile) -> str:
    """The message without the clauses that only tell about the person: 我喜欢靠窗，帮我查… is asked as 帮我查….

    The whole message where nothing would be left, or where there is nothing to leave out.
    """
    telling = _telling(message, profile)
    if not telling or only_tells(message, profile):
        return message
    kept, place = "", 0
    for clause in telling:
        kept += message[place : clause.start]
        place = clause.end
    kept += message[place:]
    return re.sub(r"^[\s，,。；;！!]+|(?<=[，,。；;])[，,；;]+", "", kept) or message


def only_tells(message: str, profile: Profile) -> bool:
    """Whether the message says nothing but what is to be remembered: 我一般坐二等座, 我要靠窗，记一下."""
    telling = _telling(message, profile)
    others = (clause for clause in clauses(message) if clause not in telling)
    return bool(telling) and all(_is_idle(clause.text) for clause in others)


def _telling(message: str, profile: Profile) -> list[Clause]:
    if not_to_be_kept(message):
        return []
    asked_to_keep = bool(KEEP.search(message))
    found, lasting = [], False
    for clause in clauses(message):
        lasting = lasting_from(clause, lasting)
        if _tells(clause, profile, lasting=asked_to_keep or lasting):
            found.append(clause)
    return found


def _tells(clause: Clause, profile: Profile, *, lasting: bool) -> bool:
    text = clause.text
    if clause.asks or clause.this_time or _WISH.search(text) or (_BUYS.search(text) and not lasting):
        return False
    said = f"{text}，记一下" if lasting else text
    return bool(facts_of(text) or preferences_of(said, profile))


def _is_idle(text: str) -> bool:
    return bool(_POLITE.match(KEEP.sub("", text)))

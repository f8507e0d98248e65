"""A message in clauses, and what can be said of each: a question, hearsay, somebody else's words, this time only."""

import re
from dataclasses import dataclass

_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"|《[^》]*》|‘[^’]*’")
_ENDS = re.compile(r"([，,。！!？?；;：:\n\t]|(?<![A-Za-z])\s+(?![A-Za-z])|\s{2,})")
_WISH_AS_QUESTION = re.compile(r"[，,]?(好吗|可以吗|行吗|好不好|行不行|可以不|成吗|能记住吗)[。!！~～]*$")
_QUESTION = re.compile(
    r"吗|什么|多少|几[点个班趟]|哪|谁|是不是|有没有|怎么|如何|为什么|会不会|能不能|可不可以|要不要|呢$|么$|多久|还记得|记得"
)
_HEARSAY = re.compile(
    r"听说|据说|他说|她说|他们说|人家说|写着|写道|写的是|上说|里说|[攻策]略|网上|网友|新闻|文章|文档|邮件|客服说|你说|您说|假如|如果|要是|万一"
)
_REPORT_OPENS = re.compile(
    r"(说|写着|写道|写的是|内容|如下|原文|转发|摘录|翻译|攻略|文章|帖子|游记|笔记|邮件|短信|通知|公告|新闻|评论|网页|文档|资料|这段话?|这条|以下|下面)(了|过|是)?$"
)
_NOT_TO_KEEP = re.compile(
    r"((?<!特)别|不要|不用|无需|不必|甭)(再)?(帮我|给我|把这个|把它|把这些)?(记|保存|存|留)(住|下|着|了|录|下来|在)?"
)
_THIS_TIME = re.compile(
    r"今天|今晚|今早|明天|明早|明晚|后天|大后天|昨天|这次|这回|这趟|这几天|这两天|本次|临时|暂时|偶尔|有时|下周|这周|本周|周末|周[一二三四五六日天]|"
    r"星期|下个?月|这个?月|\d+[月号日]|[一二三四五六七八九十]+[月号日]|国庆|春节|元旦|五一|十一|中秋|端午|清明|上次|刚才|出差"
)

_AS_A_RULE = re.compile(r"每次|每周|每天|每个|平时|一般|通常|经常|总是")


LONGEST_CLAUSE = 200
"""Nobody states a preference in more characters; what is longer was pasted, and would only cost time."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as it was said, with its place in the message."""

    text: str
    start: int
    end: int
    asks: bool

    @property
    def this_time(self) -> bool:
        """It speaks of one journey or one day."""
        return bool(_THIS_TIME.search(self.text)) and not _AS_A_RULE.search(self.text)


def clauses(message: str) -> tuple[Clause, ...]:
    """The clauses in which a person speaks, quotations blanked out; what somebody else said or wrote is left out."""
    said = _QUOTED.sub(lambda quoted: "　" * len(quoted.group()), message)
    found, place, pieces = [], 0, _ENDS.split(said)
    for text, end in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        if _REPORT_OPENS.search(text.strip()) and end in ("：", ":"):
            break  # all that follows is the report
        if text.strip() and len(text) <= LONGEST_CLAUSE and not _HEARSAY.search(text):
            found.append(Clause(text, place, place + len(text), _asks(text, end)))
        place += len(text) + len(end)
    return tuple(found)


def not_to_be_kept(message: str) -> bool:
    """The person says that nothing of this is to be remembered."""
    return bool(_NOT_TO_KEEP.search(message))


def _asks(text: str, end: str) -> bool:
    plain = _WISH_AS_QUESTION.sub("", text)
    return (plain == text and (end in ("？", "?") or bool(_QUESTION.search(text)))) or bool(_QUESTION.search(plain))

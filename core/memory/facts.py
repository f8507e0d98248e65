"""Durable facts that a person states, by rules, in Chinese without a subject: 对海鲜过敏, 一般从苏州出发."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from core.memory.companions import companions_in
from core.memory.homes import lives_in, usual_start
from core.memory.names import name_in
from core.memory.sayings import Clause, clauses, not_to_be_kept
from core.memory.travel_words import city_at

_DENIAL = re.compile(
    r"不(?!吃|便|方便|太好|好|能吃|了|耐|喝|动|沾)|没(?!事)|未|(?<!特)别|无需|不再|不是|已经好了|以为|怀疑|会不会|担心|怕"
)
_NOT_OF_ME = re.compile(
    r"他|她|它|你|您|人家|别人|有人|有些人|的人|患者|人群|菜|餐厅|饭店|酒店|食物|客户|老板|领导|网友|旁边|邻座"
)
_RELATIVE = re.compile(
    r"(?P<who>老婆|妻子|太太|爱人|老公|丈夫|先生|妈妈|母亲|妈|爸爸|父亲|爸|父母|爸妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|老人|孩子|小孩|宝宝|全家|家人|儿子|女儿|"
    r"弟弟|妹妹|哥哥|姐姐|岳父|岳母|公公|婆婆|朋友|同事|同伴|女朋友|男朋友)(们|都)?"
)
_SHORT = {
    "妈": "妈妈", "爸": "爸爸", "母亲": "妈妈", "父亲": "爸爸", "爸妈": "父母", "妻子": "老婆", "太太": "老婆",
    "丈夫": "老公", "小孩": "孩子", "宝宝": "孩子",
}
_HOMETOWN = re.compile(r"(老家|家乡|籍贯)(是|在)?(?P<place>.+)")
_NATIVE = re.compile(r"(我们?是|我们?老家是|本人)(?P<place>[^是的]{2,8})人$")
_WORKS = re.compile(
    r"(我们?|本人)?(现在|目前|一直|就|平时)*在(?P<place>.{2,8}?)(?P<what>上班|工作|上学|读书|上大学|念书)"
)


def facts_of(message: str) -> tuple[str, ...]:
    """The facts in a message, in the order in which they are said. Nothing is inferred, no question tells a fact."""
    if not_to_be_kept(message):
        return ()
    found: list[str] = []
    subject = ""
    for clause in clauses(message):
        subject = _subject(clause.text, subject)
        if not clause.asks:
            found += _in_clause(clause, subject)
    return tuple(dict.fromkeys(found))


def _subject(text: str, before: str) -> str:
    """The relative a clause is about, "" for the person; 女儿8岁，对鸡蛋过敏 goes on about the daughter."""
    if who := _RELATIVE.search(text):
        return _SHORT.get(who["who"], who["who"])
    return "" if re.search(r"我|本人", text) else before


def _in_clause(clause: Clause, subject: str) -> Iterator[str]:
    text = clause.text.strip()
    if name := name_in(text):
        yield f"名字叫{name}"
    yield from _conditions(text, subject)
    if not _NOT_OF_ME.search(text):
        yield from companions_in(text)
        if not _RELATIVE.search(text):
            yield from _places(clause, text)


def _conditions(text: str, subject: str) -> Iterator[str]:
    if _NOT_OF_ME.search(text) or _DENIAL.search(text):
        return
    for form, pattern in _forms():
        if found := pattern.search(text):
            what = found.groupdict().get("what") or ""
            if fact := _worded(form, subject, what):
                yield fact


def _worded(form: str, who: str, what: str) -> str | None:
    if "{what}" in form and not what:
        return None
    return form.format(who=who, what=what.strip(" 于的"))


def _places(clause: Clause, text: str) -> Iterator[str]:
    if start := usual_start(text):
        yield f"一般从{start}出发"
    elif not clause.this_time and (home := lives_in(text)):
        yield f"住在{home}"
    if clause.this_time or "不" in text:
        return
    if (found := _HOMETOWN.search(text)) and (city := city_at(found["place"])):
        yield f"老家在{city[0]}"
    elif (found := _NATIVE.search(text)) and (city := city_at(found["place"])):
        yield f"是{city[0]}人"
    elif (found := _WORKS.search(text)) and (city := city_at(found["place"])):
        yield f"在{city[0]}{found['what']}"


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    text = (resources.files("core.memory") / "data" / "facts.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple((form, re.compile(pattern)) for form, pattern in rows)

"""Checks a model's sentence about results before it leaves: nothing in it may be more than the results say."""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from core.language.guard_classes import class_fault
from core.language.guard_facts import (
    NOT,
    SKY,
    ClassFacts,
    Facts,
    chinese_number,
    clocks_of,
    days_in,
    decimal_of,
    measures_in,
)
from core.language.guard_names import unknown_name
from core.language.guard_words import CLAIMED, Prompts, breaks_the_rules, plain

_NUMERAL = "[零〇一二两三四五六七八九十百千万]"
_MONEY = re.compile(
    rf"¥\s*(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?|(?<![\d.]){_NUMERAL}+)\s*(?:元|块|RMB|CNY|人民币)"
)
_GREAT_MONEY = re.compile(r"\d+(?:\.\d+)?万元?")
_RANGE = re.compile(
    r"(\d[\d,]*(?:\.\d+)?)\s*(?:-|—|~|到|至)\s*¥?\d[\d,]*(?:\.\d+)?\s*元"
    r"|¥\s*[\d.,]+\s*(?:-|—|~|到|至)\s*(\d[\d,]*(?:\.\d+)?)"
)
_VAGUE_MONEY = re.compile(
    rf"(?:{_NUMERAL}|\d)(?:多|几|来)(?:元|块)|(?:{_NUMERAL}|\d)折|免费|赠送|返现|红包|优惠|打折|折扣|特价|立减|白送|零元|半价|减免|立省|最低价|低价|会员价|学生价|儿童价|便宜一半|省一半|买一"
)
_MONEY_MOVED = re.compile(r"支付|付款|扣款|出票|退款|到账|票已出|已出")
"""No row ever says that money has moved or that a ticket was issued."""
_LIMIT = re.compile(r"以内|以下|以上|不超过|预算|之内|不到|低于|高于|限额")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_COUNTED = re.compile(
    rf"(?<!周)(?<!星期)(?<!礼拜)(?<![\d.])({_NUMERAL}+)"
    r"(?:张|趟|班|场|晚|夜|天|日|号|月|小时|分钟|刻钟|度|折|座|位|人|款|辆|条|份|公里)"
)
_SPOKEN_CLOCK = re.compile(
    rf"(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?(\d{{1,2}}|{_NUMERAL}+)点(?:(半)|(\d{{1,2}}|{_NUMERAL}+)分?)?"
)
_LONE_DAY = re.compile(r"(?<![月\d/-])(\d{1,2})[日号](?!线|楼|厅|座|车厢)")
_RELATIVE = {"今天": 0, "今日": 0, "明天": 1, "明日": 1, "后天": 2, "大后天": 3, "昨天": -1, "前天": -2}
_RELATIVE_WORD = re.compile("|".join(sorted(_RELATIVE, key=len, reverse=True)))
_WEEKDAY = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])")
_LEFT = re.compile(r"(?:余|剩)(?:票|下|余|有)*\s*(\d+)|(\d+)\s*张")
_LEFT_IN_WORDS = re.compile(rf"(?:余|剩)(?:票|下|余|有|最后|仅|只)*({_NUMERAL}+)(?:张|个|份|位)")
_DURATION = re.compile(r"(\d{1,2})小时(\d{1,2})分")
_PER_CENT = re.compile(rf"百分之({_NUMERAL}+|\d+(?:\.\d+)?)")
_BELOW_ZERO = re.compile(r"零下|(?<![\d~到至-])-\d+(?:度|°C)")
_SCARCE = re.compile(r"个位数|所剩无几|最后几[张个]|即将售罄|快卖完|快没了|抢光|紧张|售罄|卖完|卖光|没票")
_FEW = 30
"""Of what is left in so small a number it may be said that little is left."""
_TITLE = re.compile(r"([\u4e00-\u9fff])[\u4e00-\u9fff]?(?:先生|女士|小姐|太太|同学|老师|经理|师傅)")
_NO_NAME = frozenset("位的各们")
_SKY_WORDS = re.compile(r"晴|多云|阴天|小雨|中雨|大雨|阵雨|有雨|雪|气温|°C")
_PM = frozenset({"下午", "傍晚", "晚上", "夜里"})
_CODE = re.compile(r"[A-Z0-9]{2,8}")
_BARE = re.compile(r"[\d一二三四五六七八九十]")

Check = Callable[[str, Facts], str | None]


def fault_in(sentence: str, facts: Facts, prompts: Prompts) -> str | None:
    """Why a sentence may not leave, for the log; None when it may."""
    if breaks_the_rules(sentence, prompts):
        return "address, markup, hidden text or a prompt"
    said = plain(sentence)
    return next((fault for check in _CHECKS if (fault := check(said, facts)) is not None), None)


def _claims(said: str, facts: Facts) -> str | None:
    """Something done: only where an order's row says so."""
    for claim in CLAIMED.finditer(said):
        if _MONEY_MOVED.search(claim.group()) and claim.group() not in facts.text:
            return f"claim {claim.group()}"
        undone = any(word in claim.group() for word in ("取消", "退", "到账"))
        if ("cancelled" if undone else "confirmed") not in facts.statuses:
            return f"claim {claim.group()}"
    return None


def _money(said: str, facts: Facts) -> str | None:
    if (vague := _VAGUE_MONEY.search(said)) and vague.group() not in facts.text:
        return f"price {vague.group()}"
    if (great := next((text for text in _GREAT_MONEY.findall(said) if text not in facts.text), None)) is not None:
        return f"price {great}"
    allowed = facts.prices | (facts.bounds if _LIMIT.search(said) else frozenset())
    for text in _money_in(said):
        if _amount(text) not in allowed:
            return f"price {text}"
    return None


def _money_in(said: str) -> Iterator[str]:
    for pattern in (_MONEY, _RANGE):
        for found in pattern.finditer(said):
            yield next(text for text in found.groups() if text)


def _clocks(said: str, facts: Facts) -> str | None:
    for clock in clocks_of(said):
        if clock not in facts.clocks:
            return f"time {clock}"
    for part, hour, half, minute in _SPOKEN_CLOCK.findall(said):
        a_little = hour == "一" and not part  # 早一点出发
        if not a_little and not any(form in facts.clocks for form in _spoken(part, hour, half, minute)):
            return f"time {part}{hour}点"
    return None


def _spoken(part: str, hour: str, half: str, minute: str) -> Iterator[str]:
    """The clock times that 下午3点半 may be."""
    number, minutes = _amount(hour), Decimal(30) if half else _amount(minute or "0")
    if number is None or minutes is None:
        return
    hours = {int(number)} if part and part not in _PM else {int(number) + 12} if part and number < 12 else {int(number)}
    if not part:
        hours.add(int(number) + 12)
    yield from (f"{h:02}:{int(minutes):02}" for h in hours)


def _dates(said: str, facts: Facts) -> str | None:
    for year, month, day in days_in(said):
        if not any(_is_day(known, year, month, day) for known in facts.days):
            return f"date {month}-{day}"
    known_days = {known.day for known in facts.days}
    lone = (day for day in _LONE_DAY.findall(said) if int(day) not in known_days and f"{day}日" not in facts.text)
    return next((f"date {day}" for day in lone), None)


def _day_words(said: str, facts: Facts) -> str | None:
    for word in _RELATIVE_WORD.findall(said):
        if facts.today + dt.timedelta(days=_RELATIVE[word]) not in facts.days and word not in facts.text:
            return f"date {word}"
    weekdays = {"一二三四五六日"[known.weekday()] for known in facts.days}
    for day in _WEEKDAY.findall(said):
        if day.replace("天", "日") not in weekdays and f"周{day}" not in facts.text:
            return f"weekday {day}"
    return None


def _is_day(known: dt.date, year: str, month: str, day: str) -> bool:
    return (not year or known.year == int(year)) and (known.month, known.day) == (int(month), int(day))


def _numbers(said: str, facts: Facts) -> str | None:
    """Every other number: temperatures, what is left, counts, lengths."""
    for hours, minutes in _DURATION.findall(said):
        if int(hours) * 60 + int(minutes) not in facts.minutes and f"{hours}小时{minutes}分" not in facts.text:
            return f"duration {hours}:{minutes}"
    said = _SPOKEN_CLOCK.sub(" ", said)
    rest = _CODE.sub(lambda code: code.group() if code.group().isdecimal() else " ", said)
    allowed = facts.numbers | facts.prices | facts.bounds
    for text in [*_NUMBER.findall(rest), *_COUNTED.findall(said)]:
        number = _amount(text)
        if number not in allowed and text != "一":
            return f"number {text}"
    return None


def _left(said: str, facts: Facts) -> str | None:
    counts = ["".join(found) for found in _LEFT.findall(said)] + _LEFT_IN_WORDS.findall(said)
    return next((f"{count} left" for count in counts if _amount(count) not in facts.left), None)


def _measures(said: str, facts: Facts) -> str | None:
    """31度 only of a temperature, 70% only of a humidity."""
    for unit, allowed in facts.measured.items():
        for amount in measures_in(said, unit):
            if amount not in allowed:
                return f"{amount} {unit}"
    return None


def _per_cent_and_zero(said: str, facts: Facts) -> str | None:
    for text in _PER_CENT.findall(said):
        if _amount(text) not in facts.measured["per cent"] and f"{text}%" not in facts.text:
            return f"per cent {text}"
    return "below zero" if _BELOW_ZERO.search(said) and not _BELOW_ZERO.search(facts.text) else None


def _scarce(said: str, facts: Facts) -> str | None:
    """Little is left only where it is."""
    found = _SCARCE.search(said)
    if found is None or found.group() in facts.text or (facts.fewest is not None and facts.fewest <= _FEW):
        return None
    return f"scarcity {found.group()}"


def _titles(said: str, facts: Facts) -> str | None:
    """Nobody is addressed or named by a title: 张先生."""
    if "各位" in said:
        return None
    named = (t for t in _TITLE.finditer(said) if t.group() not in facts.text and t.group(1) not in _NO_NAME)
    return next((f"person {found.group()}" for found in named), None)


def _names(said: str, facts: Facts) -> str | None:
    name = unknown_name(said, facts.text)
    return f"name {name}" if name else None


def _weather(said: str, facts: Facts) -> str | None:
    """A day that the forecast is not for; rain that no forecast holds. 无雨 and 如果下雨 tell of none."""
    about_sky = _SKY_WORDS.search(said) and not any(service.code in said.upper() for service in facts.services)
    if about_sky and facts.forecast and (day := next(_other_day(said, facts), None)) is not None:
        return f"no forecast for {day}"
    for sky in SKY:
        for found in re.finditer(sky, said):
            if sky not in facts.skies and not NOT.search(said[: found.start()]):
                return f"weather {sky}"
    return None


def _other_day(said: str, facts: Facts) -> Iterator[str]:
    """Days in a sentence about the sky for which there is no forecast."""
    for year, month, day in days_in(said):
        if not any(_is_day(known, year, month, day) for known in facts.forecast):
            yield f"{month}-{day}"
    for word in _RELATIVE_WORD.findall(said):
        if facts.today + dt.timedelta(days=_RELATIVE[word]) not in facts.forecast:
            yield word


def _pairs(said: str, facts: Facts) -> str | None:
    """What is said of one train or flight must be that one's: the words from its number to the next number."""
    upper = said.upper()
    at = sorted((upper.find(service.code), service) for service in facts.services if service.code in upper)
    for place, (start, service) in enumerate(at):
        end = at[place + 1][0] if place + 1 < len(at) else len(said)
        part = said[start + len(service.code) : end]
        wrong = [t for t in _money_in(part) if _amount(t) not in service.prices | facts.bounds]
        wrong += [clock for clock in clocks_of(part) if clock not in service.clocks]
        wrong += [left for found in _LEFT.findall(part) if Decimal(left := "".join(found)) not in service.left]
        if wrong and _BARE.search(wrong[0]):
            return f"{wrong[0]} is not of {service.code}"
        if fault := class_fault(part, {**dict.fromkeys(facts.classes, ClassFacts()), **service.classes}):
            return f"{fault} of {service.code}"
    return None if at else class_fault(said, facts.classes)


def _amount(text: str) -> Decimal | None:
    return decimal_of(text) if text[:1].isdecimal() else chinese_number(text)


_CHECKS: tuple[Check, ...] = (
    _claims, _money, _clocks, _dates, _day_words, _left, _measures, _numbers, _per_cent_and_zero, _scarce,
    _titles, _names, _weather, _pairs,
)

"""What a model writes where a date, a count, a yes or a list was asked, as values. What is in doubt reads as None."""

import re
import unicodedata
from datetime import date, datetime

from core.shared.clock import SHANGHAI
from core.shared.json_types import JsonValue

_NULL_WORDS = frozenset(
    (
        "", "null", "none", "nil", "nan", "n/a", "na", "undefined", "unknown", "unspecified", "tbd", "missing",
        "empty", "-", "--", "—", "——", "/", "?", "??", "...", "……", "无", "暂无", "没有", "空", "未知",
        "未提供", "未提及", "未指定", "未说明", "未明确", "未填写", "未给出", "没有提供", "没有提及", "没有说明",
        "没说", "没提", "不详", "不明", "不知道", "不清楚", "不确定", "待定", "待确认", "缺失", "缺省",
        "用户未提供", "用户未提及", "用户未指定", "用户未说明", "用户没有提供", "用户没说", "not specified",
        "not provided", "not mentioned", "not given", "not available", "n.a", "未告知", "待补充",
        "yyyy-mm-dd", "hh:mm",
    )
)  # fmt: skip
# No date or count is longer; what is may be meant to keep a pattern busy.
MOST_CHARACTERS = 40
_BRACKETS = "()[]{}<>（）【】《》「」“”‘’\"'`。.，,!！ \t\n"
_DATE = re.compile(
    r"(?P<year>(?:19|20|21)\d\d)\s*(?P<gap>[-/.年])\s*(?P<month>\d{1,2})\s*(?:(?P=gap)|月)\s*(?P<day>\d{1,2})\s*[日号]?"
)
_SPELLED_DATE = re.compile(
    r"(?P<year>[零〇一二三四五六七八九]{4})年(?P<month>[一二三四五六七八九十]{1,2})月(?P<day>[一二三四五六七八九十]{1,3})[日号]"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED_MONTH = re.compile(
    rf"(?:(?P<first>\d{{1,2}})\s+)?(?P<name>{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?\s+(?:(?P<second>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?"
    r"(?P<year>(?:19|20|21)\d\d)",
    re.IGNORECASE,
)
_COMPACT_DATE = re.compile(r"(?P<year>(?:19|20|21)\d\d)(?P<month>\d\d)(?P<day>\d\d)")
_BESIDE_DATE = re.compile(
    r"[\s,，]*[(]?(?:(?:星期|周|礼拜)[一二三四五六日天]|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?"
    r"|fri(?:day)?|sat(?:urday)?|sun(?:day)?)?[)]?\s*(?:\d{1,2}[:时点](?:\d{1,2}分?)?(?::\d{1,2})?)?\s*",
    re.IGNORECASE,
)
_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰", "一二三四五六七八九十百")
_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3}
_TENS = {"十": 10, "百": 100}
_COUNT = re.compile(
    r"[x×*]?\s*(?P<number>\d{1,4}|[零〇一二两三四五六七八九十百俩仨]{1,5})(?:\.0+)?\s*"
    r"(?:张|个|位|名|人|份|间|辆|台|件|条|天|日|晚|夜|次|趟|枚|套|座|只|小时)?\s*(?:票|车票|机票|门票|成人票|人|成人|大人|订单|乘客)?"
)
_YES = frozenset(("true", "yes", "y", "1", "on", "是", "是的", "对", "对的", "需要", "要", "有", "真", "确认", "可以"))
_NO = frozenset(("false", "no", "n", "0", "off", "否", "不", "不是", "不要", "不需要", "无需", "没有", "无", "假"))
_SEPARATORS = re.compile(r"[,，、;；|/]|\band\b|和")
_STEP = re.compile(r"steps?[_-]?|\bs(?=\d)|依赖|步骤|第|步|#", re.IGNORECASE)
_NUMBER_SEPARATORS = re.compile(r"(?:[,，、;；&+\s]|\band\b|和)+")


def is_null_word(value: JsonValue) -> bool:
    """Whether nothing was said: null, or one of the words that models write instead of it."""
    if not isinstance(value, str):
        return value is None
    plain = unicodedata.normalize("NFKC", value).strip().casefold()
    return plain in _NULL_WORDS or plain.strip(_BRACKETS) in _NULL_WORDS


def read_date_form(value: JsonValue) -> date | None:
    """A whole date in any usual spelling; a moment with an offset is moved to Shanghai. No year, no date: None."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS:
        return None
    text = unicodedata.normalize("NFKC", value).strip().strip("\"'`。.")
    if re.match(r"\d{4}-\d\d-\d\dT", text):
        return _moment(text)
    if (spelled := _spelled(text)) is not None:
        return spelled
    for form in (_DATE, _COMPACT_DATE):
        match = form.match(text)
        if match and _BESIDE_DATE.fullmatch(text, match.end()):
            return _date(int(match["year"]), int(match["month"]), int(match["day"]))
    return None


def _spelled(text: str) -> date | None:
    """二〇二六年八月二十一日, 21 August 2026, Aug 21, 2026."""
    if match := _SPELLED_DATE.fullmatch(text):
        year = int("".join(str(_DIGITS[sign]) for sign in match["year"]))
        return _date(year, _chinese_number(match["month"]) or 0, _chinese_number(match["day"]) or 0)
    match = _NAMED_MONTH.fullmatch(text)
    if match is None or bool(match["first"]) == bool(match["second"]):
        return None
    month = _MONTHS.index(match["name"].lower()) + 1
    return _date(int(match["year"]), month, int(match["first"] or match["second"]))


def _moment(text: str) -> date | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment.astimezone(SHANGHAI) if moment.tzinfo else moment).date()


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def read_count(value: JsonValue) -> int | None:
    """A whole number of things, with or without its measure word: 2, 2.0, "2", "两张", "三位". Sums are not made."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if value >= 0 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() and value >= 0 else None
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS:
        return None
    match = _COUNT.fullmatch(unicodedata.normalize("NFKC", value).strip().translate(_FORMAL))
    if match is None:
        return None
    number = match["number"]
    return int(number) if number.isdecimal() else _chinese_number(number)


def _chinese_number(text: str) -> int | None:
    """Up to 999 in characters, well formed: 十, 十二, 二十, 两百零五."""
    total, digit, last_unit = 0, None, 1000
    for sign in text:
        if sign in _TENS:
            if _TENS[sign] >= last_unit or digit == 0:
                return None
            last_unit = _TENS[sign]
            total += (1 if digit is None else digit) * last_unit
            digit = None
        elif digit:
            return None
        else:
            digit = _DIGITS[sign]
    return total + (digit or 0)


def read_flag(value: JsonValue) -> bool | None:
    """A yes or no, also in words."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return bool(value) if value in (0, 1) else None
    if not isinstance(value, str):
        return None
    plain = unicodedata.normalize("NFKC", value).strip(_BRACKETS).casefold()
    if plain in _YES:
        return True
    return False if plain in _NO else None


def read_words(value: JsonValue) -> tuple[str, ...] | None:
    """A list of names, also as one string with separators: "weather,train". None when an item is no string."""
    if is_null_word(value):
        return ()
    items = _SEPARATORS.split(value) if isinstance(value, str) else value
    if not isinstance(items, list):
        return None
    words = [item.strip() for item in items if isinstance(item, str)]
    return tuple(word for word in words if word) if len(words) == len(items) else None


def read_numbers(value: JsonValue) -> tuple[int, ...] | None:
    """Numbers of steps: [1, 2], 1, "1", "1,2", ["1"]; nothing, 0 and [] say that there is none. Else None."""
    if is_null_word(value) or value in (0, "0"):
        return ()
    items = value if isinstance(value, list) else [value]
    numbers: list[int] = []
    for item in items:
        parts = _NUMBER_SEPARATORS.split(_STEP.sub(" ", item).strip(_BRACKETS)) if isinstance(item, str) else [item]
        read = [read_count(part) for part in parts]
        numbers += [number for number in read if number is not None]
        if None in read:
            return None
    return tuple(numbers)


"""Rows of a kind nobody wrote a template for: title, price, what is left, and the fields whose names are known."""

from a2a_servers.wording.bits import clock, day, joined, left, money, text
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_SHOWN = 5
_BRIEF_SHOWN = 2
_FIELDS_SHOWN = 4
_LABELS = {
    "city": "城市", "venue": "场馆", "artist": "艺人", "area": "区域", "brand": "品牌", "model": "车型",
    "seats": "座位数", "insurer": "承保公司", "coverage": "保障", "days": "天数", "date": "日期",
    "starts_at": "开始时间", "district": "区域", "address": "地址", "stars": "星级", "rating": "评分",
    "description": "简介", "note": "说明",
}


class GenericTemplate:
    """Words rows of any kind."""

    def full(self, found: Found) -> str:
        lines = [f"{place}. {_line(row)}" for place, row in enumerate(found.rows[:MAX_SHOWN], 1)]
        return "\n".join([f"为您找到{found.total}条结果{_note(found)}：", *lines, *_rest(found, len(lines))])

    def brief(self, found: Found) -> str:
        shown = "；".join(joined([_name(row), money(row.get("price"))]) for row in found.rows[:_BRIEF_SHOWN])
        return f"共{found.total}条结果{_note(found)}：{shown}。"

    def nothing(self, query: JsonObject) -> str:
        return "抱歉，没有查到符合条件的结果。可以换个日期、地点或放宽条件，我再帮您查。"


def _note(found: Found) -> str:
    return f"（{found.demo}）" if found.demo else ""


def _rest(found: Found, shown: int) -> list[str]:
    rest = found.total - shown
    return [f"另有{rest}条没有列出，可以再加些条件，我帮您缩小范围。"] if rest > 0 else []


def _name(row: Row) -> str:
    words = [value for value in row.values() if isinstance(value, str)]
    return text(row, "title", "name") or joined(words[:2], " ")


def _line(row: Row) -> str:
    facts = [f"{label}{_value(name, row)}" for name, label in _LABELS.items() if _adds(name, row)]
    return joined([_name(row), money(row.get("price")), left(row, "份"), *facts[:_FIELDS_SHOWN]])


def _adds(name: str, row: Row) -> bool:
    said = text(row, name)
    return bool(said) and said not in _name(row)


def _value(name: str, row: Row) -> str:
    if name == "date":
        return day(row.get(name))
    return clock(row.get(name)) if name == "starts_at" else text(row, name)

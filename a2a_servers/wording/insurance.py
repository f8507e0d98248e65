"""Travel insurance: one line for each product, with what it covers."""

import re

from a2a_servers.wording.bits import joined, left, money, text
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_SHOWN = 5
_BRIEF_SHOWN = 2
_LONGEST_COVERAGE = 40
_NEXT = "想投保哪一款，告诉我名称和份数就行；也可以说出行天数或预算，我再帮您比较。"


class InsuranceTemplate:
    """Words rows of kind `insurance`."""

    def full(self, found: Found) -> str:
        lines = [f"{place}. {_line(row)}" for place, row in enumerate(found.rows[:MAX_SHOWN], 1)]
        return "\n".join([f"{_head(found)}：", *lines, _NEXT])

    def brief(self, found: Found) -> str:
        shown = "；".join(_short(row) for row in found.rows[:_BRIEF_SHOWN])
        return f"{_head(found)}：{shown}。"

    def nothing(self, query: JsonObject) -> str:
        days = text(query, "days")
        about = f"保障{days}天的旅行保险" if days else "合适的旅行保险"
        return f"抱歉，没有查到{about}。可以换个天数或预算，我再帮您找找。"


def _head(found: Found) -> str:
    days = {text(row, "days") for row in found.rows}
    span = days.pop() if len(days) == 1 else ""
    note = f"（{found.demo}）" if found.demo else ""
    return f"{f'保{span}天的' if span else ''}旅行保险，共{found.total}款{note}"


def _line(row: Row) -> str:
    insurer = text(row, "insurer")
    name = f"{text(row, 'name', 'title')}{f'（{insurer}）' if insurer else ''}"
    span = f"保{text(row, 'days')}天" if text(row, "days") else ""
    covers = f"保障{_coverage(row)}" if text(row, "coverage") else ""
    return joined([name, span, _price(row), left(row, "份"), covers])


def _price(row: Row) -> str:
    return f"{money(row.get('price'))}/份" if money(row.get("price")) else ""


def _coverage(row: Row) -> str:
    """The coverage, or its first parts where it is long."""
    whole = text(row, "coverage").rstrip("。").removeprefix("保障")
    if len(whole) <= _LONGEST_COVERAGE:
        return whole
    shown = whole[:_LONGEST_COVERAGE]
    ends = [found.start() for found in re.finditer("[，、；。,;]", shown)]
    return f"{shown[: ends[-1]] if ends else shown}等"


def _short(row: Row) -> str:
    return joined([f"{text(row, 'name', 'title')}{_price(row)}", left(row, "份")])

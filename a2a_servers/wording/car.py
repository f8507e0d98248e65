"""Rental cars: one line for each model, with the price of the whole rental and of a day."""

from collections.abc import Sequence

from a2a_servers.wording.bits import amount_of, dates, day, for_sale, joined, left, money, number, text
from a2a_servers.wording.items import car_name, price_of
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_SHOWN = 5
_BRIEF_SHOWN = 2
_NEXT = "想租哪一款，告诉我车型就行；也可以说座位数、品牌或预算，我再帮您挑。"


class CarTemplate:
    """Words rows of kind `car_rental`."""

    def full(self, found: Found) -> str:
        rows = _available_first(found.rows)
        lines = [f"{place}. {_line(row)}" for place, row in enumerate(rows[:MAX_SHOWN], 1)]
        return "\n".join([f"{_head(found)}：", *lines, _NEXT])

    def brief(self, found: Found) -> str:
        shown = "；".join(_short(row) for row in _available_first(found.rows)[:_BRIEF_SHOWN])
        return f"{_head(found)}：{shown}。"

    def nothing(self, query: JsonObject) -> str:
        about = f"{dates(query)}{text(query, 'city')}{_span(query) or '可租'}"
        return f"抱歉，没有查到{about}的车。可以换个日期、车型或放宽预算，我再帮您找找。"


def _available_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: not for_sale(row))


def _span(source: Row | JsonObject) -> str:
    days = text(source, "days")
    return f"租{days}天" if days else ""


def _head(found: Found) -> str:
    row = found.rows[0]
    start = f"{day(row.get('date'))}起" if row.get("date") else ""
    note = f"（{found.demo}）" if found.demo else ""
    parts = [f"{text(row, 'city')}租车", f"{start}{_span(row)}", f"共{found.total}款可选{note}"]
    return joined(parts)


def _line(row: Row) -> str:
    seats = f"{text(row, 'seats')}座" if text(row, "seats") else ""
    return joined([car_name(row), seats, f"{price_of('car_rental', row)}{_a_day(row)}", left(row, "辆")])


def _a_day(row: Row) -> str:
    """What a day comes to, where the rental takes several."""
    days, total = number(row, "days"), amount_of(row.get("price"))
    if total is None or not days or days < 2:
        return ""
    return f"（合每天{money(f'{total / int(days):.0f}')}）"


def _short(row: Row) -> str:
    return joined([joined([car_name(row), price_of("car_rental", row)], " "), left(row, "辆")])

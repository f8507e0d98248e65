"""Group tours: each tour once, with its departures."""

from collections.abc import Sequence

from a2a_servers.wording.bits import (
    amount_of,
    dates,
    day,
    for_sale,
    grouped,
    joined,
    left,
    listed,
    money,
    number,
    priced,
    text,
)
from a2a_servers.wording.items import tour_name
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_SHOWN = 4
_BRIEF_SHOWN = 2
_DATES_SHOWN = 3
_NEXT = "想报哪个团，告诉我线路和出发日期就行；也可以说出发城市、天数或预算，我再帮您挑选。"


class TourTemplate:
    """Words rows of kind `tour_group`."""

    def full(self, found: Found) -> str:
        tours = _tours(found.rows)
        lines = listed(_line(rows) for rows in tours[:MAX_SHOWN])
        head = f"{text(found.rows[0], 'destination')}跟团游，共{_count(found, len(tours))}{_note(found)}："
        return "\n".join([head, *lines, *_totals(tours[: len(lines)], found.query), _NEXT])

    def brief(self, found: Found) -> str:
        tours = _tours(found.rows)
        shown = "；".join(_short(rows[0]) for rows in tours[:_BRIEF_SHOWN])
        return f"{text(found.rows[0], 'destination')}跟团游共{_count(found, len(tours))}{_note(found)}：{shown}。"

    def nothing(self, query: JsonObject) -> str:
        days = text(query, "days")
        span = f"{days}天的" if days else ""
        about = f"{dates(query)}{text(query, 'destination', 'city')}{span}跟团游"
        limit = f"{priced(query)}的" if priced(query) else ""
        return f"抱歉，没有查到{limit}{about}。可以换个天数或出发日期，我再帮您找找。"


def _tours(rows: Sequence[Row]) -> list[list[Row]]:
    found = grouped(rows, lambda row: (text(row, "name", "title"), text(row, "from_city"), text(row, "days")))
    return sorted(found, key=lambda tour: not any(for_sale(row) for row in tour))


def _count(found: Found, count: int) -> str:
    return f"{found.total}个团期" if found.more else f"{count}条线路"


def _note(found: Found) -> str:
    return f"（{found.demo}）" if found.demo else ""


def _line(rows: Sequence[Row]) -> str:
    first = _first(rows)
    start = f"{text(first, 'from_city')}出发" if text(first, "from_city") else ""
    price = f"{money(first.get('price'))}/人" if money(first.get("price")) else ""
    return joined([
        tour_name(first), start, price, left(first, "位"), _departures(rows)
    ])


def _totals(tours: Sequence[Sequence[Row]], query: JsonObject) -> list[str]:
    """What all the travellers pay together for each of the tours shown."""
    count = int(number(query, "quantity") or 1)
    prices = [(place, amount_of(_first(rows).get("price"))) for place, rows in enumerate(tours, 1)]
    told = [f"第{place}个{money(str(price * count))}" for place, price in prices if price is not None]
    return [f"{count}位的总价：{'、'.join(told)}。"] if count > 1 and told else []


def _first(rows: Sequence[Row]) -> Row:
    return next((row for row in rows if for_sale(row)), rows[0])


def _departures(rows: Sequence[Row]) -> str:
    days = [day(row.get("date"), weekday=False) for row in rows if for_sale(row) and row.get("date")]
    if not days:
        return ""
    shown = "、".join(days[:_DATES_SHOWN])
    return f"{shown}等{len(days)}个日期可选" if len(days) > _DATES_SHOWN else f"{shown}出团"


def _short(row: Row) -> str:
    return joined([f"{tour_name(row)}{money(row.get('price'))}", left(row, "位")])

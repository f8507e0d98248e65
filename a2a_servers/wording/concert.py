"""Concerts: each evening once, with its areas."""

from collections.abc import Sequence

from a2a_servers.goods import price, services
from a2a_servers.wording.bits import clock, dates, day, for_sale, joined, left, listed, money, text
from a2a_servers.wording.items import concert_name, venue
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_SHOWN = 4
_BRIEF_SHOWN = 2
_AREAS_SHOWN = 4
_NEXT = "想看哪一场，告诉我场次和区域就行；也可以说城市、日期或预算，我再帮您筛选。"


class ConcertTemplate:
    """Words rows of kind `concert`."""

    def full(self, found: Found) -> str:
        evenings = _evenings(found)
        lines = listed(_line(rows, found) for rows in evenings[:MAX_SHOWN])
        return "\n".join([f"{_about(found)}，{_count(found, len(evenings))}：", *lines, _NEXT])

    def brief(self, found: Found) -> str:
        evenings = _evenings(found)
        shown = "；".join(_short(rows) for rows in evenings[:_BRIEF_SHOWN])
        return f"{_about(found)}，{_count(found, len(evenings))}：{shown}。"

    def nothing(self, query: JsonObject) -> str:
        who, where = text(query, "artist"), text(query, "city")
        about = f"{dates(query)}{where}{'的' if who and (where or dates(query)) else ''}{who}演唱会"
        return f"抱歉，没有查到{about}的门票。可以换个城市、日期或艺人，我再帮您找找。"


def _evenings(found: Found) -> list[list[JsonObject]]:
    evenings = services("concert", [dict(row) for row in found.rows])
    return sorted(evenings, key=lambda rows: not any(for_sale(row) for row in rows))


def _about(found: Found) -> str:
    artists = {text(row, "artist") for row in found.rows}
    cities = {text(row, "city") for row in found.rows}
    where = cities.pop() if len(cities) == 1 else ""
    who = artists.pop() if len(artists) == 1 else ""
    return f"{where}{'的' if where and who else ''}{who}演唱会"


def _count(found: Found, count: int) -> str:
    said = f"不同场次和区域共{found.total}个选择" if found.more else f"共{count}场"
    return f"{said}（{found.demo}）" if found.demo else said


def _line(rows: Sequence[JsonObject], found: Found) -> str:
    first = rows[0]
    when = f"{day(first.get('date'))}{clock(first.get('starts_at'))}"
    areas = sorted(rows, key=lambda row: (not for_sale(row), price(row)))
    shown = " / ".join(_area(row) for row in areas[:_AREAS_SHOWN])
    cut = _is_cut(rows, found)
    more = f"等{'至少' if cut else ''}{len(rows)}个区域" if cut or len(rows) > _AREAS_SHOWN else ""
    return joined([joined([concert_name(first), when], " "), venue(first), f"{shown}{more}"])


def _is_cut(rows: Sequence[JsonObject], found: Found) -> bool:
    """Whether areas of this evening may be among the rows that were not listed: the last one's, and in an order by
    price anybody's."""
    return bool(found.more) and (rows[-1] == found.rows[-1] or "price" in text(found.query, "sort"))


def _area(row: Row) -> str:
    return f"{text(row, 'area')}{money(row.get('price'))} {left(row, '张')}".strip()


def _short(rows: Sequence[JsonObject]) -> str:
    cheapest = min([row for row in rows if for_sale(row)] or rows, key=price)
    which = f"{day(cheapest.get('date'), weekday=False)}{text(cheapest, 'city')}{text(cheapest, 'artist')}"
    return joined([which, _area(cheapest)])

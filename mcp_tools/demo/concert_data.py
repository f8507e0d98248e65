"""Believable concerts from the vendored tours: each goes from city to city, week by week, on its evenings."""

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcp_tools.data_files import read_table
from mcp_tools.demo.chance import dice, stock
from mcp_tools.items import item_id, service_id

_AREAS = {
    "stadium": (
        ("内场VIP", 1.0, 600), ("内场A区", 0.8, 2400), ("内场B区", 0.64, 3600), ("看台一层", 0.5, 8000),
        ("看台二层", 0.36, 9000), ("看台三层", 0.22, 12000),
    ),
    "arena": (
        ("内场VIP", 1.0, 200), ("内场", 0.76, 1200), ("看台A区", 0.56, 2600), ("看台B区", 0.4, 3000),
        ("看台C区", 0.26, 3200),
    ),
}
"""Area, share of the dearest price, seats."""


@dataclass(frozen=True, slots=True)
class _Concert:
    concert_id: str
    tour: dict[str, str]
    city: str
    venue: str
    starts_min: int


def service_rows(day: dt.date) -> list[dict[str, Any]]:
    """Rows for `concerts` on one day."""
    return [
        {
            "concert_id": concert.concert_id, "artist": concert.tour["artist"], "name": concert.tour["name"],
            "venue": concert.venue, "city": concert.city, "date": day, "starts_min": concert.starts_min,
            "origin": "demo",
        }
        for concert in _concerts(day)
    ]


def day_rows(day: dt.date) -> list[dict[str, Any]]:
    """Rows for `concert_areas` on one day."""
    rows = []
    for concert in _concerts(day):
        for area, part, total in _AREAS[concert.tour["size"]]:
            item = item_id(concert.concert_id, day, area)
            rows.append({
                "item_id": item, "concert_id": concert.concert_id, "area": area,
                "price_fen": _yuan(int(concert.tour["top_yuan"]) * part) * 100, "total": total,
                "remaining": stock(int(item[-15:], 16), total), "origin": "demo",
            })
    return rows


def _concerts(day: dt.date) -> list[_Concert]:
    """In the table's order; a hall that is taken that evening is not played by a second one."""
    playing = (_concert(tour, day) for tour in read_table("concert_tours") if _plays(tour, day))
    by_venue: dict[str, _Concert] = {}
    for concert in playing:
        by_venue.setdefault(concert.venue, concert)
    return list(by_venue.values())


def _plays(tour: dict[str, str], day: dt.date) -> bool:
    return str(day.weekday()) in tour["weekdays"].split(",") and _week(tour, day) % int(tour["every_weeks"]) == 0


def _concert(tour: dict[str, str], day: dt.date) -> _Concert:
    cities = tour["cities"].split(",")
    city = cities[_week(tour, day) // int(tour["every_weeks"]) % len(cities)]
    venue = _venues()[city][tour["size"]]
    starts_min = 19 * 60 + dice(tour["artist"], city) % 2 * 30
    return _Concert(service_id("concert", tour["artist"], venue, day.isoformat()), tour, city, venue, starts_min)


def _week(tour: dict[str, str], day: dt.date) -> int:
    """Weeks from Monday to Sunday, counted from long ago."""
    return (day.toordinal() - 1) // 7 + int(tour["shift"])


def _yuan(price: float) -> int:
    """Prices end in 80: 1280, 980, 580."""
    return max(180, round(price / 100) * 100 - 20)


@cache
def _venues() -> dict[str, dict[str, str]]:
    return {row["city"]: row for row in read_table("venues")}

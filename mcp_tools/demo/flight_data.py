"""Believable flights: the routes of the vendored table, in both directions, with each airline at its own terminal."""

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcp_tools.data_files import read_table
from mcp_tools.demo.chance import dice, share, spread, stock
from mcp_tools.items import item_id, service_id
from mcp_tools.places import airline_name

_SEATS = {"经济舱": 160, "公务舱": 16, "头等舱": 8}
_TIMES_ECONOMY = {"经济舱": 1.0, "公务舱": 2.6, "头等舱": 3.6}
_FIRST_CLASS_AIRLINES = ("CA", "MU", "CZ", "HU")
_RED_EYE_FROM_MIN = 300
"""A route this long has its last flight after midnight."""


@dataclass(frozen=True, slots=True)
class FlightService:
    """One flight, the same every day. `base_yuan` is what a seat in economy costs on an ordinary day."""

    flight_id: str
    flight_no: str
    airline: str
    from_airport: str
    to_airport: str
    from_city: str
    to_city: str
    depart_min: int
    duration_min: int
    via_city: str | None
    base_yuan: float
    cabins: tuple[str, ...]


def service_rows() -> list[dict[str, Any]]:
    """Rows for `flights`."""
    columns = (
        "flight_id", "flight_no", "airline", "from_airport", "to_airport", "from_city", "to_city", "depart_min",
        "duration_min", "via_city",
    )
    return [{column: getattr(flight, column) for column in columns} | {"origin": "demo"} for flight in _services()]


def day_rows(day: dt.date) -> list[dict[str, Any]]:
    """Rows for `flight_cabins` on one day."""
    rows = []
    weekend = 1.1 if day.weekday() in (4, 6) else 1.0
    for flight in _services():
        demand = weekend * (0.82 + 0.4 * share(flight.flight_id, day))
        for cabin in flight.cabins:
            item, total = item_id(flight.flight_id, day, cabin), _SEATS[cabin]
            yuan = round(flight.base_yuan * demand * _TIMES_ECONOMY[cabin], -1)
            rows.append({
                "item_id": item, "flight_id": flight.flight_id, "date": day, "cabin": cabin,
                "price_fen": int(yuan) * 100, "total": total, "remaining": stock(int(item[-15:], 16), total),
                "origin": "demo",
            })
    return rows


@cache
def _services() -> tuple[FlightService, ...]:
    services: list[FlightService] = []
    for route in read_table("flight_routes"):
        there, back = route["from_city"], route["to_city"]
        services += _one_way(route, there, back, 0)
        services += _one_way(route, back, there, 1)
    return tuple(services)


def _one_way(route: dict[str, str], start: str, end: str, parity: int) -> list[FlightService]:
    km, minutes, count = int(route["km"]), int(route["minutes"]), int(route["departures"])
    codes, number = route["airlines"].split(","), int(route["first_number"]) + parity
    departures = spread(6 * 60 + 40, 22 * 60, count, start, end)
    if minutes >= _RED_EYE_FROM_MIN and count > 2:
        departures[-1] = 65
    services = []
    for index, depart in enumerate(departures):
        code = codes[index % len(codes)]
        flight_no = f"{code}{number + 2 * index}"
        services.append(FlightService(
            service_id("flight", flight_no, start, end), flight_no, airline_name(code),
            _airport(start, code, flight_no), _airport(end, code, flight_no), start, end, depart,
            minutes + dice(flight_no, "duration") % 3 * 5, route["via"] or None,
            (230 + 0.42 * km) * _hour_factor(depart), _cabins(code, km),
        ))
    return services


def _airport(city: str, code: str, flight_no: str) -> str:
    rows = [row for row in read_table("airports") if row["city"] == city]
    own = [row["airport"] for row in rows if code in row["airlines"].split(",")]
    candidates = own or [row["airport"] for row in rows if "*" in row["airlines"].split(",")]
    return candidates[dice(flight_no, city) % len(candidates)]


def _hour_factor(depart_min: int) -> float:
    """Early and late flights are cheap, those of the business hours dear."""
    hour = depart_min // 60
    if hour < 8 or hour >= 21:
        return 0.75
    return 1.12 if hour in (8, 9, 17, 18) else 0.95


def _cabins(code: str, km: int) -> tuple[str, ...]:
    if code == "9C":
        return ("经济舱",)
    if code in _FIRST_CLASS_AIRLINES and km >= 1000:
        return ("经济舱", "公务舱", "头等舱")
    return ("经济舱", "公务舱")

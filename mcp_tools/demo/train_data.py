"""A believable rail timetable: the routes of the vendored table, in both directions, spread over the day."""

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcp_tools.data_files import read_table
from mcp_tools.demo.chance import dice, share, spread, stock
from mcp_tools.items import item_id, service_id
from mcp_tools.places import station_cities

_SEATS = {"二等座": 600, "一等座": 80, "商务座": 20, "硬座": 600, "硬卧": 400, "软卧": 36}
_FARES = (0.94, 0.97, 1.0, 1.0, 1.04)


@dataclass(frozen=True, slots=True)
class TrainService:
    """One train between two stations, the same every day. `fares`: seat class and price in fen."""

    train_id: str
    train_no: str
    train_type: str
    from_station: str
    to_station: str
    depart_min: int
    duration_min: int
    fares: tuple[tuple[str, int], ...]


def service_rows() -> list[dict[str, Any]]:
    """Rows for `trains`."""
    cities = station_cities()
    return [
        {
            "train_id": train.train_id, "train_no": train.train_no, "train_type": train.train_type,
            "from_station": train.from_station, "to_station": train.to_station,
            "from_city": cities[train.from_station], "to_city": cities[train.to_station],
            "depart_min": train.depart_min, "duration_min": train.duration_min, "origin": "demo",
        }
        for train in _services()
    ]


def day_rows(day: dt.date) -> list[dict[str, Any]]:
    """Rows for `train_seats` on one day."""
    rows = []
    for train in _services():
        for seat_class, price_fen in train.fares:
            item, total = item_id(train.train_id, day, seat_class), _SEATS[seat_class]
            rows.append({
                "item_id": item, "train_id": train.train_id, "date": day, "seat_class": seat_class,
                "price_fen": price_fen, "total": total, "remaining": stock(int(item[-15:], 16), total),
                "origin": "demo",
            })
    return rows


@cache
def _services() -> tuple[TrainService, ...]:
    services: list[TrainService] = []
    for route in read_table("train_routes"):
        there, back = route["from_station"], route["to_station"]
        services += _one_way(route, there, back, 0)
        services += _one_way(route, back, there, 1)
    return tuple(services)


def _one_way(route: dict[str, str], start: str, end: str, parity: int) -> list[TrainService]:
    kind, km, minutes = route["train_type"], int(route["km"]), int(route["minutes"])
    count, number = int(route["departures"]), int(route["first_number"]) + parity
    first, last = _hours(kind, minutes)
    services = []
    for index, depart in enumerate(spread(first, last, count, kind, start, end)):
        train_no = f"{kind}{number + 2 * index}"
        services.append(TrainService(
            service_id("train", train_no, start, end), train_no, kind, start, end, depart,
            round(minutes * (0.97 + 0.12 * share(train_no, "duration"))),
            _fares(kind, km, minutes, _FARES[dice(train_no, "fare") % len(_FARES)]),
        ))
    return services


def _hours(kind: str, minutes: int) -> tuple[int, int]:
    """First and last departure: day trains arrive before midnight, long ordinary ones travel overnight."""
    if minutes >= 700 and kind != "G":
        return (19 * 60, 22 * 60) if kind == "D" else (11 * 60, 22 * 60)
    first = 6 * 60 + 20
    return first, max(first + 60, min(21 * 60 + 30, 23 * 60 + 40 - minutes))


def _fares(kind: str, km: int, minutes: int, factor: float) -> tuple[tuple[str, int], ...]:
    if kind in "GD":
        second = km * factor * (0.31 if kind == "D" else 0.46 if km < 200 else 0.4196)
        prices = {"二等座": second, "一等座": second * 1.6, "商务座": second * 3.15}
        if kind == "D":
            del prices["商务座"]
    else:
        hard = 0.125 * min(km, 500) + 0.11 * min(max(km - 500, 0), 1000) + 0.095 * max(km - 1500, 0) + 2
        prices = {"硬座": hard, "硬卧": hard * 1.7 + 20, "软卧": hard * 2.6 + 35}
        if minutes < 240:
            del prices["软卧"]
    return tuple((seat_class, _fen(yuan)) for seat_class, yuan in prices.items())


def _fen(yuan: float) -> int:
    """Rail fares go up in steps of half a yuan."""
    return max(8_00, round(yuan * 2) * 50)

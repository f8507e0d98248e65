"""The columns of an operator's CSV files, kind by kind: what each must hold, and how it is read."""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from mcp_tools.places import airline_name, artist_name, city_name, number, station_name

Reader = Callable[[str, dt.date], Any]
"""The cell's text and today's date → its value. ValueError when it is not what was expected."""

_AHEAD_DAYS = 366
_MOST = 1_000_000
_DEAREST = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `expected` completes the sentence "… was expected"; one that is not needed may be left out."""

    name: str
    expected: str
    read: Reader
    needed: bool = True


def _text(most: int, named: Callable[[str], str] = str.strip) -> Reader:
    def read(cell: str, _today: dt.date) -> str:
        value = named(cell.strip())
        if not value or len(value) > most or not value.isprintable():
            raise ValueError
        return value

    return read


def _matching(pattern: str) -> Reader:
    def read(cell: str, _today: dt.date) -> str:
        if not re.fullmatch(pattern, value := number(cell)):
            raise ValueError
        return value

    return read


def _whole(least: int, most: int) -> Reader:
    def read(cell: str, _today: dt.date) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", cell.strip()) or not least <= (value := int(cell)) <= most:
            raise ValueError
        return value

    return read


def _date(cell: str, today: dt.date) -> dt.date:
    said = cell.strip()
    if re.fullmatch(r"\+[0-9]{1,3}", said):
        day = today + dt.timedelta(days=int(said))
    elif re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", said):
        day = dt.date.fromisoformat(said)
    else:
        raise ValueError
    if not today <= day <= today + dt.timedelta(days=_AHEAD_DAYS):
        raise ValueError
    return day


def _minutes(cell: str, _today: dt.date) -> int:
    if not (read := re.fullmatch(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", cell.strip())):
        raise ValueError
    return int(read[1]) * 60 + int(read[2])


def _fen(cell: str, _today: dt.date) -> int:
    try:
        price = Decimal(cell.strip())
    except InvalidOperation:
        raise ValueError from None
    fen = price * 100
    if not price.is_finite() or not 0 < price <= _DEAREST or fen != fen.to_integral_value():
        raise ValueError
    return int(fen)


def _regions(cell: str, _today: dt.date) -> str:
    names = [name.strip() for name in re.split(r"[、;；,，]", cell) if name.strip()]
    value = f",{','.join(names)},"
    if not names or len(value) > 255 or not value.isprintable():
        raise ValueError
    return value


def _city(name: str) -> Column:
    return Column(name, "a city of at most 32 characters", _text(32, city_name))


def _station(name: str, what: str, named: Callable[[str], str] = str.strip) -> Column:
    return Column(name, f"{what} of at most 32 characters", _text(32, named))


_DATE = Column("date", "a date like 2026-08-17 (or +3: days from today), from today on and within a year,", _date)
_DEPART = Column("depart", "a time of day like 08:30", _minutes)
_DURATION = Column("duration_min", "whole minutes from 1 to 10000", _whole(1, 10_000))
_PRICE = Column("price", "a price in CNY like 553.00, above 0 and at most 1000000,", _fen)
_TOTAL = Column("total", f"a whole number from 0 to {_MOST}", _whole(0, _MOST))
_SOLD_AT = (_PRICE, _TOTAL)

COLUMNS: dict[str, tuple[Column, ...]] = {
    "train": (
        Column("train_no", "a letter and one to four digits, like G1,", _matching(r"[A-Z][0-9]{1,4}")),
        _station("from_station", "a station", station_name), _station("to_station", "a station", station_name),
        _city("from_city"), _city("to_city"), _DATE, _DEPART, _DURATION,
        Column("seat_class", "a seat class like 二等座, at most 16 characters,", _text(16)), *_SOLD_AT,
    ),
    "flight": (
        Column("flight_no", "an airline's code and digits, like CA1101,", _matching(r"[A-Z0-9]{2}[0-9]{1,4}[A-Z]?")),
        Column("airline", "an airline of at most 32 characters", _text(32, airline_name)),
        _station("from_airport", "an airport"), _station("to_airport", "an airport"),
        _city("from_city"), _city("to_city"), _DATE, _DEPART, _DURATION,
        Column("via_city", "nothing, or the city where it stops, at most 32 characters,", _text(32, city_name), False),
        Column("cabin", "a cabin like 经济舱, at most 16 characters,", _text(16)), *_SOLD_AT,
    ),
    "concert": (
        Column("artist", "an artist of at most 32 characters", _text(32, artist_name)),
        Column("name", "the concert's name, at most 128 characters,", _text(128)),
        Column("venue", "a venue of at most 64 characters", _text(64)), _city("city"), _DATE,
        Column("starts", "a time of day like 19:30", _minutes),
        Column("area", "an area like 内场, at most 32 characters,", _text(32)), *_SOLD_AT,
    ),
    "car_rental": (
        Column("brand", "a brand of at most 32 characters", _text(32)),
        Column("model", "a model of at most 32 characters", _text(32)),
        Column("seats", "a whole number from 1 to 60", _whole(1, 60)), _city("city"), _DATE,
        Column("price", "the price of a day in CNY like 198.00, above 0 and at most 1000000,", _fen), _TOTAL,
    ),
    "tour_group": (
        Column("name", "the tour's name, at most 128 characters,", _text(128)), _city("from_city"),
        _city("destination"),
        Column("region", "nothing, or a province of at most 32 characters,", _text(32), False),
        Column("days", "a whole number from 1 to 60", _whole(1, 60)), _DATE, *_SOLD_AT,
    ),
    "insurance": (
        Column("name", "the product's name, at most 128 characters,", _text(128)),
        Column("insurer", "an insurer of at most 64 characters", _text(64)),
        Column("coverage", "what is covered, at most 512 characters,", _text(512)),
        Column("regions", "nothing (the whole mainland), or provinces joined by 、", _regions, False),
        Column("days", "a whole number from 1 to 60", _whole(1, 60)), *_SOLD_AT,
    ),
}
"""What each kind's file holds, in the order of the sample files. The order of a file's own columns does not matter."""

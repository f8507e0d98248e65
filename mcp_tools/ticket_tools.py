"""Train and flight tickets: what is on sale between two cities."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, RowMapping, Table, not_, select, true

from core.shared.errors import InvalidRequest
from mcp_tools.checks import price_limits, sold_so_far, two_cities, window_of_times
from mcp_tools.on_sale import OnSale, of_one_row, row_on_sale
from mcp_tools.places import airline_name, city_name, number, station_name
from mcp_tools.rows import FlightRow, Found, TrainRow
from mcp_tools.search import (
    Page,
    columns_of,
    first_page,
    has_left,
    minutes_into,
    moment,
    named,
    not_departed,
    price_order,
    refuse_unknown_city,
    same,
    within_prices,
    without,
    yuan,
)
from mcp_tools.tables import flight_cabins, flights, train_seats, trains
from mcp_tools.wishes import FlightWish, Sort, TicketWish, TrainWish

_DAY = 24 * 60
_NIGHT_ENDS = dt.time(5)
"""凌晨一点前到 is an hour of the night after the day of departure."""

_ENDS = {"from_city": "出发城市", "to_city": "到达城市"}

_SEATS = {"二等": "二等座", "一等": "一等座", "商务": "商务座", "硬席": "硬座", "商务舱": "商务座"}
_CABINS = {
    "经济": "经济舱", "公务": "公务舱", "商务": "公务舱", "商务舱": "公务舱", "头等": "头等舱",
}


def _seat(said: str) -> str:
    return _SEATS.get(said, said)


def _cabin(said: str) -> str:
    return _CABINS.get(said, said)


_NOT_ON_TRAINS = {
    "train_type": (trains.c.train_type, number), "seat_class": (train_seats.c.seat_class, _seat),
    "train_no": (trains.c.train_no, number), "from_station": (trains.c.from_station, station_name),
    "to_station": (trains.c.to_station, station_name),
}
_NOT_IN_FLIGHTS = {
    "airline": (flights.c.airline, airline_name), "cabin": (flight_cabins.c.cabin, _cabin),
    "flight_no": (flights.c.flight_no, number),
}


def query_train_tickets(engine: Engine, wish: TrainWish, now: dt.datetime) -> Found[TrainRow]:
    """Trains by seat class, the next departure first unless `sort` says otherwise.

    InvalidRequest: a date that is not on sale, one city twice, an impossible window of times or prices, a city nobody
    knows. Nothing found is an empty answer.
    """
    special = [
        same(trains.c.train_no, number(wish.train_no) if wish.train_no else None),
        same(trains.c.train_type, wish.train_type),
        same(train_seats.c.seat_class, _seat(wish.seat_class) if wish.seat_class else None),
        same(trains.c.from_station, station_name(wish.from_station) if wish.from_station else None),
        same(trains.c.to_station, station_name(wish.to_station) if wish.to_station else None),
        *without(_NOT_ON_TRAINS, wish),
    ]
    page = _search(engine, wish, now, trains, train_seats, special)
    return Found(tuple(_train_row(row) for row in page.rows), page.more, page.origin, page.until)


def query_flight_tickets(engine: Engine, wish: FlightWish, now: dt.datetime) -> Found[FlightRow]:
    """Flights by cabin; otherwise like `query_train_tickets`."""
    special = [
        same(flights.c.flight_no, number(wish.flight_no) if wish.flight_no else None),
        same(flights.c.airline, airline_name(wish.airline) if wish.airline else None),
        same(flight_cabins.c.cabin, _cabin(wish.cabin) if wish.cabin else None),
        flights.c.via_city.is_(None) if wish.direct else true(),
        _at_airport(flights.c.from_airport, wish.from_station, wish.from_city),
        _at_airport(flights.c.to_airport, wish.to_station, wish.to_city),
        *(not_(_at_airport(flights.c.from_airport, name, wish.from_city)) for name in _unwanted("from_station", wish)),
        *(not_(_at_airport(flights.c.to_airport, name, wish.to_city)) for name in _unwanted("to_station", wish)),
        *without(_NOT_IN_FLIGHTS, wish),
    ]
    page = _search(engine, wish, now, flights, flight_cabins, special)
    return Found(tuple(_flight_row(row) for row in page.rows), page.more, page.origin, page.until)


def train_on_sale(connection: Connection, item_id: str) -> OnSale | None:
    row = row_on_sale(connection, trains, train_seats, item_id)
    return of_one_row(_train_row(row), row, minutes_into(row["date"], row["depart_min"])) if row else None


def flight_on_sale(connection: Connection, item_id: str) -> OnSale | None:
    row = row_on_sale(connection, flights, flight_cabins, item_id)
    return of_one_row(_flight_row(row), row, minutes_into(row["date"], row["depart_min"])) if row else None


def _search(
    engine: Engine, wish: TicketWish, now: dt.datetime, services: Table, sales: Table,
    special: list[ColumnElement[bool]],
) -> Page:
    first, last, until = sold_so_far(wish.date, wish.date_end, now.date())
    cities = _cities(services, wish)
    two_cities(*cities.values())
    window_of_times(wish.time_after, wish.time_before)
    price_limits(wish.price_min, wish.price_max)
    statement = (
        select(*columns_of(services, sales))
        .select_from(services.join(sales))
        .where(*(same(services.c[end], name) for end, name in cities.items()), sales.c.date.between(first, last))
        .where(same(sales.c.item_id, wish.item_id), *special)
        .where(*within_prices(sales.c.price_fen, wish), *_within_times(services, wish))
        .where(not_departed(sales.c.date, services.c.depart_min, now), has_left(sales.c.remaining, wish))
        .order_by(*_order(wish.sort, services, sales))
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, wish.limit, until)
        if not page.rows:
            for name in filter(None, cities.values()):
                refuse_unknown_city(connection, services, ("from_city", "to_city"), name)
    return page


def _cities(services: Table, wish: TicketWish) -> dict[str, str | None]:
    """From where to where. InvalidRequest where one is not said and no number says it."""
    said = {"from_city": wish.from_city, "to_city": wish.to_city}
    number_name = "train_no" if services is trains else "flight_no"
    if not (getattr(wish, number_name) or wish.item_id):
        for end, name in said.items():
            if not name:
                raise InvalidRequest(f"还缺少{_ENDS[end]}，请补充一下。")
    return {end: city_name(name) if name else None for end, name in said.items()}


def _within_times(services: Table, wish: TicketWish) -> list[ColumnElement[bool]]:
    leaves, lasts = services.c.depart_min, services.c.duration_min
    limits = [*_within(leaves, wish.time_after, wish.time_before)]
    night = _DAY if wish.arrive_before and wish.arrive_before < _NIGHT_ENDS else 0
    return [*limits, *_within(leaves + lasts, wish.arrive_after, wish.arrive_before, night)]


def _within(
    minute: ColumnElement[int], after: dt.time | None, before: dt.time | None, later: int = 0
) -> list[ColumnElement[bool]]:
    """Both ends included; `later`: minutes by which the last one is put off."""
    limits = [minute >= after.hour * 60 + after.minute] if after else []
    return [*limits, minute <= before.hour * 60 + before.minute + later] if before else limits


def _order(sort: Sort | None, services: Table, sales: Table) -> list[ColumnElement[Any]]:
    """What was asked for first, then departure, then price; the last column makes the order the same every time."""
    leading: dict[Sort | None, list[ColumnElement[Any]]] = {
        "-depart": [sales.c.date.desc(), services.c.depart_min.desc()],
        "duration": [services.c.duration_min],
    }
    by_departure = [sales.c.date, services.c.depart_min, sales.c.price_fen, sales.c.item_id]
    return [*leading.get(sort, price_order(sales.c.price_fen, sort)), *by_departure]


def _unwanted(slot: str, wish: FlightWish) -> Sequence[str]:
    return wish.exclude.get(slot, ())


def _at_airport(airport: ColumnElement[str], said: str | None, city: str | None) -> ColumnElement[bool]:
    """浦东机场, 上海浦东 and 浦东国际机场T2 all mean the airports whose name holds 浦东."""
    if not said:
        return true()
    its_city = city_name(city or "")
    if said.strip() == its_city:
        return true()
    return named(airport, said.strip().removeprefix(its_city).split("国际")[0].split("机场")[0])


def _train_row(row: RowMapping) -> TrainRow:
    day: dt.date = row["date"]
    return TrainRow(
        row["item_id"], f"{row['train_no']} {row['from_station']}→{row['to_station']} {row['seat_class']}",
        yuan(row["price_fen"]), row["remaining"], row["train_no"], row["train_type"], row["from_station"],
        row["to_station"], row["from_city"], row["to_city"], day.isoformat(), moment(day, row["depart_min"]),
        moment(day, row["depart_min"] + row["duration_min"]), row["duration_min"], row["seat_class"],
        row["origin"],
    )


def _flight_row(row: RowMapping) -> FlightRow:
    day: dt.date = row["date"]
    via = f"（经停{row['via_city']}）" if row["via_city"] else ""
    return FlightRow(
        row["item_id"],
        f"{row['airline']}{row['flight_no']} {row['from_airport']}→{row['to_airport']}{via} {row['cabin']}",
        yuan(row["price_fen"]), row["remaining"], row["flight_no"], row["airline"], row["from_airport"],
        row["to_airport"], row["from_city"], row["to_city"], day.isoformat(), moment(day, row["depart_min"]),
        moment(day, row["depart_min"] + row["duration_min"]), row["duration_min"], row["cabin"], row["origin"],
    )

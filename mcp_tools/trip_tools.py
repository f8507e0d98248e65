"""Tour groups: what goes where, for how many days, and when."""

import datetime as dt
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, RowMapping, func, literal, or_, select, true

from core.shared.errors import InvalidRequest
from mcp_tools.checks import dates_on_sale, price_limits, shown
from mcp_tools.horizon import SALE_DAYS
from mcp_tools.on_sale import OnSale, of_one_row, row_on_sale
from mcp_tools.places import city_name, is_known_city, is_known_region
from mcp_tools.rows import Found, TourRow
from mcp_tools.search import (
    columns_of,
    first_page,
    has_left,
    minutes_into,
    named,
    not_departed,
    price_order,
    refuse_unknown_city,
    same,
    within_prices,
    without,
    yuan,
)
from mcp_tools.tables import tour_departures, tour_groups
from mcp_tools.wishes import Sort, TourWish

_LEAVES_MIN = 8 * 60
"""Groups meet in the morning: after eight o'clock today's have left."""

_NOT_THESE = {"destination": (tour_groups.c.destination, city_name), "from_city": (tour_groups.c.from_city, city_name)}


def query_tour_group(engine: Engine, wish: TourWish, now: dt.datetime) -> Found[TourRow]:
    """Tours to a place. With a date: that day's departures (or those of the range); without one: for each tour its
    next departure that has room, or its very next where none has.

    InvalidRequest: a date that is not on sale, impossible prices, a destination or city nobody knows.
    """
    price_limits(wish.price_min, wish.price_max)
    first, last = _dates(wish, now.date())
    destination = city_name(wish.destination)
    from_city = city_name(wish.from_city) if wish.from_city else None
    departures = (
        select(*columns_of(tour_groups, tour_departures), _turn().label("turn"))
        .select_from(tour_groups.join(tour_departures))
        .where(same(tour_departures.c.item_id, wish.item_id))
        .where(_goes_to(destination), same(tour_groups.c.from_city, from_city))
        .where(tour_groups.c.days == wish.days if wish.days is not None else true())
        .where(tour_departures.c.date.between(first, last), *within_prices(tour_departures.c.price_fen, wish))
        .where(not_departed(tour_departures.c.date, literal(_LEAVES_MIN), now), *without(_NOT_THESE, wish))
        .where(has_left(tour_departures.c.remaining, wish))
        .subquery()
    )
    statement = (
        select(departures)
        .where(departures.c.turn == 1 if wish.date is None else true())
        .order_by(*_order(wish.sort, departures.c))
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, wish.limit)
        if not page.rows:
            _refuse_unknown(connection, destination, from_city)
    return Found(tuple(_row(row) for row in page.rows), page.more, page.origin)


def tour_on_sale(connection: Connection, item_id: str) -> OnSale | None:
    row = row_on_sale(connection, tour_groups, tour_departures, item_id)
    return of_one_row(_row(row), row, minutes_into(row["date"], _LEAVES_MIN)) if row else None


def _dates(wish: TourWish, today: dt.date) -> tuple[dt.date, dt.date]:
    if wish.date is None:
        first = today + dt.timedelta(days=1)
        last = wish.date_end or today + dt.timedelta(days=SALE_DAYS - 1)
    else:
        first, last = wish.date, wish.date_end or wish.date
    return dates_on_sale(first, last, today)


def _turn() -> ColumnElement[int]:
    """1 for a tour's next departure; those that are sold out come after all that have room."""
    room_first = (tour_departures.c.remaining == 0, tour_departures.c.date)
    return func.row_number().over(partition_by=tour_groups.c.tour_id, order_by=room_first)


def _goes_to(destination: str) -> ColumnElement[bool]:
    return or_(
        tour_groups.c.destination == destination,
        tour_groups.c.region == destination,
        named(tour_groups.c.name, destination),
    )


def _order(sort: Sort | None, columns: Any) -> list[ColumnElement[Any]]:
    leading: dict[Sort | None, list[ColumnElement[Any]]] = {
        "depart": [columns.date], "-depart": [columns.date.desc()], "duration": [columns.days],
    }
    usual = [columns.days, columns.price_fen, columns.date, columns.item_id]
    return [*leading.get(sort, price_order(columns.price_fen, sort)), *usual]


def _refuse_unknown(connection: Connection, destination: str, from_city: str | None) -> None:
    if from_city:
        refuse_unknown_city(connection, tour_groups, ("from_city",), from_city)
    if is_known_city(destination) or is_known_region(destination):
        return
    if connection.scalar(select(tour_groups.c.tour_id).where(_goes_to(destination)).limit(1)) is None:
        raise InvalidRequest(f"没有找到名为“{shown(destination)}”的目的地，请检查一下名称，或者告诉我附近的城市。")


def _row(row: RowMapping) -> TourRow:
    return TourRow(
        row["item_id"], f"{row['name']}（{row['from_city']}出发）", yuan(row["price_fen"]), row["remaining"],
        row["name"], row["from_city"], row["destination"], row["days"], row["date"].isoformat(), row["origin"],
    )

"""Concerts: who plays where and when, and what a place in each area costs."""

import datetime as dt
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, RowMapping, or_, select, true

from mcp_tools.checks import dates_on_sale, price_limits
from mcp_tools.horizon import CONCERT_DAYS
from mcp_tools.on_sale import OnSale, of_one_row, row_on_sale
from mcp_tools.places import artist_name, city_name
from mcp_tools.rows import ConcertRow, Found
from mcp_tools.search import (
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
from mcp_tools.tables import concert_areas, concerts
from mcp_tools.wishes import ConcertWish, Sort


def query_concert_tickets(engine: Engine, wish: ConcertWish, now: dt.datetime) -> Found[ConcertRow]:
    """Concerts by area, the next one first unless `sort` says otherwise; without a date all that are announced.

    InvalidRequest: a date that is not on sale, impossible prices, a city nobody knows. An artist who does not play is
    an empty answer.
    """
    price_limits(wish.price_min, wish.price_max)
    first, last = _dates(wish, now.date())
    city = city_name(wish.city) if wish.city else None
    statement = (
        select(*columns_of(concerts, concert_areas))
        .select_from(concerts.join(concert_areas))
        .where(same(concerts.c.city, city), _plays(wish.artist), _lies_in(wish.area))
        .where(same(concert_areas.c.item_id, wish.item_id), concerts.c.date.between(first, last))
        .where(not_departed(concerts.c.date, concerts.c.starts_min, now), has_left(concert_areas.c.remaining, wish))
        .where(*within_prices(concert_areas.c.price_fen, wish), *without(_NOT_THESE, wish))
        .order_by(*_order(wish.sort))
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, wish.limit)
        if city is not None and not page.rows:
            refuse_unknown_city(connection, concerts, ("city",), city)
    return Found(tuple(_row(row) for row in page.rows), page.more, page.origin)


def concert_on_sale(connection: Connection, item_id: str) -> OnSale | None:
    row = row_on_sale(connection, concerts, concert_areas, item_id)
    return of_one_row(_row(row), row, minutes_into(row["date"], row["starts_min"])) if row else None


def _dates(wish: ConcertWish, today: dt.date) -> tuple[dt.date, dt.date]:
    horizon = today + dt.timedelta(days=CONCERT_DAYS - 1)
    if wish.date is None:
        return dates_on_sale(today, wish.date_end or horizon, today, CONCERT_DAYS)
    return dates_on_sale(wish.date, wish.date_end, today, CONCERT_DAYS)


def _plays(said: str | None) -> ColumnElement[bool]:
    """The artist, or a concert that is called so."""
    if said is None:
        return true()
    return or_(concerts.c.artist == artist_name(said), concerts.c.name == said.strip())


def _area(said: str) -> str:
    return said.strip().removesuffix("票").upper()


def _lies_in(said: str | None) -> ColumnElement[bool]:
    return true() if said is None else named(concert_areas.c.area, _area(said))


_NOT_THESE = {
    "artist": (concerts.c.artist, artist_name), "city": (concerts.c.city, city_name),
    "area": (concert_areas.c.area, _area),
}


def _order(sort: Sort | None) -> list[ColumnElement[Any]]:
    usual = [concerts.c.date, concerts.c.starts_min, concerts.c.artist, concert_areas.c.price_fen]
    if sort == "-depart":
        return [concerts.c.date.desc(), concerts.c.starts_min.desc(), *usual, concert_areas.c.item_id]
    return [*price_order(concert_areas.c.price_fen, sort), *usual, concert_areas.c.item_id]


def _row(row: RowMapping) -> ConcertRow:
    day: dt.date = row["date"]
    return ConcertRow(
        row["item_id"], f"{row['artist']}“{row['name']}”{row['city']}站 {row['area']}", yuan(row["price_fen"]),
        row["remaining"], row["artist"], row["venue"], row["city"], day.isoformat(), moment(day, row["starts_min"]),
        row["area"], row["origin"],
    )

"""Rental cars: what can be had in a city for some whole days, at the price of all of them."""

import datetime as dt
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, RowMapping, Select, func, select, true

from mcp_tools.checks import dates_on_sale, price_limits
from mcp_tools.items import rental_id, rental_of
from mcp_tools.on_sale import Line, OnSale, shown_of
from mcp_tools.places import city_name
from mcp_tools.rows import CarRow, Found
from mcp_tools.search import (
    first_page,
    has_left,
    minutes_into,
    named,
    price_order,
    refuse_unknown_city,
    within_prices,
    without,
    yuan,
)
from mcp_tools.tables import car_days, rental_cars
from mcp_tools.wishes import CarWish, Sort

_PRICE = func.sum(car_days.c.price_fen)
_REMAINING = func.min(car_days.c.remaining)
_DAY_MIN = 24 * 60

_NOT_THESE = {"brand": (rental_cars.c.brand, str.strip)}


def query_car_rental(engine: Engine, wish: CarWish, now: dt.datetime) -> Found[CarRow]:
    """Cars by model, the cheapest first; only those that are to be had on each of the days.

    InvalidRequest: dates that are not on sale, impossible prices, a city nobody knows.
    """
    price_limits(wish.price_min, wish.price_max)
    first, days = _days(wish, now.date())
    city = city_name(wish.city)
    statement = (
        _rentals(first, days)
        .where(rental_cars.c.city == city, _is_called(wish.brand), _has_seats(wish, city), *without(_NOT_THESE, wish))
        .where(_is_item(wish.item_id, first, days))
        .having(*within_prices(_PRICE, wish), _within_day_price(wish, days), has_left(_REMAINING, wish))
        .order_by(*_order(wish.sort))
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, wish.limit)
        if not page.rows:
            refuse_unknown_city(connection, rental_cars, ("city",), city)
    return Found(tuple(_row(row, first, days) for row in page.rows), page.more, page.origin)


def car_on_sale(connection: Connection, item_id: str) -> OnSale | None:
    """A rental takes the stock of each of its days."""
    rental = rental_of(item_id)
    if rental is None:
        return None
    car_id, first, days = rental
    row = connection.execute(_rentals(first, days).where(rental_cars.c.car_id == car_id)).mappings().first()
    if row is None:
        return None
    its_days = select(car_days.c.item_id, car_days.c.price_fen).where(
        car_days.c.car_id == car_id, car_days.c.date.between(first, _last(first, days))
    )
    lines = tuple(Line(*line) for line in connection.execute(its_days.order_by(car_days.c.date)))
    price = sum(line.price_fen for line in lines)
    shown = shown_of(_row(row, first, days))
    return OnSale(shown, price, row["remaining"], lines, minutes_into(first, _DAY_MIN), row["origin"])


def _rentals(first: dt.date, days: int) -> Select[Any]:
    """Each car that has a row for every day, with the price of all days and what is left on the scarcest."""
    return (
        select(
            *(column for column in rental_cars.columns if column.name != "origin"), _PRICE.label("price_fen"),
            _REMAINING.label("remaining"), func.min(car_days.c.origin).label("origin"),
        )
        .select_from(rental_cars.join(car_days))
        .where(car_days.c.date.between(first, _last(first, days)))
        .group_by(*(column for column in rental_cars.columns if column.name != "origin"))
        .having(func.count() == days)
    )


def _last(first: dt.date, days: int) -> dt.date:
    return first + dt.timedelta(days=days - 1)


def _days(wish: CarWish, today: dt.date) -> tuple[dt.date, int]:
    end = wish.date_end if wish.days is None and wish.date_end else _last(wish.date, wish.days or 1)
    first, last = dates_on_sale(wish.date, end, today)
    return first, (last - first).days + 1


def _is_item(item_id: str | None, first: dt.date, days: int) -> ColumnElement[bool]:
    """A row's name holds its dates: another rental of the same car is another item."""
    if item_id is None:
        return true()
    rental = rental_of(item_id)
    return rental_cars.c.car_id == (rental[0] if rental and rental[1:] == (first, days) else "")


def _is_called(said: str | None) -> ColumnElement[bool]:
    """A brand, a model, or both in one word: 别克, GL8, 别克GL8."""
    if said is None:
        return true()
    return named(func.replace(rental_cars.c.brand + rental_cars.c.model, " ", ""), said.replace(" ", ""))


def _within_day_price(wish: CarWish, days: int) -> ColumnElement[bool]:
    return true() if wish.day_price_max is None else int(wish.day_price_max * 100 * days) >= _PRICE


def _has_seats(wish: CarWish, city: str) -> ColumnElement[bool]:
    """The smallest size that is large enough: six people get seven seats, and five no bus."""
    if wish.seats is None:
        return true()
    fitting = select(func.min(rental_cars.c.seats)).where(
        rental_cars.c.city == city, rental_cars.c.seats >= wish.seats, _is_called(wish.brand)
    )
    return rental_cars.c.seats == fitting.correlate(None).scalar_subquery()


def _order(sort: Sort | None) -> list[ColumnElement[Any]]:
    return [*price_order(_PRICE, sort), _PRICE, rental_cars.c.seats, rental_cars.c.car_id]


def _row(row: RowMapping, first: dt.date, days: int) -> CarRow:
    price = int(row["price_fen"])  # MySQL's sums are decimals
    return CarRow(
        rental_id(row["car_id"], first, days),
        f"{row['brand']} {row['model']} {row['seats']}座 {row['city']}取车{days}天", yuan(price),
        row["remaining"], row["brand"], row["model"], row["seats"], row["city"], first.isoformat(), days,
        row["origin"],
    )

"""What every search has in common: the first page with a count of the rest, prices, moments, filters."""

import datetime as dt
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, Table, false, func, or_, select, true

from core.shared.clock import SHANGHAI
from mcp_tools.checks import unknown_city
from mcp_tools.places import is_known_city
from mcp_tools.wishes import Shopping, Sort

Named = Callable[[str], str]
"""From what people say to the name that rows have: 国航 → 中国国航."""


@dataclass(frozen=True, slots=True)
class Page:
    """The first rows as the database gave them, how many more there are, where they come from, and, where later days
    were asked for, until when was looked."""

    rows: list[RowMapping]
    more: int
    origin: str | None
    until: str | None = None


def first_page(connection: Connection, statement: Select[Any], limit: int, until: str | None = None) -> Page:
    counted = statement.add_columns(func.count().over().label("found")).limit(limit)
    rows = list(connection.execute(counted).mappings())
    found = int(rows[0]["found"]) if rows else 0
    return Page(rows, found - len(rows), _origin(rows), until)


def _origin(rows: list[RowMapping]) -> str | None:
    """One demo row makes the answer a demo: nobody shall take it for a real offer."""
    origins = sorted({str(row["origin"]) for row in rows})
    return "demo" if "demo" in origins else next(iter(origins), None)


def columns_of(services: Table, sales: Table) -> list[ColumnElement[Any]]:
    """The columns of both, each name once; where both have one (`origin`), what is sold decides."""
    return list({column.name: column for column in (*services.columns, *sales.columns)}.values())


def price_order(price: ColumnElement[int], sort: Sort | None) -> list[ColumnElement[Any]]:
    """The leading part of an order by price, cheapest or dearest first; empty for every other order."""
    if sort == "price":
        return [price]
    return [price.desc()] if sort == "-price" else []


def within_prices(price: ColumnElement[int], wish: Shopping) -> list[ColumnElement[bool]]:
    limits = []
    if wish.price_min is not None:
        limits.append(price >= _fen(wish.price_min, ROUND_CEILING))
    if wish.price_max is not None:
        limits.append(price <= _fen(wish.price_max, ROUND_FLOOR))
    return limits


def has_left(remaining: ColumnElement[int], wish: Shopping) -> ColumnElement[bool]:
    """Only what still has as many as are wished for; sold-out rows are shown to those who named no number."""
    return true() if wish.quantity is None else remaining >= wish.quantity


def without(columns: Mapping[str, tuple[ColumnElement[str], Named]], wish: Shopping) -> list[ColumnElement[bool]]:
    """What the traveller does not want, by the slots this search knows; each value under the name that rows have."""
    return [
        column.not_in([usual(value) for value in wish.exclude[slot]])
        for slot, (column, usual) in columns.items()
        if wish.exclude.get(slot)
    ]


def _fen(yuan: Decimal, rounding: str) -> int:
    return int((yuan * 100).to_integral_value(rounding))


def yuan(fen: int) -> str:
    """55300 fen are "553.00"."""
    return f"{fen // 100}.{fen % 100:02d}"


def not_departed(date: ColumnElement[dt.date], depart_min: ColumnElement[int], now: dt.datetime) -> ColumnElement[bool]:
    """What has left by `now` (Shanghai) is no longer on offer."""
    return or_(date > now.date(), depart_min > now.hour * 60 + now.minute)


def same(column: ColumnElement[str], value: str | None) -> ColumnElement[bool]:
    return true() if value is None else column == value


def named(name: ColumnElement[str], said: str) -> ColumnElement[bool]:
    """A name that holds what was said. What has nothing to be seen in it is in no name: it would be in every one."""
    seen = "".join(char for char in said if unicodedata.category(char)[0] not in "CZM")
    return name.contains(said, autoescape=True) if seen else false()


def minutes_into(day: dt.date, minutes: int) -> dt.datetime:
    """Minutes after the day's midnight in Shanghai; beyond 1,440 it is the next day."""
    return SHANGHAI.localize(dt.datetime.combine(day, dt.time()) + dt.timedelta(minutes=minutes))


def moment(day: dt.date, minutes: int) -> str:
    """The same as RFC 3339."""
    return minutes_into(day, minutes).isoformat()


def refuse_unknown_city(connection: Connection, table: Table, columns: tuple[str, ...], name: str) -> None:
    """Nothing was found: raise InvalidRequest when the reason is that no such city is known, here or in the table."""
    if is_known_city(name):
        return
    for column in (table.c[named] for named in columns):  # one after another: each has its index
        if connection.scalar(select(column).where(column == name).limit(1)) is not None:
            return
    raise unknown_city(name)

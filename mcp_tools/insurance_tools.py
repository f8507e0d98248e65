"""Travel insurance: what covers a journey of so many days, and what it costs each person."""

import datetime as dt
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, RowMapping, func, or_, select, true

from core.shared.errors import InvalidRequest
from mcp_tools.checks import price_limits, shown
from mcp_tools.on_sale import OnSale, of_one_row, row_on_sale
from mcp_tools.places import province_of
from mcp_tools.rows import Found, InsuranceRow
from mcp_tools.search import columns_of, first_page, has_left, price_order, same, within_prices, without, yuan
from mcp_tools.tables import insurance_plans, insurance_products
from mcp_tools.wishes import InsuranceWish, Sort

_BEYOND = ("香港", "澳门", "台湾")
"""Where what is good for the whole mainland (全国) is not."""

_MAINLAND = ("中国", "国内", "境内", "全国", "大陆")

_NOT_THESE = {"insurer": (insurance_products.c.insurer, str.strip)}


def query_insurance(engine: Engine, wish: InsuranceWish, _now: dt.datetime) -> Found[InsuranceRow]:
    """Plans for exactly so many days, the cheapest first; without a number of days each product's shortest.

    InvalidRequest: more days than any plan has, a destination nobody knows, impossible prices.
    """
    price_limits(wish.price_min, wish.price_max)
    plans = (
        select(*columns_of(insurance_products, insurance_plans), _turn().label("turn"))
        .select_from(insurance_products.join(insurance_plans))
        .where(_good_for(wish.destination), *without(_NOT_THESE, wish))
        .where(insurance_plans.c.days == wish.days if wish.days is not None else true())
        .where(*within_prices(insurance_plans.c.price_fen, wish), has_left(insurance_plans.c.remaining, wish))
        .where(same(insurance_plans.c.item_id, wish.item_id))
        .subquery()
    )
    statement = (
        select(plans)
        .where(plans.c.turn == 1 if wish.days is None else true())
        .order_by(*_order(wish.sort, plans.c))
    )
    with engine.connect() as connection:
        page = first_page(connection, statement, wish.limit)
        if not page.rows:
            _refuse_too_long(connection, wish.days)
    return Found(tuple(_row(row) for row in page.rows), page.more, page.origin)


def insurance_on_sale(connection: Connection, item_id: str) -> OnSale | None:
    row = row_on_sale(connection, insurance_products, insurance_plans, item_id)
    return of_one_row(_row(row), row, None) if row else None


def _turn() -> ColumnElement[int]:
    return func.row_number().over(partition_by=insurance_products.c.product_id, order_by=insurance_plans.c.days)


def _good_for(destination: str | None) -> ColumnElement[bool]:
    """What names the province, and what is good for the whole mainland where the province lies there."""
    if destination is None or destination in _MAINLAND:
        return true() if destination is None else _covers("全国")
    province = province_of(destination)
    if province is None:
        raise InvalidRequest(f"目前的旅行保险只保国内的行程，没有找到名为“{shown(destination)}”的国内城市或省份。")
    return _covers(province) if province in _BEYOND else or_(_covers(province), _covers("全国"))


def _covers(region: str) -> ColumnElement[bool]:
    return insurance_products.c.regions.contains(f",{region},", autoescape=True)


def _refuse_too_long(connection: Connection, days: int | None) -> None:
    longest = connection.scalar(select(func.max(insurance_plans.c.days)))
    if days is not None and longest is not None and days > longest:
        raise InvalidRequest(f"旅行保险目前最长可以保{longest}天，请缩短天数，或者分两段投保。")


def _order(sort: Sort | None, columns: Any) -> list[ColumnElement[Any]]:
    usual = [columns.price_fen, columns.days, columns.item_id]
    return [*([columns.days] if sort == "duration" else price_order(columns.price_fen, sort)), *usual]


def _row(row: RowMapping) -> InsuranceRow:
    return InsuranceRow(
        row["item_id"], f"{row['insurer']} {row['name']} {row['days']}天", yuan(row["price_fen"]), row["remaining"],
        row["name"], row["insurer"], row["coverage"], row["days"], row["origin"],
    )

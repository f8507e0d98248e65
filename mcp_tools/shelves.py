"""The kinds of things that are sold: where their stock lies and how one of them is found. A new kind is a row here."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, Table

from mcp_tools import car_tools, concert_tools, insurance_tools, tables, ticket_tools, trip_tools
from mcp_tools.on_sale import Kind, OnSale

_MOST = 9
_MOST_POLICIES = 20


@dataclass(frozen=True, slots=True)
class Shelf:
    """One kind. `number` leads its order numbers, `unit` and `too_late` are for sentences."""

    kind: Kind
    number: int
    sales: Table
    find: Callable[[Connection, str], OnSale | None]
    unit: str
    too_late: str
    most: int = _MOST
    """How many may be bought in one order."""


SHELVES: dict[Kind, Shelf] = {
    shelf.kind: shelf
    for shelf in (
        Shelf("train", 1, tables.train_seats, ticket_tools.train_on_sale, "张", "已经发车"),
        Shelf("flight", 2, tables.flight_cabins, ticket_tools.flight_on_sale, "张", "已经起飞"),
        Shelf("concert", 3, tables.concert_areas, concert_tools.concert_on_sale, "张", "已经开演"),
        Shelf("car_rental", 4, tables.car_days, car_tools.car_on_sale, "辆", "的取车日期已经过去"),
        Shelf("tour_group", 5, tables.tour_departures, trip_tools.tour_on_sale, "位", "已经出发"),
        Shelf(
            "insurance", 6, tables.insurance_plans, insurance_tools.insurance_on_sale, "份", "已经停售", _MOST_POLICIES
        ),
    )
}


def unit_of(kind: str) -> str:
    """What goods of this kind are counted in; empty for what is not sold."""
    return next((shelf.unit for shelf in SHELVES.values() if shelf.kind == kind), "")

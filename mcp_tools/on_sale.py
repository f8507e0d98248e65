"""One thing on the shelf as it stands now, whatever its kind: what an order needs to know before it takes any of it."""

import datetime as dt
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection, RowMapping, Table, select

from core.shared.json_types import JsonObject
from mcp_tools.search import columns_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Kind = Literal["train", "flight", "concert", "car_rental", "tour_group", "insurance"]


@dataclass(frozen=True, slots=True)
class Line:
    """One row of stock that is taken from, and what it costs now."""

    item_id: str
    price_fen: int


@dataclass(frozen=True, slots=True)
class OnSale:
    """`shown` is the row as queries show it; `price_fen` is what one costs, over all lines; `leaves_at` is when it is
    too late (None: never)."""

    shown: JsonObject
    price_fen: int
    remaining: int
    lines: tuple[Line, ...]
    leaves_at: dt.datetime | None
    origin: str


def row_on_sale(connection: Connection, services: Table, sales: Table, item_id: str) -> RowMapping | None:
    """The service and the sale of one item, as the searches read them."""
    statement = select(*columns_of(services, sales)).select_from(services.join(sales))
    return connection.execute(statement.where(sales.c.item_id == item_id)).mappings().first()


def shown_of(row: "DataclassInstance") -> JsonObject:
    """A row as it goes over the wire."""
    return asdict(row)


def of_one_row(shown: "DataclassInstance", row: RowMapping, leaves_at: dt.datetime | None) -> OnSale:
    """What takes its stock from a single row."""
    line = Line(row["item_id"], row["price_fen"])
    return OnSale(shown_of(shown), line.price_fen, row["remaining"], (line,), leaves_at, row["origin"])

"""The business tables. A service (a train, a flight, a tour) is one row; what can be sold of it on a day is another.

Every sellable table has the same five columns (`item_id`, `price_fen`, `total`, `remaining`, `origin`), so that an
order can take stock from any of them with one conditional UPDATE. Money is whole fen; times of day are minutes since
midnight of the service's date, Asia/Shanghai; `updated_at` is UTC without an offset.
"""

from typing import Any, Literal

from sqlalchemy import (
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Numeric,
    SmallInteger,
    String,
    Table,
)

from core.shared.sql import MYSQL

Origin = Literal["demo", "imported", "collected"]

metadata = MetaData(naming_convention={"ck": "ck_%(table_name)s_%(constraint_name)s"})


def _sale_columns() -> list[Column[Any] | CheckConstraint]:
    return [
        Column("item_id", String(32), primary_key=True),
        Column("price_fen", Integer, nullable=False),
        Column("total", Integer, nullable=False),
        Column("remaining", Integer, nullable=False),
        Column("origin", String(16), nullable=False),
        CheckConstraint("remaining >= 0", name="remaining"),
        CheckConstraint("price_fen > 0", name="price"),
    ]


weather_forecasts = Table(
    "weather_forecasts", metadata,
    Column("city", String(32), primary_key=True),
    Column("date", Date, primary_key=True),
    Column("condition_day", String(16), nullable=False),
    Column("condition_night", String(16), nullable=False),
    Column("temp_max_c", SmallInteger, nullable=False),
    Column("temp_min_c", SmallInteger, nullable=False),
    Column("humidity_pct", SmallInteger, nullable=False),
    Column("wind", String(32), nullable=False),
    Column("precip_mm", Numeric(6, 1, asdecimal=False), nullable=False),
    Column("updated_at", DateTime, nullable=False),
    Column("origin", String(16), nullable=False),
    **MYSQL,
)

trains = Table(
    "trains", metadata,
    Column("train_id", String(32), primary_key=True),
    Column("train_no", String(12), nullable=False),
    Column("train_type", String(2), nullable=False),
    Column("from_station", String(32), nullable=False),
    Column("to_station", String(32), nullable=False),
    Column("from_city", String(32), nullable=False),
    Column("to_city", String(32), nullable=False),
    Column("depart_min", SmallInteger, nullable=False),
    Column("duration_min", Integer, nullable=False),
    Column("origin", String(16), nullable=False),
    Index("ix_trains_cities", "from_city", "to_city"),
    **MYSQL,
)

train_seats = Table(
    "train_seats", metadata,
    Column("train_id", ForeignKey("trains.train_id"), nullable=False),
    Column("date", Date, nullable=False),
    Column("seat_class", String(16), nullable=False),
    *_sale_columns(),
    Index("ux_train_seats_item", "train_id", "date", "seat_class", unique=True),
    **MYSQL,
)

flights = Table(
    "flights", metadata,
    Column("flight_id", String(32), primary_key=True),
    Column("flight_no", String(12), nullable=False),
    Column("airline", String(32), nullable=False),
    Column("from_airport", String(32), nullable=False),
    Column("to_airport", String(32), nullable=False),
    Column("from_city", String(32), nullable=False),
    Column("to_city", String(32), nullable=False),
    Column("depart_min", SmallInteger, nullable=False),
    Column("duration_min", Integer, nullable=False),
    Column("via_city", String(32), nullable=True),
    Column("origin", String(16), nullable=False),
    Index("ix_flights_cities", "from_city", "to_city"),
    **MYSQL,
)

flight_cabins = Table(
    "flight_cabins", metadata,
    Column("flight_id", ForeignKey("flights.flight_id"), nullable=False),
    Column("date", Date, nullable=False),
    Column("cabin", String(16), nullable=False),
    *_sale_columns(),
    Index("ux_flight_cabins_item", "flight_id", "date", "cabin", unique=True),
    **MYSQL,
)

tour_groups = Table(
    "tour_groups", metadata,
    Column("tour_id", String(32), primary_key=True),
    Column("name", String(128), nullable=False),
    Column("from_city", String(32), nullable=False),
    Column("destination", String(32), nullable=False),
    Column("region", String(32), nullable=False),
    Column("days", SmallInteger, nullable=False),
    Column("origin", String(16), nullable=False),
    Index("ix_tour_groups_destination", "destination"),
    Index("ix_tour_groups_region", "region"),
    **MYSQL,
)

tour_departures = Table(
    "tour_departures", metadata,
    Column("tour_id", ForeignKey("tour_groups.tour_id"), nullable=False),
    Column("date", Date, nullable=False),
    *_sale_columns(),
    Index("ux_tour_departures_item", "tour_id", "date", unique=True),
    **MYSQL,
)

demo_batches = Table(
    "demo_batches", metadata,
    Column("name", String(64), primary_key=True),
    Column("rows_written", Integer, nullable=False),
    **MYSQL,
)
"""What the demo data's writers have done: whoever inserts a name first writes that batch, in the same transaction."""

"""The business tables. A service (a train, a concert, a car) is one row; what is for sale of it, by day or class, more.

Every sellable table has the same five columns (`item_id`, `price_fen`, `total`, `remaining`, `origin`), so that an
order can take stock from any of them with one conditional UPDATE. Money is whole fen; times of day are minutes since
midnight of the service's date, Asia/Shanghai; moments (`…_at`) are UTC without an offset.
"""

from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
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
    Text,
)
from sqlalchemy.dialects import mysql

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
    Index("ix_weather_forecasts_age", "origin", "updated_at"),
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
    Index("ix_trains_to_city", "to_city"),
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
    Index("ix_flights_to_city", "to_city"),
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

concerts = Table(
    "concerts", metadata,
    Column("concert_id", String(32), primary_key=True),
    Column("artist", String(32), nullable=False),
    Column("name", String(128), nullable=False),
    Column("venue", String(64), nullable=False),
    Column("city", String(32), nullable=False),
    Column("date", Date, nullable=False),
    Column("starts_min", SmallInteger, nullable=False),
    Column("origin", String(16), nullable=False),
    Index("ix_concerts_date", "date"),
    Index("ix_concerts_artist", "artist"),
    **MYSQL,
)

concert_areas = Table(
    "concert_areas", metadata,
    Column("concert_id", ForeignKey("concerts.concert_id"), nullable=False),
    Column("area", String(32), nullable=False),
    *_sale_columns(),
    Index("ux_concert_areas_item", "concert_id", "area", unique=True),
    **MYSQL,
)

rental_cars = Table(
    "rental_cars", metadata,
    Column("car_id", String(32), primary_key=True),
    Column("brand", String(32), nullable=False),
    Column("model", String(32), nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("city", String(32), nullable=False),
    Column("origin", String(16), nullable=False),
    Index("ix_rental_cars_city", "city"),
    **MYSQL,
)

car_days = Table(
    "car_days", metadata,
    Column("car_id", ForeignKey("rental_cars.car_id"), nullable=False),
    Column("date", Date, nullable=False),
    *_sale_columns(),
    Index("ux_car_days_item", "car_id", "date", unique=True),
    **MYSQL,
)
"""One day of one car: a rental of several days takes from the row of each."""

insurance_products = Table(
    "insurance_products", metadata,
    Column("product_id", String(32), primary_key=True),
    Column("name", String(128), nullable=False),
    Column("insurer", String(64), nullable=False),
    Column("coverage", String(512), nullable=False),
    Column("regions", String(255), nullable=False),
    Column("origin", String(16), nullable=False),
    **MYSQL,
)
"""`regions`: the provinces it is good for, each between commas (`,香港,澳门,`); 全国 stands for the whole mainland."""

insurance_plans = Table(
    "insurance_plans", metadata,
    Column("product_id", ForeignKey("insurance_products.product_id"), nullable=False),
    Column("days", SmallInteger, nullable=False),
    *_sale_columns(),
    Index("ux_insurance_plans_item", "product_id", "days", unique=True),
    **MYSQL,
)

_MOMENT = DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
"""To the microsecond, also where MySQL would round to seconds: orders are listed by it."""

orders = Table(
    "orders", metadata,
    Column("order_id", String(32), primary_key=True),
    Column("user_id", String(64), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("item_id", String(32), nullable=False),
    Column("item", Text, nullable=False),
    Column("travel_date", Date, nullable=True),
    Column("leaves_at", _MOMENT, nullable=True),
    Column("quantity", Integer, nullable=False),
    Column("unit_price_fen", Integer, nullable=False),
    Column("total_fen", BigInteger, nullable=False),
    Column("origin", String(16), nullable=False),
    Column("offer_id", String(64), nullable=False),
    Column("idempotency_key", String(255), nullable=False),
    Column("item_number", SmallInteger, nullable=False, server_default="1"),
    Column("created_at", _MOMENT, nullable=False),
    Column("cancelled_at", _MOMENT, nullable=True),
    CheckConstraint("quantity > 0", name="quantity"),
    Index("ux_orders_key", "user_id", "idempotency_key", unique=True),
    Index("ux_orders_offer", "user_id", "offer_id", "item_number", unique=True),
    Index("ix_orders_newest", "user_id", "created_at", "order_id"),
    **MYSQL,
)
"""`item` is the row as it was shown, in JSON; `status` is confirmed or cancelled; what has left cannot be cancelled.
An order happens once per key, and once per item of an offer: a key is the offer's id and the item's number."""

order_lines = Table(
    "order_lines", metadata,
    Column("order_id", ForeignKey("orders.order_id"), primary_key=True),
    Column("item_id", String(32), primary_key=True),
    Column("quantity", Integer, nullable=False),
    Index("ix_order_lines_item", "item_id"),
    **MYSQL,
)
"""The stock that an order took, row by row: what a cancellation gives back."""

demo_batches = Table(
    "demo_batches", metadata,
    Column("name", String(64), primary_key=True),
    Column("rows_written", Integer, nullable=False),
    **MYSQL,
)
"""What the demo data's writers have done: whoever inserts a name first writes that batch, in the same transaction."""

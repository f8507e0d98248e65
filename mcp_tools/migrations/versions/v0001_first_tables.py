"""Weather, trains, flights and tour groups, each with what is for sale of it per day."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}
_TABLES = (
    "demo_batches", "tour_departures", "tour_groups", "flight_cabins", "flights", "train_seats", "trains",
    "weather_forecasts",
)


def upgrade() -> None:
    _weather()
    _trains()
    _flights()
    _tours()
    op.create_table(
        "demo_batches",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("rows_written", sa.Integer, nullable=False),
        **_MYSQL,
    )


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)


def _sale_columns(table: str) -> list[sa.Column[Any] | sa.CheckConstraint]:
    return [
        sa.Column("item_id", sa.String(32), primary_key=True),
        sa.Column("price_fen", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("remaining", sa.Integer, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.CheckConstraint("remaining >= 0", name=op.f(f"ck_{table}_remaining")),
        sa.CheckConstraint("price_fen > 0", name=op.f(f"ck_{table}_price")),
    ]


def _weather() -> None:
    op.create_table(
        "weather_forecasts",
        sa.Column("city", sa.String(32), primary_key=True),
        sa.Column("date", sa.Date, primary_key=True),
        sa.Column("condition_day", sa.String(16), nullable=False),
        sa.Column("condition_night", sa.String(16), nullable=False),
        sa.Column("temp_max_c", sa.SmallInteger, nullable=False),
        sa.Column("temp_min_c", sa.SmallInteger, nullable=False),
        sa.Column("humidity_pct", sa.SmallInteger, nullable=False),
        sa.Column("wind", sa.String(32), nullable=False),
        sa.Column("precip_mm", sa.Numeric(6, 1, asdecimal=False), nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        **_MYSQL,
    )


def _trains() -> None:
    op.create_table(
        "trains",
        sa.Column("train_id", sa.String(32), primary_key=True),
        sa.Column("train_no", sa.String(12), nullable=False),
        sa.Column("train_type", sa.String(2), nullable=False),
        sa.Column("from_station", sa.String(32), nullable=False),
        sa.Column("to_station", sa.String(32), nullable=False),
        sa.Column("from_city", sa.String(32), nullable=False),
        sa.Column("to_city", sa.String(32), nullable=False),
        sa.Column("depart_min", sa.SmallInteger, nullable=False),
        sa.Column("duration_min", sa.Integer, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_trains_cities", "trains", ["from_city", "to_city"])
    op.create_table(
        "train_seats",
        sa.Column("train_id", sa.String(32), sa.ForeignKey("trains.train_id"), nullable=False),
        sa.Column("date", sa.Date, nullable=False),
        sa.Column("seat_class", sa.String(16), nullable=False),
        *_sale_columns("train_seats"),
        **_MYSQL,
    )
    op.create_index("ux_train_seats_item", "train_seats", ["train_id", "date", "seat_class"], unique=True)


def _flights() -> None:
    op.create_table(
        "flights",
        sa.Column("flight_id", sa.String(32), primary_key=True),
        sa.Column("flight_no", sa.String(12), nullable=False),
        sa.Column("airline", sa.String(32), nullable=False),
        sa.Column("from_airport", sa.String(32), nullable=False),
        sa.Column("to_airport", sa.String(32), nullable=False),
        sa.Column("from_city", sa.String(32), nullable=False),
        sa.Column("to_city", sa.String(32), nullable=False),
        sa.Column("depart_min", sa.SmallInteger, nullable=False),
        sa.Column("duration_min", sa.Integer, nullable=False),
        sa.Column("via_city", sa.String(32), nullable=True),
        sa.Column("origin", sa.String(16), nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_flights_cities", "flights", ["from_city", "to_city"])
    op.create_table(
        "flight_cabins",
        sa.Column("flight_id", sa.String(32), sa.ForeignKey("flights.flight_id"), nullable=False),
        sa.Column("date", sa.Date, nullable=False),
        sa.Column("cabin", sa.String(16), nullable=False),
        *_sale_columns("flight_cabins"),
        **_MYSQL,
    )
    op.create_index("ux_flight_cabins_item", "flight_cabins", ["flight_id", "date", "cabin"], unique=True)


def _tours() -> None:
    op.create_table(
        "tour_groups",
        sa.Column("tour_id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("from_city", sa.String(32), nullable=False),
        sa.Column("destination", sa.String(32), nullable=False),
        sa.Column("region", sa.String(32), nullable=False),
        sa.Column("days", sa.SmallInteger, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_tour_groups_destination", "tour_groups", ["destination"])
    op.create_index("ix_tour_groups_region", "tour_groups", ["region"])
    op.create_table(
        "tour_departures",
        sa.Column("tour_id", sa.String(32), sa.ForeignKey("tour_groups.tour_id"), nullable=False),
        sa.Column("date", sa.Date, nullable=False),
        *_sale_columns("tour_departures"),
        **_MYSQL,
    )
    op.create_index("ux_tour_departures_item", "tour_departures", ["tour_id", "date"], unique=True)

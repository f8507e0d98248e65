"""Concerts, rental cars, insurance, and the orders of everything that is for sale."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_MYSQL: dict[str, Any] = {"mysql_charset": "utf8mb4", "mysql_collate": "utf8mb4_bin", "mysql_engine": "InnoDB"}
_MOMENT = sa.DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb")
_TABLES = (
    "order_lines", "orders", "insurance_plans", "insurance_products", "car_days", "rental_cars", "concert_areas",
    "concerts",
)


def upgrade() -> None:
    _concerts()
    _cars()
    _insurance()
    _orders()


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


def _concerts() -> None:
    op.create_table(
        "concerts",
        sa.Column("concert_id", sa.String(32), primary_key=True),
        sa.Column("artist", sa.String(32), nullable=False),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("venue", sa.String(64), nullable=False),
        sa.Column("city", sa.String(32), nullable=False),
        sa.Column("date", sa.Date, nullable=False),
        sa.Column("starts_min", sa.SmallInteger, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_concerts_date", "concerts", ["date"])
    op.create_index("ix_concerts_artist", "concerts", ["artist"])
    op.create_table(
        "concert_areas",
        sa.Column("concert_id", sa.String(32), sa.ForeignKey("concerts.concert_id"), nullable=False),
        sa.Column("area", sa.String(32), nullable=False),
        *_sale_columns("concert_areas"),
        **_MYSQL,
    )
    op.create_index("ux_concert_areas_item", "concert_areas", ["concert_id", "area"], unique=True)


def _cars() -> None:
    op.create_table(
        "rental_cars",
        sa.Column("car_id", sa.String(32), primary_key=True),
        sa.Column("brand", sa.String(32), nullable=False),
        sa.Column("model", sa.String(32), nullable=False),
        sa.Column("seats", sa.SmallInteger, nullable=False),
        sa.Column("city", sa.String(32), nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_rental_cars_city", "rental_cars", ["city"])
    op.create_table(
        "car_days",
        sa.Column("car_id", sa.String(32), sa.ForeignKey("rental_cars.car_id"), nullable=False),
        sa.Column("date", sa.Date, nullable=False),
        *_sale_columns("car_days"),
        **_MYSQL,
    )
    op.create_index("ux_car_days_item", "car_days", ["car_id", "date"], unique=True)


def _insurance() -> None:
    op.create_table(
        "insurance_products",
        sa.Column("product_id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(128), nullable=False),
        sa.Column("insurer", sa.String(64), nullable=False),
        sa.Column("coverage", sa.String(512), nullable=False),
        sa.Column("regions", sa.String(255), nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        **_MYSQL,
    )
    op.create_table(
        "insurance_plans",
        sa.Column("product_id", sa.String(32), sa.ForeignKey("insurance_products.product_id"), nullable=False),
        sa.Column("days", sa.SmallInteger, nullable=False),
        *_sale_columns("insurance_plans"),
        **_MYSQL,
    )
    op.create_index("ux_insurance_plans_item", "insurance_plans", ["product_id", "days"], unique=True)


def _orders() -> None:
    op.create_table(
        "orders",
        sa.Column("order_id", sa.String(32), primary_key=True),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("item_id", sa.String(32), nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("travel_date", sa.Date, nullable=True),
        sa.Column("leaves_at", _MOMENT, nullable=True),
        sa.Column("quantity", sa.Integer, nullable=False),
        sa.Column("unit_price_fen", sa.Integer, nullable=False),
        sa.Column("total_fen", sa.BigInteger, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("offer_id", sa.String(64), nullable=False),
        sa.Column("idempotency_key", sa.String(255), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("cancelled_at", _MOMENT, nullable=True),
        sa.CheckConstraint("quantity > 0", name=op.f("ck_orders_quantity")),
        **_MYSQL,
    )
    op.create_index("ux_orders_key", "orders", ["user_id", "idempotency_key"], unique=True)
    op.create_index("ix_orders_newest", "orders", ["user_id", "created_at", "order_id"])
    op.create_table(
        "order_lines",
        sa.Column("order_id", sa.String(32), sa.ForeignKey("orders.order_id"), primary_key=True),
        sa.Column("item_id", sa.String(32), primary_key=True),
        sa.Column("quantity", sa.Integer, nullable=False),
        **_MYSQL,
    )
    op.create_index("ix_order_lines_item", "order_lines", ["item_id"])

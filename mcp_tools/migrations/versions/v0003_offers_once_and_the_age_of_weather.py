"""An offer's item is ordered once, whatever its key; indexes for the newest forecast and for cities one arrives in."""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("orders", sa.Column("item_number", sa.SmallInteger, nullable=False, server_default="1"))
    _number_the_items()
    op.create_index("ux_orders_offer", "orders", ["user_id", "offer_id", "item_number"], unique=True)
    op.create_index("ix_weather_forecasts_age", "weather_forecasts", ["origin", "updated_at"])
    op.create_index("ix_trains_to_city", "trains", ["to_city"])
    op.create_index("ix_flights_to_city", "flights", ["to_city"])


def downgrade() -> None:
    op.drop_index("ix_flights_to_city", "flights")
    op.drop_index("ix_trains_to_city", "trains")
    op.drop_index("ix_weather_forecasts_age", "weather_forecasts")
    op.drop_index("ux_orders_offer", "orders")
    op.drop_column("orders", "item_number")


def _number_the_items() -> None:
    """From the keys, which end in the number. A number that is taken gives way to the next free one."""
    orders = sa.table("orders", *(sa.column(name) for name in ("order_id", "user_id", "offer_id", "idempotency_key")),
                      sa.column("item_number", sa.SmallInteger))
    taken: dict[tuple[str, str], set[int]] = defaultdict(set)
    connection = op.get_bind()
    found = connection.execute(sa.select(orders).order_by(orders.c.order_id)).mappings().all()
    for order in sorted(found, key=lambda order: _said(order) is None):
        of_this_offer = taken[order["user_id"], order["offer_id"]]
        number = _said(order) or 1
        while number in of_this_offer:
            number += 1
        of_this_offer.add(number)
        if number != 1:
            this = orders.c.order_id == order["order_id"]
            connection.execute(sa.update(orders).where(this).values(item_number=number))


def _said(order: sa.RowMapping) -> int | None:
    offer, _, number = str(order["idempotency_key"]).rpartition(":")
    right = offer == order["offer_id"] and number.isascii() and number.isdigit() and len(number) < 5
    return int(number) if right else None

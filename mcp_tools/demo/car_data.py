"""Believable rental cars: a dozen models or more in every city of the vendored table, with a fleet for each day."""

import datetime as dt
from functools import cache
from typing import Any

from mcp_tools.data_files import read_table
from mcp_tools.demo.chance import dice, share, stock
from mcp_tools.items import rental_id, service_id
from mcp_tools.places import provinces


def service_rows() -> list[dict[str, Any]]:
    """Rows for `rental_cars`."""
    return [
        {
            "car_id": car_id, "brand": car["brand"], "model": car["model"], "seats": int(car["seats"]), "city": city,
            "origin": "demo",
        }
        for car_id, city, car in _fleet()
    ]


def day_rows(day: dt.date) -> list[dict[str, Any]]:
    """Rows for `car_days` on one day. Friday to Sunday is dearer."""
    weekend = 1.15 if day.weekday() >= 4 else 1.0
    rows = []
    for car_id, city, car in _fleet():
        total = int(car["fleet"])
        yuan = round(int(car["day_yuan"]) * weekend * (0.92 + 0.2 * share(city, "rental")))
        rows.append({
            "item_id": rental_id(car_id, day, 1), "car_id": car_id, "date": day, "price_fen": yuan * 100,
            "total": total, "remaining": stock(dice(car_id, day), total), "origin": "demo",
        })
    return rows


@cache
def _fleet() -> tuple[tuple[str, str, dict[str, str]], ...]:
    """Identity, city and model of every car; `found_in` is the percentage of cities that have it."""
    return tuple(
        (service_id("car_rental", city, car["brand"], car["model"]), city, car)
        for city in provinces()
        for car in read_table("cars")
        if dice(city, car["brand"], car["model"]) % 100 < int(car["found_in"])
    )

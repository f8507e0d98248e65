"""Believable tour groups from the vendored table, with departures on the days they run."""

import datetime as dt
from typing import Any

from mcp_tools.data_files import read_table
from mcp_tools.demo.chance import stock
from mcp_tools.items import item_id, service_id

_GROUP_SIZE = 24
_RUNS_ON = {"daily": range(7), "weekdays": range(5), "weekend": range(4, 7)}


def service_rows() -> list[dict[str, Any]]:
    """Rows for `tour_groups`."""
    return [
        {
            "tour_id": service_id("tour_group", tour["number"]), "name": tour["name"],
            "from_city": tour["from_city"], "destination": tour["destination"], "region": tour["region"],
            "days": int(tour["days"]), "origin": "demo",
        }
        for tour in read_table("tours")
    ]


def day_rows(day: dt.date) -> list[dict[str, Any]]:
    """Rows for `tour_departures` on one day. Saturdays and Sundays cost a tenth more."""
    rows = []
    for tour in read_table("tours"):
        if day.weekday() not in _RUNS_ON[tour["schedule"]]:
            continue
        tour_id = service_id("tour_group", tour["number"])
        item = item_id(tour_id, day)
        yuan = int(tour["price_yuan"]) * (1.1 if day.weekday() >= 5 else 1.0)
        rows.append({
            "item_id": item, "tour_id": tour_id, "date": day, "price_fen": round(yuan) * 100, "total": _GROUP_SIZE,
            "remaining": stock(int(item[-15:], 16), _GROUP_SIZE), "origin": "demo",
        })
    return rows

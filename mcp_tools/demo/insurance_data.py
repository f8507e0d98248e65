"""Travel insurance from the vendored table: one plan for every number of days."""

from typing import Any

from mcp_tools.data_files import read_table
from mcp_tools.items import plan_id, service_id

_POLICIES = 100_000
"""More than anybody sells: insurance does not run out."""


def service_rows() -> list[dict[str, Any]]:
    """Rows for `insurance_products`."""
    return [
        {
            "product_id": _product_id(product), "name": product["name"], "insurer": product["insurer"],
            "coverage": product["coverage"], "regions": f",{product['regions']},", "origin": "demo",
        }
        for product in read_table("insurances")
    ]


def plan_rows() -> list[dict[str, Any]]:
    """Rows for `insurance_plans`."""
    return [
        {
            "item_id": plan_id(_product_id(product), days), "product_id": _product_id(product), "days": days,
            "price_fen": round((float(product["base_yuan"]) + float(product["day_yuan"]) * days) * 100),
            "total": _POLICIES, "remaining": _POLICIES, "origin": "demo",
        }
        for product in read_table("insurances")
        for days in range(1, int(product["most_days"]) + 1)
    ]


def _product_id(product: dict[str, str]) -> str:
    return service_id("insurance", product["insurer"], product["name"])

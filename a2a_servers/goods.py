"""What can be ordered, kind by kind: how it is called and counted, and what makes two rows the same service."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from a2a_servers.wording.bits import amount_of, grouped, number, text
from core.shared.json_types import JsonObject, Row

ORDER = "order"
"""The kind of rows that are orders, and of the tools that list and cancel them."""


@dataclass(frozen=True, slots=True)
class Goods:
    """One kind. `service`: fields that are equal for all classes of one service; none: every row is its own.

    `variant`: the field in which the classes of a service differ. `per_person`: whether each traveller needs one.
    """

    noun: str
    unit: str
    words: tuple[str, ...] = ()
    service: tuple[str, ...] = ()
    variant: str = ""
    variant_name: str = ""
    per_person: bool = True


GOODS: Mapping[str, Goods] = {
    "train": Goods(
        "火车票", "张", ("火车", "高铁", "动车", "列车", "车次"), ("train_no", "date", "depart_at"),
        variant="seat_class", variant_name="席别",
    ),
    "flight": Goods(
        "机票", "张", ("机票", "航班", "飞机"), ("flight_no", "date", "depart_at"), variant="cabin", variant_name="舱位"
    ),
    "concert": Goods(
        "演唱会门票", "张", ("演唱会", "门票", "演出"), ("artist", "venue", "date", "starts_at"),
        variant="area", variant_name="区域",
    ),
    "car_rental": Goods("租车", "辆", ("租车", "租的车", "租赁"), per_person=False),
    "tour_group": Goods("跟团游", "位", ("旅行团", "旅游团", "跟团", "报团", "报的团", "日游")),
    "insurance": Goods("旅行保险", "份", ("保险", "旅游险", "旅行险", "意外险", "保单")),
}
_OTHER = Goods("", "份")
_ORDER_ID = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]{0,4}[0-9]{10,}(?![0-9A-Za-z])")


def goods(kind: str) -> Goods:
    """The kind's words; neutral ones for a third party's kind."""
    return GOODS.get(kind, _OTHER)


def kinds_named(words: str) -> frozenset[str]:
    """The kinds a sentence speaks of."""
    return frozenset(kind for kind, one in GOODS.items() if any(word in words for word in one.words))


def order_id_in(words: str) -> str | None:
    """An order's number in a sentence: ten digits and more, with letters before them or not."""
    found = _ORDER_ID.search(words)
    return found[0] if found else None


def services(kind: str, rows: Sequence[JsonObject]) -> list[list[JsonObject]]:
    """Rows by service, in the order of each service's first row."""
    fields = goods(kind).service
    if not fields:
        return [[row] for row in rows]
    return grouped(rows, lambda row: tuple(text(row, name) for name in fields))


def remaining(row: Row) -> float:
    """How many are left; a row that does not say has enough."""
    left = number(row, "remaining")
    return float("inf") if left is None else left


def price(row: Row) -> Decimal:
    """The row's price as a number that compares; without one it is dearer than everything."""
    amount = amount_of(row.get("price"))
    return Decimal("Infinity") if amount is None else amount


def quantity_in(slots: JsonObject, kind: str) -> int | None:
    """How many are wanted: as said, else one for each traveller, else one. None for what is no count."""
    if (said := slots.get("quantity")) is not None:
        return _count(said)
    people = [slots[name] for name in ("adults", "children") if slots.get(name) is not None]
    if not people or not goods(kind).per_person:
        return 1
    counts = [_count(value, least=0) for value in people]
    total = sum(count or 0 for count in counts)
    return total if None not in counts and total else None


def _count(value: object, least: int = 1) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    try:
        count = int(value)
    except ValueError:
        return None
    return count if count >= least else None

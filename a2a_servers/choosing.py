"""Which row an order means: the one that was named, the first by a wish such as cheapest, or a question back."""

from collections.abc import Sequence
from dataclasses import dataclass

from a2a_servers.goods import goods, price, remaining, services
from a2a_servers.wording.bits import text
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData

_BY_WISH = {
    "price": "这是其中价格最低的。", "-price": "这是其中价格最高的。", "depart": "这是其中时间最早的。",
    "-depart": "这是其中时间最晚的。", "duration": "这是其中用时最短的。",
}
_BY_PRICE = ("price", "-price")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One row; `remark` says what was assumed, if anything."""

    row: JsonObject
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Several:
    """More than one could be meant: one row for each service, the cheapest that has enough left."""

    options: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class TooFew:
    """Nothing has enough left. `best` is the row with most, 0 of it when all is sold out."""

    best: JsonObject


@dataclass(frozen=True, slots=True)
class Gone:
    """The row that was named is not among those found."""


Choice = Chosen | Several | TooFew | Gone


def choose(
    found: ResultData, wish: JsonObject, quantity: int, *, sorted_by_wish: bool, named: str = ""
) -> Choice:
    """Decide for `quantity` of the rows found; there must be some, unless one was named.

    `sorted_by_wish`: whether the tool has put the rows in the order of `wish["sort"]`, so that the first is what was
    meant. `named`: what the words have named, where the rows are only those that bear that name.
    """
    rows = found.rows
    if (item_id := wish.get("item_id")) is not None:
        rows = [row for row in rows if row.get("item_id") == item_id]
        if not rows:
            return Gone()
    enough = [row for row in rows if remaining(row) >= quantity]
    if not enough:
        return TooFew(max(rows, key=remaining))
    sort = str(wish.get("sort") or "") if sorted_by_wish else ""
    choices = services(found.kind, enough)
    if item_id is None and sort not in _BY_WISH and (len(choices) > 1 or found.more):
        return Several(tuple(_of_classes(found.kind, service, wish, named)[0] for service in choices))
    if sort in _BY_PRICE:
        return Chosen(enough[0], _BY_WISH[sort])
    row, assumed = _of_classes(found.kind, choices[0], wish, named)
    by_wish = _BY_WISH.get(sort, "") if len(choices) > 1 else ""
    only = "" if by_wish or len(services(found.kind, rows)) == 1 else "其余的余量都不够。"
    return Chosen(row, f"{by_wish}{only}{assumed}")


def _of_classes(
    kind: str, service: Sequence[JsonObject], wish: JsonObject, named: str
) -> tuple[JsonObject, str]:
    """The class asked for, else the cheapest, and what to say about it."""
    about = goods(kind)
    asked = str(wish.get(about.variant) or "")
    fitting = [row for row in service if asked and asked in text(row, about.variant)]
    choices = fitting or list(service)
    row = min(choices, key=price)
    if not about.variant or (len(choices) == 1 and (fitting or not asked)):
        return row, ""
    if asked and not fitting:
        why = f"没有查到“{asked}”"
    elif said := asked or named:
        why = f"“{said}”有{len(choices)}种{about.variant_name}可选"
    else:
        why = f"没有指定{about.variant_name}"
    return row, f"{why}，先按最便宜的{text(row, about.variant)}报价。"

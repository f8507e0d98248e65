"""Shorter tours put together to the length somebody asked for."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations_with_replacement

from core.shared.json_types import Row

MOST_PARTS = 3


def cheapest_mix(rows: Sequence[Row], days: int) -> tuple[Row, ...]:
    """The cheapest two or three different tours that add up to `days`; empty when there are none.

    Looks at the cheapest tour of each length only, so the search stays tiny: lengths are 1 to 10 days.
    """
    by_length: dict[int, list[Row]] = {}
    for row in sorted(rows, key=_price):
        length = row.get("days")
        if isinstance(length, int) and 0 < length < days:
            by_length.setdefault(length, []).append(row)
    mixes = [
        mix
        for parts in range(2, MOST_PARTS + 1)
        for lengths in combinations_with_replacement(sorted(by_length), parts)
        if sum(lengths) == days and (mix := _pick(by_length, lengths))
    ]
    return min(mixes, key=lambda mix: sum(map(_price, mix)), default=())


def _pick(by_length: dict[int, list[Row]], lengths: tuple[int, ...]) -> tuple[Row, ...]:
    """Different tours for the given lengths, or nothing where there are too few."""
    taken: list[Row] = []
    names: set[object] = set()
    for length in lengths:
        row = next((r for r in by_length[length] if r.get("name", r.get("title")) not in names), None)
        if row is None:
            return ()
        taken.append(row)
        names.add(row.get("name", row.get("title")))
    return tuple(taken)


def _price(row: Row) -> Decimal:
    return Decimal(str(row.get("price", "0")))

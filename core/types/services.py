"""What makes two rows the same service: a train has a row for each seat class, a concert one for each area."""

from collections.abc import Mapping, Sequence

from core.shared.json_types import JsonObject

SERVICE_FIELDS: Mapping[str, tuple[str, ...]] = {
    "train": ("train_no", "date", "depart_at"),
    "flight": ("flight_no", "date", "depart_at"),
    "concert": ("artist", "venue", "date", "starts_at"),
}
"""Fields that are equal for all rows of one service; for a kind that is not here, every row is its own."""


def services(kind: str, rows: Sequence[JsonObject]) -> list[list[JsonObject]]:
    """Rows by service, in the order of each service's first row."""
    fields = SERVICE_FIELDS.get(kind)
    if not fields:
        return [[row] for row in rows]
    grouped: dict[tuple[str, ...], list[JsonObject]] = {}
    for row in rows:
        grouped.setdefault(tuple(str(row.get(name)) for name in fields), []).append(row)
    return list(grouped.values())

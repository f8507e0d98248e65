"""The cities whose weather is collected, and where they lie."""

from dataclasses import dataclass
from functools import cache

from mcp_tools.data_files import read_table


@dataclass(frozen=True, slots=True)
class Place:
    """A city. Degrees, WGS 84; two decimals are a kilometre, which no forecast tells apart."""

    city: str
    latitude: str
    longitude: str


@cache
def all_places() -> tuple[Place, ...]:
    """Every city the grammar knows."""
    return tuple(Place(row["city"], row["latitude"], row["longitude"]) for row in read_table("coordinates"))

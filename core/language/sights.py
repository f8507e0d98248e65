"""Sights of cities: what the attraction skill recommends without a model, and which city a sight stands for."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from core.language.tables import rows, text

_TELLING = 3
"""Characters from which on the name of a sight says which city is meant: there are many a 南湖 and 西街."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A sight with one sentence about it. Never a price or opening hours: those change."""

    name: str
    note: str


@cache
def _by_city() -> dict[str, tuple[Sight, ...]]:
    raw: dict[str, list[list[str]]] = json.loads(text("sights.json"))
    return {city: tuple(Sight(name, note) for name, note in listed) for city, listed in raw.items()}


def sights_of(city: str) -> tuple[Sight, ...]:
    """The sights of a city by its name (北京), the best known first; empty for a city that has none listed."""
    return _by_city().get(city, ())


def all_sights() -> Iterator[tuple[str, str]]:
    """Every name of a sight that stands for one city, with that city."""
    for word, city in rows("sight_words.tsv"):
        yield word, city
    for city, sights in _by_city().items():
        yield from ((sight.name, city) for sight in sights if len(sight.name) >= _TELLING)

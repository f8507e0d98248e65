"""Places: cities with their other names, stations, airports, districts, sights and railway lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.language.sights import all_sights
from core.language.tables import rows

RARE = "rare"
"""Said so seldom that its characters are rather those of the words around (上海阳光: no 海阳)."""

PlaceKind = Literal["city", "province", "station", "airport", "district", "sight"]


@dataclass(frozen=True, slots=True)
class Place:
    """A place. `cities`: the cities it may lie in, the likeliest first; a province lists none."""

    name: str
    kind: PlaceKind
    cities: tuple[str, ...] = ()

    @property
    def city(self) -> str | None:
        """The one city that it is or lies in; None where there are several or none."""
        return self.cities[0] if len(self.cities) == 1 else None


@cache
def cities() -> dict[str, str]:
    """Every city by its name, with its province."""
    return {city: province for province, names in rows("cities.tsv") for city in names.split()}


@cache
def counties() -> dict[str, str]:
    """Every county by its name, with its province: cities in all but how often anybody speaks of them."""
    return {county: province for province, names in rows("counties.tsv") for county in names.split()}


@cache
def places() -> dict[str, Place]:
    """Every place by the words people use. Cities come before districts and sights of the same name, counties last."""
    found: dict[str, Place] = {}
    for word, place in _all_places():
        found.setdefault(word, place)
    return found


@cache
def _abroad() -> frozenset[str]:
    return frozenset(
        word for kind, _, words in rows("words_speech.tsv") if kind == "foreign" for word in words.split()
    )


def abroad(said: str) -> str | None:
    """The city or country abroad that the words name; None where they name none."""
    return next((name for name in sorted(_abroad(), key=len, reverse=True) if name in said), None)


@cache
def other_names() -> frozenset[str]:
    """The names of cities that are not their own (魔都, 星城)."""
    return frozenset(word for _city, words in rows("city_aliases.tsv") for word in words.split())


@cache
def short_names() -> dict[str, str]:
    """Cities by the one character that stands for them in the names of lines (沪宁), where it is always theirs."""
    meant: dict[str, set[str]] = {}
    for word, start, end in rows("lines.tsv"):
        for character, city in zip(word, (start, end), strict=False):
            meant.setdefault(character, set()).add(city)
    return {character: found.pop() for character, found in meant.items() if len(found) == 1}


@cache
def stations() -> dict[str, Place]:
    """Railway stations by name, without 站."""
    return dict(_named("stations.tsv", "station"))


@cache
def airports() -> dict[str, Place]:
    """Airports by the words people use."""
    return {
        word: Place(name, "airport", (city,))
        for city, name, words in rows("airports.tsv")
        for word in (name, *words.split())
    }


def place_words() -> Iterator[tuple[str, str, str]]:
    """Rows for the lexicon: word, kind, key."""
    yield from ((word, "place", word) for word in places())
    yield from ((word, "rail", word) for word in stations())
    yield from ((word, "air", word) for word in airports())
    yield from ((word, "line", f"{start} {end}") for word, start, end in rows("lines.tsv"))
    yield from ((county, RARE, "") for county in counties())


def _all_places() -> Iterator[tuple[str, Place]]:
    yield from _city_places()
    yield from _province_places()
    yield from _district_places()
    yield from ((sight, Place(sight, "sight", (city,))) for sight, city in all_sights())
    yield from ((county, Place(county, "city", (county,))) for county in counties())


def _city_places() -> Iterator[tuple[str, Place]]:
    provinces = set(cities().values())
    for city, province in cities().items():
        place = Place(city, "city", (city,))
        if city not in provinces or city == province:
            yield city, place
        yield f"{city}市", place
    for city, words in rows("city_aliases.tsv"):
        yield from ((word, Place(city, "city", (city,))) for word in words.split())


def _province_places() -> Iterator[tuple[str, Place]]:
    for province in sorted(set(cities().values())):
        place = Place(province, "province")
        yield province, place
        yield f"{province}省", place
    for full in ("内蒙古自治区", "广西壮族自治区", "宁夏回族自治区", "西藏自治区", "新疆维吾尔自治区"):
        name = next(province for province in cities().values() if full.startswith(province))
        yield full, Place(name, "province")


def _district_places() -> Iterator[tuple[str, Place]]:
    owners: dict[str, list[str]] = {}
    for city, words in rows("districts.tsv"):
        for word in words.split():
            owners.setdefault(word, []).append(city)
    for word, found in owners.items():
        yield word, Place(word, "district", tuple(found))
        yield from ((f"{city}{word}", Place(word, "district", (city,))) for city in found)


def _named(table: str, kind: PlaceKind) -> Iterator[tuple[str, Place]]:
    for city, words in rows(table):
        for word in words.split():
            said, _, name = word.partition("=")
            yield said, Place(name or said, kind, (city,))

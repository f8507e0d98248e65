"""Cities, stations, regions, airlines and artists by the names people use for them."""

from functools import cache

from core.language import gazetteer
from mcp_tools.data_files import read_table

_CITY_SUFFIXES = ("市", "地区")
_STATION_SUFFIXES = ("火车站", "高铁站", "站")


@cache
def provinces() -> dict[str, str]:
    """Every city of the vendored table with its province."""
    return {row["city"]: row["province"] for row in read_table("cities")}


@cache
def station_cities() -> dict[str, str]:
    """Every station of the vendored table with its city."""
    return {row["station"]: row["city"] for row in read_table("stations")}


@cache
def _airline_names() -> dict[str, str]:
    names: dict[str, str] = {}
    for row in read_table("airlines"):
        for alias in (row["code"], row["airline"], *row["aliases"].split(",")):
            names[alias.upper()] = row["airline"]
    return names


def city_name(said: str) -> str:
    """The city's usual name: `北京市` is 北京, and a station's name stands for its city. Unknown names stay as said."""
    said = said.strip()
    if said in provinces():
        return said
    for suffix in _CITY_SUFFIXES:
        if (bare := said.removesuffix(suffix)) in provinces():
            return bare
    return station_cities().get(station_name(said), said)


def station_name(said: str) -> str:
    """The name as timetables write it: `北京南站` is 北京南."""
    said = said.strip()
    for suffix in _STATION_SUFFIXES:
        if said.endswith(suffix) and len(said) > len(suffix):
            return said.removesuffix(suffix)
    return said


def airline_name(said: str) -> str:
    """The airline as rows name it: CA, 国航 and 中国国际航空 are all 中国国航. Unknown names stay as said."""
    said = said.strip()
    return _airline_names().get(said.upper(), said)


def number(said: str) -> str:
    """A train's or flight's number as timetables write it: `ca 1101` is CA1101."""
    return "".join(said.split()).upper()


@cache
def _artist_names() -> dict[str, str]:
    rows = read_table("concert_tours")
    return {alias.casefold(): row["artist"] for row in rows for alias in (row["artist"], *row["aliases"].split(","))}


def artist_name(said: str) -> str:
    """The artist as rows name them: Mayday is 五月天. Unknown names stay as said."""
    said = said.strip()
    return _artist_names().get(said.casefold(), said)


def is_known_city(name: str) -> bool:
    """True for any city of the country, also where nothing goes: that is another answer than a city nobody knows."""
    return name in provinces() or name in gazetteer.cities()


def province_of(said: str) -> str | None:
    """The province of a city, a sight or of itself; None for what is none in this country."""
    name = city_name(said)
    if is_known_city(name):
        return provinces().get(name) or gazetteer.cities()[name]
    place = gazetteer.places().get(name)
    if place is None:
        return None
    return place.name if place.kind == "province" else gazetteer.cities().get(place.cities[0])


def is_known_region(name: str) -> bool:
    """True for a province of the table, for example 云南."""
    return name in provinces().values()

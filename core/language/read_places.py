"""Readers of places: cities, stations, airports, districts, sights, and two cities in one word (京沪)."""

from dataclasses import replace

from core.language.gazetteer import Place, airports, cities, counties, places, stations
from core.language.scan import Scene
from core.language.values import Found, Line, Note, Where, Word

_BEFORE_ITS_SIDE = ("火车", "高铁")


def place_name(scene: Scene, place: int) -> list[Found]:
    """A place with what belongs to its name: 北京市, 天津东站, 四川成都, 虹桥机场."""
    at = _past_its_province(scene, place)
    where = _where(scene, at)
    if where is None:
        return []
    named, end = _with_suffix(scene, where, at + 1)
    return [scene.found(Where(named.place, named.rail, named.air, scene.said(at, end)), place, end)]


def denied_place(scene: Scene, place: int) -> list[Found]:
    """不是北京, 不是去北京; 除了西湖 (还有什么景点)."""
    named = place_name(scene, scene.skip(place + 1, "polite", "from", "to", "go", "fly"))
    return [
        Found(replace(found.value, denied=True), place, found.end, found.certainty)
        for found in named if isinstance(found.value, Where)
    ]


def change_of_trains(scene: Scene, place: int) -> list[Found]:
    """在上海中转, 经西安转车: where one changes is neither start nor end, unless one goes there (到成都中转)."""
    before = place - 1
    while scene.has(before, "polite"):
        before -= 1
    named = place_name(scene, scene.skip(place + 1, "polite") if scene.has(place, "from", "via") else place)
    end = scene.skip(named[-1].end, "polite") if named else 0
    if named and scene.has(place, "via") and scene.get(end, "slot:direct") is None:  # 经郑州到西安
        return [scene.found(Note(scene.said(place, named[-1].end)), place, named[-1].end)]
    if not named or scene.get(end, "slot:direct") != "no" or scene.has(before, "to", "fly", "go", "dash"):
        return []
    said = Note(scene.said(named[0].first, end + 1))
    return [scene.found(value, place, end + 1) for value in (Word("direct", "no", domain=None), said)]


def railway_line(scene: Scene, place: int) -> list[Found]:
    """京沪: from and to in one word."""
    value = scene.get(place, "line")
    if value is None:
        return []
    start, end = (places()[city] for city in value.split())
    return [scene.found(Line(start, end), place, place + 1)]


def _past_its_province(scene: Scene, place: int) -> int:
    """四川成都, 广东省的广州: the city says it all."""
    province = _known(scene, place)
    if province is None or province.kind != "province":
        return place
    after = scene.skip_text(scene.skip_text(place + 1, "省"), "的")
    city = _known(scene, after)
    named = [city_table.get(name) for name in city.cities for city_table in (cities(), counties())] if city else []
    inside = province.name in named
    return after if inside else place


def _known(scene: Scene, place: int) -> Place | None:
    key = scene.get(place, "place")
    return places()[key] if key is not None else None


def _where(scene: Scene, place: int) -> Where | None:
    rail = scene.get(place, "rail")
    air = scene.get(place, "air")
    on_rail = stations()[rail] if rail is not None else None
    at_airport = airports()[air] if air is not None else None
    known = _known(scene, place) or on_rail or at_airport
    return Where(known, on_rail, at_airport) if known else None


def _with_suffix(scene: Scene, where: Where, end: int) -> tuple[Where, int]:
    city = where.city
    if scene.has(end, "station") and city:
        name = where.rail.name if where.rail else where.place.name
        station = Place(name, "station", (city,))
        return Where(station, station), end + 1
    if scene.text(end) in _BEFORE_ITS_SIDE and scene.has(end + 1, "compass") and scene.text(end + 2) == "站":
        end += 1  # 广州火车东站
    if scene.has(end, "compass") and scene.text(end + 1) == "站" and city:
        station = Place(f"{where.place.name}{scene.text(end)}", "station", (city,))
        return Where(station, station), end + 2
    if scene.has(end, "compass") and where.place.kind == "city" and city and _ends_a_name(scene, end + 1):
        station = Place(f"{where.place.name}{scene.text(end)}", "station", (city,))
        return Where(station, station), end + 1
    if scene.has(end, "airport") and city:
        airport = where.air or Place(where.place.name, "airport", (city,))
        return Where(airport, None, airport), end + 1
    if scene.has(end, "unit_city"):
        return where, end + 1
    return where, end


def _ends_a_name(scene: Scene, place: int) -> bool:
    """昆山南到…, 昆山南的高铁: what follows belongs to no longer word."""
    return place >= len(scene.tokens) or scene.has(
        place, "stop", "to", "go", "dash", "depart", "mention", "day", "ticket", "weekday", "order"
    ) or scene.text(place) in ("的", "出发", "有", "上车", "下车", "吗")

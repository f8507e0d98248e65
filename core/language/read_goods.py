"""Readers of what tells one thing on sale from another: areas of a hall, brands and seats of cars, a price a day."""

from core.language.scan import Scene
from core.language.values import Found, Mention, Note, Price, Word

_AREA, _BRAND = "slot:area", "slot:brand"
_MAIN_AREAS = ("内场", "看台", "池座", "包厢")
_LONGEST_MODEL = 4
_LONGEST_PRICE = 7
_SANE_PRICE = 10_000_000
_DAYS = ("天", "日")
_BETWEEN = ("的", "在", "价格", "租金", "费用", "大概", "控制", "控制在", "价", "都", "要", "也")


def area(scene: Scene, place: int) -> list[Found]:
    """内场A区, 二层看台, VIP: the words side by side are one area, the larger part first."""
    end = place
    parts: list[str] = []
    while (part := scene.get(end, _AREA)) is not None and part not in parts:
        parts.append(part)
        end += 1
    main = [part for part in parts if part in _MAIN_AREAS]
    if not main and not _of_a_hall(scene, place, end):
        return []
    named = "".join([*main, *(part for part in parts if part not in main)])
    domain = next((d for n in range(place, end) if (d := scene.get(n, "class_of"))), None)
    return [scene.found(Word("area", named, domain=domain), place, end)]


def _of_a_hall(scene: Scene, place: int, end: int) -> bool:
    """A区 and VIP are areas by themselves, 一层 only beside a larger part."""
    return end > place + 1 or not scene.text(place).endswith("层")


def brand(scene: Scene, place: int) -> list[Found]:
    """特斯拉, 别克GL8, 宝马5系: a brand with the model that follows it, in one word."""
    named = scene.get(place, _BRAND) or ""
    end, at = place + 1, place + 1
    while at - place <= _LONGEST_MODEL and (part := _of_a_model(scene, at)) is not None:
        named += part
        at += 1
        end = at if part else end
    domain = next((d for n in range(place, end) if (d := scene.get(n, "class_of"))), None)
    return [scene.found(Word("brand", named, domain=domain), place, end)]


def _of_a_model(scene: Scene, place: int) -> str | None:
    """GL8, Model 3, 途观, 5系; None for what belongs to no model."""
    text = scene.text(place)
    if scene.has(place, _BRAND):
        return scene.get(place, _BRAND)
    if text == " " or text == "-":
        return text.strip()
    if text and text.isascii() and text.isalnum() and not scene.has(place + 1, "measure", "day_unit", "days", "month"):
        return text.upper()
    return text if text in ("系", "级") else None


def seats_of_a_car(scene: Scene, place: int) -> list[Found]:
    """七座车, 7座的: a car with so many seats."""
    number = scene.number(place)
    if number is None or scene.get(place + 1, "measure") != "seat" or not 1 <= number <= 60:
        return []
    seats = scene.found(Word("seats", str(number)), place, place + 2)
    car = scene.found(Mention("car"), place, place + 2)
    return [car, seats] if "车" in scene.text(place + 1) else [seats]


def counted_cars(scene: Scene, place: int) -> list[Found]:
    """辆车 in 来辆车."""
    return cars(scene, scene.get(place, "measure"), place + 1)


def cars(scene: Scene, measure: str | None, place: int) -> list[Found]:
    """The car after 一辆: it is wanted, whatever is wished beside it."""
    at = scene.skip(place, "polite")
    if measure != "vehicle" or scene.text(at) not in ("车", "小车", "汽车", "轿车", "suv"):
        return []
    return [scene.found(Mention("car"), place, at + 1)]


def price_a_day(scene: Scene, place: int) -> list[Found]:
    """每天不超过150, 日租200以内, 一天两百以下, 150块/天以内."""
    number, roles, at, end = None, set(), place, place
    while at - place < _LONGEST_PRICE:
        role, width = _of_a_price(scene, at, number is not None)
        if role is None:
            break
        number = scene.number(at) if role == "number" else number
        roles.add(role)
        at += width
        end = end if role == "between" else at
    if number is None or not roles >= {"number", "day", "bound"} or number > _SANE_PRICE:
        return []
    return [scene.found(Price(high=number, a_day=True), place, end)]


def _of_a_price(scene: Scene, place: int, priced: bool) -> tuple[str | None, int]:
    """What a word is in a price of a day, and how many tokens it takes."""
    if scene.has(place, "a_day"):
        return "day", 1
    if scene.text(place + 1) in _DAYS and (scene.number(place) == 1 or (priced and scene.text(place) in ("/", "每"))):
        return "day", 2
    if scene.has(place, "not_over", "within_price"):
        return "bound", 1
    if scene.number(place) is not None:
        return (None, 0) if priced else ("number", 1)
    if scene.has(place, "yuan") or scene.text(place) in _BETWEEN:
        return "between", 1
    return None, 0


def named_product(scene: Scene, place: int) -> list[Found]:
    """航空意外险: insurance, and by name; tools find the product by its name in the query's words."""
    note = scene.found(Note(scene.text(place)), place, place + 1)
    kind = scene.get(place, "mention")
    return [scene.found(Mention(kind), place, place + 1), note] if kind else [note]

"""Readers of numbers with a meaning: two tickets, three adults, five days, below a thousand yuan."""

from core.language import read_goods
from core.language.scan import Scene
from core.language.values import Amount, Found, Mention, Note, Price

_SLOT_OF = {"ticket": "quantity", "person": "quantity", "vehicle": "quantity"}
_OTHER_UNITS = ("measure", "oclock", "days", "week", "month", "year", "day_unit", "minute")
_AGES = ("adult", "child")
_SHORT_AGES = ("大", "小")
_ME = ("我", "俺", "咱")
_PRICE_WORDS = ("价格", "票价", "价位", "价钱", "预算", "价格在", "预算在")
_ASKING_PRICES = ("多少钱", "什么价", "多少", "什么价位")  # 多少钱一张 counts nothing
_SANE_PRICE = 10_000_000
_COMPARED = ("于", "过", "出")  # 高于, 超过, 高出


def counted(scene: Scene, place: int) -> list[Found]:
    """两张, 3个人, -2张, 负两张."""
    if scene.text(place + 1) == "." and scene.number(place + 2) is not None and scene.has(place + 3, "measure"):
        return [scene.found(Amount("quantity", 0, scene.said(place, place + 3)), place, place + 4)]
    negative = scene.text(place) in ("-", "负") and not scene.has(place - 1, "number")
    at = place + 1 if negative else place
    number = scene.number(at)
    measure = scene.get(at + 1, "measure")
    if number is None or measure not in _SLOT_OF or (number == 1 and scene.text(at - 1) in _ASKING_PRICES):
        return []
    if number == 1 and measure == "person" and (scene.has(at + 2, "not_over") or _is_price(scene, at + 2)):
        return [Found(named.value, place, named.end, named.certainty) for named in price(scene, at + 2)]  # 一人3000以内
    amount = Amount("quantity", -number if negative else number)
    end = at + 2 + scene.has(at + 2, "ticket")
    return [scene.found(amount, place, end), *read_goods.cars(scene, measure, end)]


def trains_in_number(scene: Scene, place: int) -> list[Found]:
    """两趟车: tickets of some kind, not so many of them."""
    if scene.number(place) is None or scene.text(place + 1) not in ("趟", "班", "列") or scene.text(place + 2) != "车":
        return []
    return [scene.found(Mention("ticket", weak=True), place, place + 3)]


def grown_and_small(scene: Scene, place: int) -> list[Found]:
    """3大1小, 两个大人一个小孩, 两张大人一张儿童, 成人2名."""
    named, number, end = _age_and_count(scene, place)
    if number is None or named is None:
        return []
    return [scene.found(Amount("adults" if named == "adult" else "children", number), place, end)]


def _age_and_count(scene: Scene, place: int) -> tuple[str | None, int | None, int]:
    """Grown-ups or children, how many, and where the words end."""
    number = scene.number(place)
    if number is None:
        age, count = scene.get(place, "measure"), scene.skip_text(place + 1, "票")
        named = age if age in _AGES and scene.text(place) not in _SHORT_AGES else None
        unit = scene.get(count + 1, "measure")
        return named, scene.number(count), count + 1 + (unit in ("ticket", "person"))
    at = place + 1 + (scene.get(place + 1, "measure") == "ticket" and scene.get(place + 2, "measure") in _AGES)
    age = scene.get(at, "measure")
    if age not in _AGES or (scene.text(at) in _SHORT_AGES and not _is_pair(scene, place)):
        return None, None, place
    return age, number, scene.skip_text(at + 1, "票")


def _is_pair(scene: Scene, place: int) -> bool:
    """大 and 小 count people only side by side."""
    sides = (place + 3, place - 1, place + 4, place - 2)
    return any(scene.text(side) in ("大", "小") and scene.number(side - 1) is not None for side in sides)


def _is_price(scene: Scene, place: int) -> bool:
    return scene.number(place) is not None and scene.has(place + 1, "yuan", "within_price")


def with_companions(scene: Scene, place: int) -> list[Found]:
    """我和三个朋友: four; 三个朋友: three."""
    number = scene.number(place)
    after = scene.skip(place + 1, "measure") if scene.has(place + 1, "measure") else scene.skip_text(place + 1, "个")
    counted = scene.text(place).endswith("个") or after > place + 1
    if number is None or not 1 <= number <= 99 or not counted or not scene.has(after, "companion"):
        return []
    me = scene.has(place - 1, "joiner") and scene.text(place - 2) in _ME
    return [scene.found(Amount("quantity", number + me), place, after + 1)]


def two_or_three_of_us(scene: Scene, place: int) -> list[Found]:
    """我们仨, 咱俩."""
    count = scene.get(place, "of_us")
    if count is None or scene.text(place - 1) not in (*_ME, "我们", "咱们", "他们", "她们"):
        return []
    return [scene.found(Amount("quantity", int(count)), place, place + 1)]


def one_ticket(scene: Scene, place: int) -> list[Found]:
    """来张, 买张: one, without saying so."""
    if scene.text(place) not in ("张", "张票", "份", "位") or not scene.has(place - 1, "order", "order_weak"):
        return []
    return [scene.found(Amount("quantity", 1), place, place + 1)]


def length_in_days(scene: Scene, place: int) -> list[Found]:
    """五天, 三日游, 两晚, 一周 (of a stay)."""
    number = scene.number(place)
    if number is None or not 1 <= number <= 366 or scene.has(place + 2, "after"):
        return []
    after = scene.skip_text(place + 1, "个")
    if scene.has(after, "week") and scene.text(after) != "周内":
        return [scene.found(Amount("days", number * 7), place, after + 1)]
    if scene.get(place + 1, "measure") == "day" and scene.text(place + 1) != "日":
        nights = scene.number(place + 2) is not None and scene.text(place + 3) == "晚"  # 三天两晚
        return [scene.found(Amount("days", number), place, place + (4 if nights else 2))]
    of_a_walk = scene.text(place + 1) == "日" and scene.text(place + 2) in ("自由行", "行程", "之旅")
    if of_a_walk or scene.text(place + 1).startswith(("日游", "日遊")):
        return [scene.found(Amount("days", number), place, place + 1)]
    return []


def price(scene: Scene, place: int) -> list[Found]:
    """一千以内, 预算2000, 不超过五百块, 500到800元, 300以上."""
    bound_low, bound_high = scene.has(place, "not_under"), scene.has(place, "not_over")
    denied = scene.text(place).endswith(_COMPARED) and scene.has(place - 1, "negation", "not_bound")
    if denied:  # 不要高于七百
        bound_low, bound_high = bound_high, bound_low
    at = scene.skip(place + 1, "polite") if bound_low or bound_high else place
    at += scene.text(at) in ("¥", "￥", "在")
    number = scene.number(at)
    if number is None or number > _SANE_PRICE:
        return []
    if _other_unit(scene, at + 1):
        return []
    end = at + 1 + scene.has(at + 1, "yuan")
    if bound_low or bound_high:
        end += scene.has(end, "within_price", "approx")
        low_high = Price(low=number) if bound_low else Price(high=number)
        return [scene.found(low_high, place - denied, end)]
    return _range_or_suffix(scene, place, number, end)


def _other_unit(scene: Scene, place: int) -> bool:
    return not scene.has(place, "yuan") and scene.has(place, *_OTHER_UNITS)


def _range_or_suffix(scene: Scene, place: int, number: int, end: int) -> list[Found]:
    if scene.has(end, "within_price"):
        return [scene.found(Price(high=number), place, end + 1)]
    priced = scene.has(end - 1, "yuan")
    if (scene.has(end, "above_price") and scene.text(end) != "起") or (priced and scene.text(end) == "起"):
        return [scene.found(Price(low=number), place, end + 1)]
    upper = scene.number(end + 1) if scene.has(end, "dash") or scene.text(end) == "到" else None
    spoken_of = priced or scene.has(end + 2, "yuan") or scene.text(place - 1) in _PRICE_WORDS
    if upper is not None and spoken_of and upper > number:
        return [scene.found(Price(low=number, high=upper), place, end + 2 + scene.has(end + 2, "yuan"))]
    if priced and scene.text(place) and number >= 10:
        end += scene.has(end, "approx")
        return [scene.found(Note("".join(scene.text(i) for i in range(place, end))), place, end, 0.9)]
    return []

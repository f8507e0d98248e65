"""One row as a person would name it when ordering: what, when, from where, at which price, how many are left."""

from collections.abc import Callable, Mapping

from a2a_servers.goods import goods
from a2a_servers.wording.bits import arrival, clock, day, duration, joined, left, money, text
from core.shared.json_types import Row

Describe = Callable[[Row], str]


def described(kind: str, row: Row, *, dated: bool = True) -> str:
    """The item, its unit price and what is left. `dated` is False where a list's head has told the day."""
    when = day(row.get("date")) if dated and kind in _DATED else ""
    named = _NAMES.get(kind, _other)(row)
    return joined([f"{when}{named}", price_of(kind, row), left(row, goods(kind).unit)])


def short(kind: str, row: Row) -> str:
    """The same in the fewest words: name and price."""
    return joined([_SHORT.get(kind, _other)(row), price_of(kind, row)], " ")


def price_of(kind: str, row: Row) -> str:
    """二等座¥553, ¥599/人, 3天共¥600; empty without a price."""
    amount = money(row.get("price"))
    if not amount:
        return text(row, goods(kind).variant) if goods(kind).variant else ""
    match kind:
        case "tour_group":
            return f"{amount}/人"
        case "car_rental":
            days = text(row, "days")
            return f"{days}天共{amount}" if days and days != "1" else amount
        case "insurance":
            return f"{amount}/份"
        case _:
            return f"{text(row, goods(kind).variant)}{amount}" if goods(kind).variant else amount


def tour_name(row: Row) -> str:
    """A tour's name with its length, said once."""
    name, days = text(row, "name", "title"), text(row, "days")
    says_days = any(mark in name for mark in ("日游", "天"))
    return name if says_days or not days else f"{name}（{days}天）"


def car_name(row: Row) -> str:
    """Brand and model; the title where neither is known."""
    brand, model = text(row, "brand"), text(row, "model")
    named = model if brand and model.startswith(brand) else f"{brand}{model}"
    return named or text(row, "title")


def venue(row: Row) -> str:
    """上海·梅赛德斯-奔驰文化中心; the city is left out where the name begins with it."""
    city, name = text(row, "city"), text(row, "venue")
    return name if not city or name.startswith(city) else joined([city, name], "·")


def concert_name(row: Row) -> str:
    artist = text(row, "artist")
    return f"{artist}演唱会" if artist else text(row, "title")


def departure(row: Row) -> str:
    """A train or a flight: 东方航空 MU5101 首都国际机场T2 22:30 → 虹桥国际机场T2 00:50（+1天），2小时20分."""
    start = f"{text(row, 'from_station', 'from_airport', 'from_city')} {clock(row.get('depart_at'))}"
    end = f"{text(row, 'to_station', 'to_airport', 'to_city')} {arrival(row)}"
    name = joined([text(row, "airline"), text(row, "train_no", "flight_no")], " ")
    return joined([f"{name} {start} → {end}".strip(), duration(row)])


def _concert(row: Row) -> str:
    return joined([clock(row.get("starts_at")), concert_name(row), venue(row)], " ")


def _car(row: Row) -> str:
    seats = f"{text(row, 'seats')}座" if text(row, "seats") else ""
    where = f"{text(row, 'city')}取车" if text(row, "city") else ""
    return joined([f"{where}的{car_name(row)}" if where else car_name(row), seats])


def _tour(row: Row) -> str:
    start = f"{text(row, 'from_city')}出发" if text(row, "from_city") else ""
    return joined([tour_name(row), start])


def _insurance(row: Row) -> str:
    insurer = text(row, "insurer")
    span = f"保{text(row, 'days')}天" if text(row, "days") else ""
    return joined([f"{text(row, 'name', 'title')}{f'（{insurer}）' if insurer else ''}", span])


def _other(row: Row) -> str:
    return text(row, "title", "name", "item_id")


_DATED = ("train", "flight", "concert", "car_rental", "tour_group")
_NAMES: Mapping[str, Describe] = {
    "train": departure, "flight": departure, "concert": _concert, "car_rental": _car, "tour_group": _tour,
    "insurance": _insurance,
}
_SHORT: Mapping[str, Describe] = {
    "train": lambda row: joined([text(row, "train_no"), clock(row.get("depart_at"))], " "),
    "flight": lambda row: joined([text(row, "flight_no"), clock(row.get("depart_at"))], " "),
    "concert": lambda row: joined([day(row.get("date"), weekday=False), text(row, "artist"), text(row, "city")], ""),
    "car_rental": car_name,
    "tour_group": lambda row: f"{tour_name(row)}{day(row.get('date'), weekday=False)}",
    "insurance": lambda row: text(row, "name", "title"),
}

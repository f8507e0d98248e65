"""Weather in a forecaster's voice: one day in 100 to 150 characters, several days as a list."""

from collections.abc import Sequence

from a2a_servers.wording.bits import dates, day, joined, number, text
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_DAYS = 7
_BRIEF_DAYS = 2
_SHORTEST, _LONGEST = 100, 150
_FAREWELL = "祝您出行顺利！"
_WET = ("雨", "雷")
_GREY = ("雾", "霾", "沙", "尘")


class WeatherTemplate:
    """Words rows of kind `weather`."""

    def full(self, found: Found) -> str:
        if len(found.rows) == 1:
            return _one_day(found.rows[0], found.demo)
        return _several_days(found)

    def brief(self, found: Found) -> str:
        shown = found.rows[:_BRIEF_DAYS]
        rest = found.total - len(shown)
        notes = joined([f"另有{rest}天" if rest > 0 else "", found.demo])
        return f"{_short_days(shown)}{f'（{notes}）' if notes else ''}。"

    def nothing(self, query: JsonObject) -> str:
        about = f"{text(query, 'city')}{dates(query)}" or "这个地方"
        return f"抱歉，暂时没有{about}的天气信息。请核对一下城市和日期，预报一般只覆盖最近的半个月。"


def _one_day(row: Row, demo: str) -> str:
    head = f"{text(row, 'city')}{day(row.get('date'))}天气预报：{_sky(row)}，气温{_range(row)}"
    facts = joined([head, _humidity(row), text(row, "wind"), _rain(row)]) + "。"
    tail = f"以上为{demo}，仅供参考。" if demo else ""
    for advice in (_sky_advice(row), _warmth_advice(row), _swing_advice(row)):
        if len(facts) + len(advice) + len(tail) <= _LONGEST:
            facts += advice
    farewell = _FAREWELL if len(facts) + len(tail) < _SHORTEST else ""
    return facts + farewell + tail


def _several_days(found: Found) -> str:
    cities = {text(row, "city") for row in found.rows}
    one_city = len(cities) == 1
    lines = [_line(row, with_city=not one_city) for row in found.rows[:MAX_DAYS]]
    rest = found.total - len(lines)
    note = f"（{found.demo}）" if found.demo else ""
    head = f"{cities.pop() if one_city else '各地'}天气预报{note}："
    tail = f"后面还有{rest}天的预报，需要的话可以告诉我具体日期。" if rest > 0 else "请按天气增减衣物，祝您一路顺利。"
    return "\n".join([head, *lines, tail])


def _line(row: Row, with_city: bool) -> str:
    city = text(row, "city") if with_city else ""
    return "· " + joined([f"{city}{day(row.get('date'))} {_sky(row)}", _range(row), text(row, "wind"), _rain(row)])


def _short_days(rows: Sequence[Row]) -> str:
    cities = [text(row, "city") for row in rows]
    named = [city if place == 0 or city != cities[place - 1] else "" for place, city in enumerate(cities)]
    return "；".join(f"{city}{_short(row)}" for city, row in zip(named, rows, strict=True))


def _short(row: Row) -> str:
    sky = _changing(text(row, "condition_day"), text(row, "condition_night"))
    wet = f"降水{text(row, 'precip_mm')}毫米" if (number(row, "precip_mm") or 0) > 0 else ""
    return joined([f"{day(row.get('date'), weekday=False)}{sky}", _range(row), wet])


def _changing(by_day: str, by_night: str) -> str:
    return by_day if by_day == by_night or not by_night else f"{by_day}转{by_night}"


def _sky(row: Row) -> str:
    by_day, by_night = text(row, "condition_day"), text(row, "condition_night")
    if not by_night or by_day == by_night:
        return f"全天{by_day or by_night}" if by_day or by_night else "天气情况暂缺"
    return f"白天{by_day}，夜间{by_night}"


def _range(row: Row) -> str:
    low, high = text(row, "temp_min_c"), text(row, "temp_max_c")
    return f"{low}～{high}℃" if low and high else ""


def _humidity(row: Row) -> str:
    share = text(row, "humidity_pct")
    return f"相对湿度约{share}%" if share else ""


def _rain(row: Row) -> str:
    amount = number(row, "precip_mm")
    if amount is None:
        return ""
    return f"降水量{amount:g}毫米" if amount > 0 else "无降水"


def _sky_advice(row: Row) -> str:
    sky = text(row, "condition_day") + text(row, "condition_night")
    if "雪" in sky:
        return "有雪，路面容易结冰，出行请注意防滑，并为路上多留些时间。"
    if any(mark in sky for mark in _WET):
        return "有雨水光顾，出门请带好雨具，路面湿滑，行车走路都请慢一些。"
    if any(mark in sky for mark in _GREY):
        return "能见度不太好，出门建议戴上口罩，行车注意保持车距。"
    return "全天没有明显降水，适合外出走走，出行、观光都比较方便。"


def _warmth_advice(row: Row) -> str:
    high, low = number(row, "temp_max_c"), number(row, "temp_min_c")
    if high is not None and high >= 33:
        return "白天炎热，请注意防晒、多补水，午后尽量少在户外久留。"
    if high is not None and high >= 26:
        return "体感偏热，衣着以轻薄透气为宜，记得随时补充水分。"
    if low is not None and low <= 0:
        return "早晚严寒，请穿好羽绒服，戴上帽子和手套，注意保暖。"
    if low is not None and low <= 10:
        return "气温偏低，建议穿上厚外套，早晚出门注意添衣保暖。"
    return "体感舒适，穿一件薄外套就好，早晚微凉可随时添减。"


def _swing_advice(row: Row) -> str:
    high, low = number(row, "temp_max_c"), number(row, "temp_min_c")
    if high is None or low is None or high - low < 12:
        return ""
    return "昼夜温差较大，请多备一件衣服。"

"""Weather that fits city and month, the same on every machine: climate means, smooth swings and dice for rain."""

import datetime as dt
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from mcp_tools.data_files import read_table
from mcp_tools.demo.chance import dice, share

_WARMEST_DAY = 201
"""20 July; the coldest is half a year away."""


@dataclass(frozen=True, slots=True)
class _Climate:
    """A zone: per month, days with rain or snow in percent, millimetres on such a day, humidity in percent."""

    wet_pct: tuple[int, ...]
    rain_mm: tuple[int, ...]
    humidity: tuple[int, ...]
    winds: tuple[tuple[str, ...], tuple[str, ...]]


def day_rows(day: dt.date, updated_at: dt.datetime) -> list[dict[str, Any]]:
    """Rows for `weather_forecasts` on one day, one per city. `updated_at` in UTC."""
    return [_row(city, day) | {"updated_at": updated_at} for city in read_table("cities")]


def _row(city: dict[str, str], day: dt.date) -> dict[str, Any]:
    name, climate = city["city"], _climates()[city["zone"]]
    month = day.month - 1
    low, high = (round(value + _swing(name, day)) for value in _usual(city, day))
    wet = share(name, day, "wet") < climate.wet_pct[month] / 100
    precip = _millimetres(climate.rain_mm[month], name, day) if wet else 0.0
    if wet:
        high = max(low + 2, high - 3)
    if high <= 2:
        precip = min(round(precip, 1), 9.5)
    dry_sky = ("晴", "晴", "多云", "多云", "阴")[dice(name, day, "sky") % 5]
    falling = _falling(precip, high, low, day.month, dice(name, day, "thunder"))
    calm = ("多云", "阴", "多云", "晴")[dice(name, day, "night") % 4]
    return {
        "city": name, "date": day, "condition_day": falling if wet else dry_sky,
        "condition_night": falling if wet and dice(name, day, "stays") % 3 else calm,
        "temp_max_c": high, "temp_min_c": low, "humidity_pct": _humidity(climate.humidity[month], wet, name, day),
        "wind": _wind(climate, day, name), "precip_mm": precip, "origin": "demo",
    }


def _usual(city: dict[str, str], day: dt.date) -> tuple[float, float]:
    """The usual low and high on that day of the year: a cosine between the means of January and July."""
    warmth = (1 + math.cos(2 * math.pi * (day.timetuple().tm_yday - _WARMEST_DAY) / 365)) / 2
    return tuple(  # type: ignore[return-value]
        float(city[f"jan_{end}"]) * (1 - warmth) + float(city[f"jul_{end}"]) * warmth for end in ("low", "high")
    )


def _swing(name: str, day: dt.date) -> float:
    """Warm and cold spells, up to 4 °C either way, that come and go over four days."""
    knot, rest = divmod(day.toordinal(), 4)
    before, after = share(name, knot, "spell"), share(name, knot + 1, "spell")
    return 8 * (before + (after - before) * rest / 4 - 0.5)


def _millimetres(usual: int, name: str, day: dt.date) -> float:
    return round(min(90.0, max(0.2, -usual * math.log(1 - share(name, day, "amount")))), 1)


def _falling(precip: float, high: int, low: int, month: int, thunder: int) -> str:
    if high <= 2:
        return "小雪" if precip < 2.5 else "中雪" if precip < 5 else "大雪"
    if high <= 6 and low < 0:
        return "雨夹雪"
    if 5 <= month <= 9 and precip >= 2 and thunder % 3 == 0:
        return "雷阵雨"
    for limit, word in ((10, "小雨"), (25, "中雨"), (50, "大雨")):
        if precip < limit:
            return word
    return "暴雨"


def _humidity(usual: int, wet: bool, name: str, day: dt.date) -> int:
    return max(15, min(98, usual + (12 if wet else -4) + dice(name, day, "humidity") % 9 - 4))


def _wind(climate: _Climate, day: dt.date, name: str) -> str:
    words = climate.winds[1 if 4 <= day.month <= 9 else 0]
    force = ("1-2级", "2-3级", "3-4级", "2-3级", "4-5级")[dice(name, day, "force") % 5]
    return words[dice(name, day, "wind") % len(words)] + force


@cache
def _climates() -> dict[str, _Climate]:
    return {
        row["zone"]: _Climate(
            _months(row["wet_days_pct"]), _months(row["rain_mm"]), _months(row["humidity"]),
            (tuple(row["wind_winter"].split(",")), tuple(row["wind_summer"].split(","))),
        )
        for row in read_table("climate")
    }


def _months(text: str) -> tuple[int, ...]:
    return tuple(int(value) for value in text.split(","))

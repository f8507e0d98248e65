"""Open-Meteo: a hundred cities in one request, no key. Weather is told by WMO code, wind in metres per second."""

import datetime as dt
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from mcp_tools.horizon import FORECAST_DAYS
from mcp_tools.weather.forecast import BadPayload, DayForecast
from mcp_tools.weather.places import Place

USUAL_ADDRESS = "https://api.open-meteo.com"

_DAILY = (
    "weather_code", "temperature_2m_max", "temperature_2m_min", "relative_humidity_2m_mean", "precipitation_sum",
    "wind_speed_10m_max", "wind_direction_10m_dominant",
)
_CODES = {
    0: "晴", 1: "晴", 2: "多云", 3: "阴", 45: "雾", 48: "雾凇", 51: "毛毛雨", 53: "毛毛雨", 55: "小雨", 56: "冻雨",
    57: "冻雨", 61: "小雨", 63: "中雨", 65: "大雨", 66: "冻雨", 67: "冻雨", 71: "小雪", 73: "中雪", 75: "大雪",
    77: "米雪", 80: "阵雨", 81: "阵雨", 82: "强阵雨", 85: "阵雪", 86: "强阵雪", 95: "雷阵雨", 96: "雷阵雨伴有冰雹",
    99: "雷阵雨伴有冰雹",
}
"""WMO 4677 as the provider uses it. A larger code is heavier weather."""
_BEAUFORT = (0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7)
"""Where each force from 1 on begins, in metres per second."""
_COMPASS = ("北风", "东北风", "东风", "东南风", "南风", "西南风", "西风", "西北风")
_DAYLIGHT = range(8, 20)
"""Hours that count as the day; the night is the twelve that follow them."""

_Numbers = list[float | None]


class _Daily(BaseModel):
    time: list[dt.date] = Field(max_length=32)
    weather_code: _Numbers
    temperature_2m_max: _Numbers
    temperature_2m_min: _Numbers
    relative_humidity_2m_mean: _Numbers
    precipitation_sum: _Numbers
    wind_speed_10m_max: _Numbers
    wind_direction_10m_dominant: _Numbers


class _Hourly(BaseModel):
    time: list[dt.datetime] = Field(max_length=1000)
    weather_code: _Numbers


class _Answer(BaseModel):
    daily: _Daily
    hourly: _Hourly | None = None


@dataclass(frozen=True, slots=True)
class OpenMeteo:
    """The free forecast service; any server that speaks its form will do."""

    address: str = USUAL_ADDRESS
    at_once: int = 100

    @property
    def url(self) -> str:
        return f"{self.address}/v1/forecast"

    @property
    def headers(self) -> dict[str, str]:
        return {}

    def parameters(self, places: list[Place]) -> dict[str, str]:
        return {
            "latitude": ",".join(place.latitude for place in places),
            "longitude": ",".join(place.longitude for place in places),
            "daily": ",".join(_DAILY), "hourly": "weather_code", "timezone": "Asia/Shanghai",
            "wind_speed_unit": "ms", "forecast_days": str(FORECAST_DAYS),
        }

    def status(self, body: Any) -> int:
        return 400 if isinstance(body, dict) and body.get("error") else 200

    def read(self, body: Any, places: list[Place]) -> list[DayForecast]:
        """One place is answered by an object, several by a list in the order that was asked."""
        answers = body if isinstance(body, list) else [body]
        if len(answers) != len(places):
            raise BadPayload(f"{len(places)} places were asked for, {len(answers)} came")
        return [day for place, answer in zip(places, answers, strict=True) for day in _days(place, answer)]


def _days(place: Place, body: Any) -> list[DayForecast]:
    try:
        answer = _Answer.model_validate(body)
    except ValidationError:
        return []
    nights = _nights(answer.hourly) if answer.hourly else {}
    found = (_day(place, answer.daily, number, nights) for number in range(len(answer.daily.time)))
    return [day for day in found if day is not None]


def _day(place: Place, daily: _Daily, number: int, nights: dict[dt.date, int]) -> DayForecast | None:
    """None for a day that is not whole: the last ones are often empty."""
    try:
        values = [getattr(daily, name)[number] for name in _DAILY]
        code, warmest, coldest, humidity, rain, speed, degrees = (float(value) for value in values)
        day = daily.time[number]
        return DayForecast(
            city=place.city, date=day, condition_day=_CODES[int(code)],
            condition_night=_CODES[nights.get(day, int(code))], temp_max_c=round(warmest), temp_min_c=round(coldest),
            humidity_pct=round(humidity), wind=_wind(speed, degrees), precip_mm=round(rain, 1),
        )
    except (IndexError, KeyError, TypeError, ValueError, OverflowError):
        return None


def _nights(hourly: _Hourly) -> dict[dt.date, int]:
    """The heaviest weather of each night, under the day before it."""
    heaviest: dict[dt.date, int] = {}
    for moment, code in zip(hourly.time, hourly.weather_code, strict=False):
        if code is not None and moment.hour not in _DAYLIGHT and code in _CODES:
            day = (moment - dt.timedelta(hours=_DAYLIGHT.start)).date()
            heaviest[day] = max(heaviest.get(day, 0), int(code))
    return heaviest


def _wind(speed: float, degrees: float) -> str:
    return f"{_COMPASS[round(degrees / 45) % 8]}{bisect_right(_BEAUFORT, speed)}级"

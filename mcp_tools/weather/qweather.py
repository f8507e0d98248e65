"""QWeather (和风天气): one city in a request, with a key; its words are Chinese already, its numbers are text."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from mcp_tools.horizon import FORECAST_DAYS
from mcp_tools.weather.forecast import BadPayload, DayForecast
from mcp_tools.weather.places import Place


class _Answer(BaseModel):
    daily: list[dict[str, Any]] = Field(max_length=60)


@dataclass(frozen=True, slots=True)
class QWeather:
    """`address` is the host that the provider gives to each account."""

    address: str
    key: str = field(repr=False)
    at_once: int = 1

    @property
    def url(self) -> str:
        return f"{self.address}/v7/weather/{FORECAST_DAYS}d"

    @property
    def headers(self) -> dict[str, str]:
        return {"X-QW-Api-Key": self.key}

    def parameters(self, places: list[Place]) -> dict[str, str]:
        return {"location": f"{places[0].longitude},{places[0].latitude}", "lang": "zh", "unit": "m"}

    def status(self, body: Any) -> int:
        code = str(body.get("code", "200")) if isinstance(body, dict) else "200"
        return int(code) if code.isascii() and code.isdigit() and len(code) == 3 else 200

    def read(self, body: Any, places: list[Place]) -> list[DayForecast]:
        try:
            answer = _Answer.model_validate(body)
        except ValidationError as error:
            raise BadPayload("no list of days") from error
        return [day for said in answer.daily if (day := _day(places[0], said)) is not None]


def _day(place: Place, said: dict[str, Any]) -> DayForecast | None:
    try:
        return DayForecast.model_validate({
            "city": place.city, "date": said["fxDate"], "condition_day": said["textDay"],
            "condition_night": said["textNight"], "temp_max_c": said["tempMax"], "temp_min_c": said["tempMin"],
            "humidity_pct": said["humidity"], "wind": f"{said['windDirDay']}{said['windScaleDay']}级",
            "precip_mm": said["precip"],
        })
    except (KeyError, ValidationError):
        return None

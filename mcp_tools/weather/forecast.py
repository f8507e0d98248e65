"""One city's weather on one day, as every provider is made to say it; what cannot be true is not let in."""

import datetime as dt
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mcp_tools.weather.places import Place

# The characters that weather is told in, and no others: what a provider writes is shown to people and to models.
_SKY = "晴多云少阴间雾霾淞浓薄雷阵雨强伴有冰雹毛小中大暴特极端降冻夹雪米粒到转浮扬沙尘重度严热冷未知/"
_Words = Annotated[str, Field(pattern=f"^[{_SKY}]{{1,16}}$")]
_Wind = Annotated[str, Field(pattern=r"^[东南西北偏风无持续向旋转静]{1,8}[0-9]{1,2}(-[0-9]{1,2})?级$")]
_Degrees = Annotated[int, Field(ge=-70, le=60)]


class DayForecast(BaseModel):
    """°C, percent, millimetres. Numbers in text are read, since one provider writes them so."""

    model_config = ConfigDict(frozen=True)

    city: str
    date: dt.date
    condition_day: _Words
    condition_night: _Words
    temp_max_c: _Degrees
    temp_min_c: _Degrees
    humidity_pct: Annotated[int, Field(ge=0, le=100)]
    wind: _Wind
    precip_mm: Annotated[float, Field(ge=0, le=2000, allow_inf_nan=False)]

    @model_validator(mode="after")
    def _warmest_is_not_coldest(self) -> "DayForecast":
        if self.temp_max_c < self.temp_min_c:
            raise ValueError("a highest temperature above the lowest was expected")
        return self


class BadPayload(Exception):
    """An answer that is none: nothing of it is used."""


class WeatherProvider(Protocol):
    """Where forecasts come from: how it is asked for some places, and how its answer is read."""

    @property
    def url(self) -> str: ...

    @property
    def headers(self) -> dict[str, str]: ...

    @property
    def at_once(self) -> int:
        """Places that one request may hold."""
        ...

    def parameters(self, places: list[Place]) -> dict[str, str]: ...

    def status(self, body: Any) -> int:
        """The HTTP status that the body stands for: one provider says 200 and means 429."""
        ...

    def read(self, body: Any, places: list[Place]) -> list[DayForecast]:
        """The days that are whole; those that are not are left out. BadPayload when nothing can be read."""
        ...

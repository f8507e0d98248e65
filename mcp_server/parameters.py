"""The parameters of the tools: their names are the slots of the HTTP contract, their words are for a model to read."""

import datetime as dt
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from mcp_tools.wishes import PAGE_ROWS

_NAME = StringConstraints(strip_whitespace=True, min_length=1, max_length=32)
_NUMBER = StringConstraints(strip_whitespace=True, min_length=1, max_length=12)


def _iso_date(value: object) -> dt.date:
    """Pydantic alone would read numbers, and text that looks like one, as seconds since 1970."""
    if not isinstance(value, str):
        raise ValueError("YYYY-MM-DD was expected")
    return dt.date.fromisoformat(value.strip())


def _iso_minute(value: object) -> dt.time:
    if not isinstance(value, str):
        raise ValueError("HH:MM was expected")
    read = dt.time.fromisoformat(value.strip())
    if read.tzinfo is not None:
        raise ValueError("HH:MM without an offset was expected")
    return read


_Day = Annotated[dt.date, BeforeValidator(_iso_date)]
_Minute = Annotated[dt.time, BeforeValidator(_iso_minute)]
_Yuan = Annotated[Decimal, Field(ge=0, le=10_000_000, decimal_places=2)]

FromCity = Annotated[str, _NAME, Field(description="出发城市", examples=["北京", "上海"])]
ToCity = Annotated[str, _NAME, Field(description="到达城市", examples=["上海", "杭州"])]
WeatherCity = Annotated[str, _NAME, Field(description="要查天气的城市", examples=["上海", "三亚"])]
Destination = Annotated[
    str, _NAME, Field(description="想去的城市、省份或景点", examples=["成都", "云南", "九寨沟"])
]
Date = Annotated[_Day, Field(description="日期，YYYY-MM-DD；查一段日期时为第一天", examples=["2026-08-17"])]
OptionalDate = Annotated[
    _Day | None, Field(description="出发日期，YYYY-MM-DD；不填时给出每个团最近的一次出发", examples=["2026-08-17"])
]
DateEnd = Annotated[_Day | None, Field(description="一段日期的最后一天，YYYY-MM-DD（包含）", examples=["2026-08-19"])]
OptionalFromCity = Annotated[
    Annotated[str, _NAME] | None, Field(description="从哪个城市出发（成团城市）", examples=["上海"])
]
FromStation = Annotated[
    Annotated[str, _NAME] | None, Field(description="出发车站；查机票时为出发机场", examples=["北京南", "浦东机场"])
]
ToStation = Annotated[
    Annotated[str, _NAME] | None, Field(description="到达车站；查机票时为到达机场", examples=["上海虹桥", "大兴机场"])
]
TimeAfter = Annotated[_Minute | None, Field(description="最早几点出发，HH:MM", examples=["12:00"])]
TimeBefore = Annotated[_Minute | None, Field(description="最晚几点出发，HH:MM", examples=["18:00"])]
TrainNo = Annotated[Annotated[str, _NUMBER] | None, Field(description="车次", examples=["G1", "K101"])]
TrainType = Annotated[
    Literal["G", "D", "Z", "T", "K"] | None,
    Field(description="车型：G 高铁，D 动车，Z 直达，T 特快，K 快速", examples=["G"]),
]
SeatClass = Annotated[
    Annotated[str, _NAME] | None,
    Field(description="席别：二等座、一等座、商务座、硬座、硬卧、软卧", examples=["二等座", "硬卧"]),
]
FlightNo = Annotated[Annotated[str, _NUMBER] | None, Field(description="航班号", examples=["CA1101"])]
Airline = Annotated[
    Annotated[str, _NAME] | None, Field(description="航空公司，简称、全称或代码都可以", examples=["国航", "MU"])
]
Cabin = Annotated[
    Annotated[str, _NAME] | None, Field(description="舱位：经济舱、公务舱、头等舱", examples=["经济舱"])
]
Direct = Annotated[bool | None, Field(description="true 表示只要直达，不要经停或中转", examples=[True])]
Days = Annotated[
    Annotated[int, Field(ge=1, le=60)] | None, Field(description="行程天数，一日游为 1", examples=[1, 3])
]
PriceMin = Annotated[_Yuan | None, Field(description="最低价，人民币元（包含）", examples=["200"])]
PriceMax = Annotated[_Yuan | None, Field(description="最高价，人民币元（包含）", examples=["800"])]
Sort = Annotated[
    Literal["price", "-price", "depart", "-depart", "duration"] | None,
    Field(description="排序：price 价低在前，-price 价高在前，depart 早班在前，-depart 晚班在前，duration 耗时短在前"),
]
Limit = Annotated[int, Field(ge=1, le=PAGE_ROWS, description="最多返回多少行；其余的只计数，见 more")]

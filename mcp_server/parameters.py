"""The parameters of the tools: their names are the slots of the HTTP contract, their words are for a model to read."""

import datetime as dt
import unicodedata
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints

from mcp_tools.wishes import MOST_ORDERS, PAGE_ROWS


def _readable(value: object) -> object:
    """What can be seen of a text. Invisible marks are left out, so that a text of nothing else is an empty one; a
    control character is refused, since databases end a text there or read it otherwise than people do."""
    if not isinstance(value, str):
        return value
    seen = "".join(char for char in value if unicodedata.category(char) not in _UNSEEN).strip()
    if any(unicodedata.category(char) in _CONTROLS for char in seen):
        raise ValueError("a text without control characters was expected")
    return seen


_UNSEEN = ("Cf", "Zl", "Zp")
_CONTROLS = ("Cc", "Cs", "Co", "Cn")
_Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32), BeforeValidator(_readable)
]
_Number = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=12), BeforeValidator(_readable)
]
_Id = Annotated[
    str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9_-]{1,32}$"), BeforeValidator(_readable)
]


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

JourneyFrom = Annotated[
    _Name | None, Field(description="出发城市；除非用车次或航班号来查，否则必填", examples=["北京", "上海"])
]
JourneyTo = Annotated[
    _Name | None, Field(description="到达城市；除非用车次或航班号来查，否则必填", examples=["上海", "杭州"])
]
WeatherCity = Annotated[_Name, Field(description="要查天气的城市", examples=["上海", "三亚"])]
Destination = Annotated[
    _Name, Field(description="想去的城市、省份或景点", examples=["成都", "云南", "九寨沟"])
]
Date = Annotated[_Day, Field(description="日期，YYYY-MM-DD；查一段日期时为第一天", examples=["2026-08-17"])]
OptionalDate = Annotated[
    _Day | None, Field(description="出发日期，YYYY-MM-DD；不填时给出每个团最近的一次出发", examples=["2026-08-17"])
]
DateEnd = Annotated[_Day | None, Field(description="一段日期的最后一天，YYYY-MM-DD（包含）", examples=["2026-08-19"])]
OptionalFromCity = Annotated[
    _Name | None, Field(description="从哪个城市出发（成团城市）", examples=["上海"])
]
FromStation = Annotated[
    _Name | None, Field(description="出发车站；查机票时为出发机场", examples=["北京南", "浦东机场"])
]
ToStation = Annotated[
    _Name | None, Field(description="到达车站；查机票时为到达机场", examples=["上海虹桥", "大兴机场"])
]
TimeAfter = Annotated[_Minute | None, Field(description="最早几点出发，HH:MM", examples=["12:00"])]
TimeBefore = Annotated[_Minute | None, Field(description="最晚几点出发，HH:MM", examples=["18:00"])]
ArriveAfter = Annotated[_Minute | None, Field(description="最早几点到达，HH:MM", examples=["12:00"])]
ArriveBefore = Annotated[_Minute | None, Field(description="最晚几点到达，HH:MM", examples=["20:00"])]
TrainNo = Annotated[_Number | None, Field(description="车次", examples=["G1", "K101"])]
TrainType = Annotated[
    Literal["G", "D", "Z", "T", "K"] | None,
    Field(description="车型：G 高铁，D 动车，Z 直达，T 特快，K 快速", examples=["G"]),
]
SeatClass = Annotated[
    _Name | None,
    Field(description="席别：二等座、一等座、商务座、硬座、硬卧、软卧", examples=["二等座", "硬卧"]),
]
FlightNo = Annotated[_Number | None, Field(description="航班号", examples=["CA1101"])]
Airline = Annotated[
    _Name | None, Field(description="航空公司，简称、全称或代码都可以", examples=["国航", "MU"])
]
Cabin = Annotated[
    _Name | None, Field(description="舱位：经济舱、公务舱、头等舱", examples=["经济舱"])
]
Direct = Annotated[bool | None, Field(description="true 表示只要直达，不要经停或中转", examples=[True])]
Days = Annotated[
    Annotated[int, Field(ge=1, le=60)] | None, Field(description="行程天数，一日游为 1", examples=[1, 3])
]
PriceMin = Annotated[_Yuan | None, Field(description="最低价，人民币元（包含）", examples=["200"])]
PriceMax = Annotated[_Yuan | None, Field(description="最高价，人民币元（包含）", examples=["800"])]
DayPriceMax = Annotated[
    _Yuan | None, Field(description="每天最多多少钱，人民币元（包含）；整个租期的限额用 price_max", examples=["150"])
]
Sort = Annotated[
    Literal["price", "-price", "depart", "-depart", "duration"] | None,
    Field(description="排序：price 价低在前，-price 价高在前，depart 早班在前，-depart 晚班在前，duration 耗时短在前"),
]
Limit = Annotated[int, Field(ge=1, le=PAGE_ROWS, description="最多返回多少行；其余的只计数，见 more")]

Quantity = Annotated[
    Annotated[int, Field(ge=1, le=99)] | None,
    Field(description="要几张、几位、几辆或几份：只给出余量够这么多的", examples=[2]),
]
Artist = Annotated[_Name | None, Field(description="歌手或乐队", examples=["五月天", "周杰伦"])]
ConcertCity = Annotated[_Name | None, Field(description="演出城市", examples=["北京"])]
ConcertDate = Annotated[
    _Day | None, Field(description="演出日期，YYYY-MM-DD；不填时查已公布的全部场次", examples=["2026-09-12"])
]
Area = Annotated[
    _Name | None,
    Field(description="座位区域：内场、看台、VIP，也可以是区域的全名", examples=["内场"]),
]
CarCity = Annotated[_Name, Field(description="取车城市", examples=["成都", "三亚"])]
CarDate = Annotated[_Day, Field(description="取车日期，YYYY-MM-DD", examples=["2026-08-17"])]
CarDateEnd = Annotated[
    _Day | None, Field(description="用车的最后一天，YYYY-MM-DD（包含）；有 days 时不看它", examples=["2026-08-19"])
]
CarDays = Annotated[
    Annotated[int, Field(ge=1, le=60)] | None, Field(description="租几天，不填时为一天", examples=[1, 3])
]
Seats = Annotated[Annotated[int, Field(ge=1, le=60)] | None, Field(description="至少几座", examples=[5, 7])]
Brand = Annotated[_Name | None, Field(description="汽车品牌或车型", examples=["大众", "别克GL8"])]
InsuranceDays = Annotated[
    Annotated[int, Field(ge=1, le=60)] | None, Field(description="保几天；不填时给出每个产品最短的一档", examples=[5])
]
InsuranceDestination = Annotated[
    _Name | None, Field(description="去哪里：国内城市或省份", examples=["三亚", "西藏"])
]

WantedItem = Annotated[
    _Id | None, Field(description="只要查询结果里的这一项", examples=["b48a12f0c3d4e5f60718"])
]
ItemId = Annotated[
    _Id, Field(description="要订的那一项，查询结果里的 item_id", examples=["b48a12f0c3d4e5f60718"])
]
OrderQuantity = Annotated[int, Field(ge=1, le=9, description="订几份，1到9", examples=[1, 2])]
PolicyQuantity = Annotated[int, Field(ge=1, le=20, description="订几份，每人一份，1到20", examples=[1, 2])]
ExpectedPrice = Annotated[
    _Yuan, Field(description="已确认的单价，人民币元；与现价不同时不会下单", examples=["553.00"])
]
OrderId = Annotated[_Id, Field(description="订单号", examples=["SV112345678901234567"])]
OptionalOrderId = Annotated[
    _Id | None, Field(description="订单号", examples=["SV112345678901234567"])
]
OptionalKey = Annotated[
    Annotated[str, StringConstraints(pattern=r"^[!-~]{1,255}$")] | None,
    Field(description="下单请求的编号，供程序核对一次没有回音的下单；平时不填", examples=["offer-1:1"]),
]
OrderKind = Annotated[
    Literal["train", "flight", "concert", "car_rental", "tour_group", "insurance"] | None,
    Field(description="订单种类：火车票、机票、演唱会门票、租车、跟团游、保险"),
]
OrderStatus = Annotated[Literal["confirmed", "cancelled"] | None, Field(description="confirmed 有效，cancelled 已取消")]
OrderDate = Annotated[
    _Day | None, Field(description="出行或下单的日期，YYYY-MM-DD", examples=["2026-08-17"])
]
OrderLimit = Annotated[int, Field(ge=1, le=MOST_ORDERS, description="最多返回多少笔；其余的只计数，见 more")]
Before = Annotated[
    Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=128), BeforeValidator(_readable)
    ] | None,
    Field(description="翻页：上一页最后一笔的 created_at|order_id，只给出更早的"),
]
OrderCity = Annotated[_Name | None, Field(description="订单里的城市", examples=["上海"])]

_Values = Annotated[list[_Name], Field(max_length=20)]


class TrainExclude(BaseModel):
    """每一项里都是不想要的值。"""

    train_type: _Values = []
    seat_class: _Values = []
    train_no: _Values = []
    from_station: _Values = []
    to_station: _Values = []


class FlightExclude(BaseModel):
    """每一项里都是不想要的值。"""

    airline: _Values = []
    cabin: _Values = []
    flight_no: _Values = []
    from_station: _Values = []
    to_station: _Values = []


class ConcertExclude(BaseModel):
    """每一项里都是不想要的值。"""

    artist: _Values = []
    city: _Values = []
    area: _Values = []


class CarExclude(BaseModel):
    """每一项里都是不想要的值。"""

    brand: _Values = []


class TourExclude(BaseModel):
    """每一项里都是不想要的值。"""

    destination: _Values = []
    from_city: _Values = []


class InsuranceExclude(BaseModel):
    """每一项里都是不想要的值。"""

    insurer: _Values = []


_NOT_WANTED = Field(description="不想要的，按条件名列出", examples=[{"train_type": ["G"]}, {"airline": ["东航"]}])
NotOnTrains = Annotated[TrainExclude | None, _NOT_WANTED]
NotInFlights = Annotated[FlightExclude | None, _NOT_WANTED]
NotAtConcerts = Annotated[ConcertExclude | None, _NOT_WANTED]
NotAmongCars = Annotated[CarExclude | None, _NOT_WANTED]
NotAmongTours = Annotated[TourExclude | None, _NOT_WANTED]
NotAmongInsurance = Annotated[InsuranceExclude | None, _NOT_WANTED]


def unwanted(exclude: BaseModel | None) -> dict[str, list[str]]:
    """The excluded values by slot; empty where nothing is excluded."""
    return exclude.model_dump() if exclude is not None else {}

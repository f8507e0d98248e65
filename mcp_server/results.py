"""What the tools return, with the output schema that MCP publishes: {kind, rows, more, origin}, `until` where cut."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from mcp_tools.rows import (
    CarRow,
    ConcertRow,
    FlightRow,
    InsuranceRow,
    OrderRow,
    TourRow,
    TrainRow,
    WeatherRow,
)

More = Annotated[int, Field(ge=0, description="除列出的行以外还有多少行")]
Origin = Annotated[
    Literal["demo", "imported", "collected"] | None,
    Field(description="数据来源：demo 演示数据，imported 运营方导入，collected 采集；没有结果时为 null"),
]

Until = Annotated[
    str | None,
    Field(description="问到了还没有数据的日子时，实际查到哪一天", exclude_if=lambda day: day is None),
]


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, from_attributes=True)


class WeatherResult(_Result):
    """逐日天气预报。"""

    kind: Literal["weather"] = "weather"
    rows: list[WeatherRow]
    more: More
    origin: Origin
    until: Until = None


class TrainResult(_Result):
    """车票，每个席别一行。"""

    kind: Literal["train"] = "train"
    rows: list[TrainRow]
    more: More
    origin: Origin
    until: Until = None


class FlightResult(_Result):
    """机票，每个舱位一行。"""

    kind: Literal["flight"] = "flight"
    rows: list[FlightRow]
    more: More
    origin: Origin
    until: Until = None


class TourResult(_Result):
    """跟团游，每个出发日期一行，价格为每位成人。"""

    kind: Literal["tour_group"] = "tour_group"
    rows: list[TourRow]
    more: More
    origin: Origin


class ConcertResult(_Result):
    """演唱会门票，每个区域一行。"""

    kind: Literal["concert"] = "concert"
    rows: list[ConcertRow]
    more: More
    origin: Origin


class CarResult(_Result):
    """租车，每种车一行，价格为整个租期。"""

    kind: Literal["car_rental"] = "car_rental"
    rows: list[CarRow]
    more: More
    origin: Origin


class InsuranceResult(_Result):
    """旅行保险，每个产品和期限一行，价格为每份。"""

    kind: Literal["insurance"] = "insurance"
    rows: list[InsuranceRow]
    more: More
    origin: Origin


class OrderResult(_Result):
    """订单，最近的在前。"""

    kind: Literal["order"] = "order"
    rows: list[OrderRow]
    more: More
    origin: Origin

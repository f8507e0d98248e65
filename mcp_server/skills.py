"""The skills of the tools that look things up, in words: agents build cards from these, and the grammar learns them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from core.shared.json_types import JsonObject


@dataclass(frozen=True, slots=True)
class Skill:
    """One intent that a tool serves. `tags` are words that point to it, `examples` whole sentences."""

    intent: str
    kind: str
    description: str
    tags: tuple[str, ...]
    examples: tuple[str, ...]
    quotes_with: str = ""
    """For what changes something: the tool that shows what it would change, before it does."""
    needs: Mapping[str, str] | None = None
    yields: Mapping[str, str] | None = None
    """For planning: the parameters without which it cannot run, and what its rows hold, each with its type."""

    def to_json(self) -> JsonObject:
        return {
            name: list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
            for name, value in ((f.name, getattr(self, f.name)) for f in fields(self))
            if value not in ("", None)
        }


JOURNEY = {"from_city": "city", "to_city": "city", "date": "date"}
BUYING = {"item_id": "item_id", "expected_price": "price"}
"""Of what is bought: one of the rows shown, at the price it had. How many is one where nobody says."""

OFFERED = {"offer": "offer"}
"""Nothing is bought before the person has said yes to what it would be."""


QUERY_WEATHER = Skill(
    intent="query weather",
    kind="weather",
    description="查询国内城市未来15天的天气预报：天气现象、最高最低气温、湿度、风力和降水量。",
    tags=("天气", "天气预报", "气温", "温度", "下雨", "下雪", "降水", "冷不冷", "热不热", "带伞"),
    examples=("明天北京天气怎么样", "后天杭州会下雨吗", "三亚这周末多少度", "青岛未来三天的天气预报"),
    needs={"city": "city", "date": "date"},
    yields={"rows": "forecast"},
)

QUERY_TRAIN_TICKETS = Skill(
    intent="query train tickets",
    kind="train",
    description="查询两座城市之间的火车票：高铁、动车和普速列车的车次、时刻、席别、票价和余票。",
    tags=("火车票", "高铁票", "动车票", "高铁", "动车", "火车", "列车", "车次", "车票", "二等座", "一等座", "硬卧"),
    examples=(
        "明天北京到上海的高铁", "后天下午从广州去长沙的火车票", "周五武汉到长沙的二等座还有票吗",
        "郑州东到徐州东最早的一班高铁", "西宁到兰州的动车多少钱",
    ),
    needs=JOURNEY,
    yields={"rows": "rows", "train_no": "train_no"},
)

QUERY_FLIGHT_TICKETS = Skill(
    intent="query flight tickets",
    kind="flight",
    description="查询两座城市之间的机票：航班号、航空公司、机场、起降时间、舱位、票价和余票。",
    tags=("机票", "航班", "飞机", "飞机票", "直飞", "经济舱", "公务舱", "头等舱", "红眼航班"),
    examples=(
        "查明天北京到上海的机票", "大后天上海飞厦门的早班机", "周末成都到三亚最便宜的航班", "武汉飞三亚要直飞的",
    ),
    needs=JOURNEY,
    yields={"rows": "rows", "flight_no": "flight_no"},
)

QUERY_TOUR_GROUP = Skill(
    intent="query tour group",
    kind="tour_group",
    description="查询跟团游：目的地、行程天数、出发城市、出发日期、每人价格和剩余名额。",
    tags=("跟团", "跟团游", "旅游团", "旅行团", "报团", "一日游", "两日游", "三日游", "五日游"),
    examples=("成都三日游有哪些团", "推荐几个云南的跟团游", "从上海出发去黄山的旅游团", "周六北京一日游多少钱"),
    needs={"destination": "city"},
    yields={"rows": "rows", "date": "date", "from_city": "city"},
)

QUERY_CONCERT_TICKETS = Skill(
    intent="query concert tickets",
    kind="concert",
    description="查询未来60天的演唱会门票：歌手、城市、场馆、时间、内场和看台等区域、票价和余票。",
    tags=("演唱会", "演唱会门票", "巡演", "音乐会", "演出", "内场", "看台", "开唱"),
    examples=(
        "五月天最近有演唱会吗", "北京九月有哪些演唱会", "周杰伦上海演唱会内场票多少钱", "周末广州有什么演出",
    ),
    needs={},
    yields={"rows": "rows", "city": "city", "date": "date", "artist": "artist"},
)

QUERY_CAR_RENTAL = Skill(
    intent="query car rental",
    kind="car_rental",
    description="查询各城市的自驾租车：品牌、车型、座位数、整个租期的价格和可租数量。",
    tags=("租车", "自驾", "租辆车", "包车", "用车", "七座车", "SUV", "商务车"),
    examples=("明天在成都租一辆七座车三天", "三亚租车多少钱一天", "周末在杭州租个SUV", "昆明租车，要大众的"),
    needs={"city": "city", "date": "date"},
    yields={"rows": "rows"},
)

QUERY_INSURANCE = Skill(
    intent="query insurance",
    kind="insurance",
    description="查询旅行保险：产品、承保公司、保障内容、1到30天的保险期限和每份价格。",
    tags=("保险", "旅游险", "旅行险", "意外险", "航意险", "航延险", "旅行保险"),
    examples=("三亚五天的旅行保险", "去西藏要买什么保险", "最便宜的旅游意外险", "有航班延误险吗"),
    needs={},
    yields={"rows": "rows"},
)

QUERY_ORDERS = Skill(
    intent="query orders",
    kind="order",
    description="查询自己的订单：车票、机票、门票、租车、跟团游和保险，从最近的一笔开始。",
    tags=("订单", "我的订单", "订票记录", "我订的", "我买的", "买了什么"),
    examples=("我的订单", "查一下我订的票", "我买了哪些东西", "我明天的车票订好了吗"),
    needs={},
    yields={"rows": "rows", "order_id": "order_id"},
)

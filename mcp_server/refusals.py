"""Arguments that do not fit a tool's schema, said in one sentence that a traveller may read."""

from typing import Any

from pydantic import ValidationError

_LABELS = {
    "city": "城市", "from_city": "出发城市", "to_city": "到达城市", "destination": "目的地", "date": "日期",
    "date_end": "结束日期", "from_station": "出发站", "to_station": "到达站", "time_after": "最早出发时间",
    "time_before": "最晚出发时间", "arrive_after": "最早到达时间",
    "arrive_before": "最晚到达时间", "train_no": "车次", "train_type": "车型", "seat_class": "席别",
    "flight_no": "航班号", "airline": "航空公司", "cabin": "舱位", "days": "天数", "price_min": "最低价",
    "price_max": "最高价", "sort": "排序方式", "limit": "行数", "direct": "直达要求", "quantity": "数量",
    "artist": "歌手", "area": "区域", "seats": "座位数", "brand": "品牌", "item_id": "所选的那一项",
    "expected_price": "确认的单价", "order_id": "订单号", "kind": "订单种类", "status": "订单状态",
    "before": "翻页位置", "idempotency_key": "请求编号", "exclude": "不想要的条件", "day_price_max": "每天的最高价",
}
_SHAPES = {
    "date": "要写成2026-08-17这样，而且确有这一天", "date_end": "要写成2026-08-17这样，而且确有这一天",
    "time_after": "要写成08:30这样", "time_before": "要写成08:30这样",
    "arrive_after": "要写成08:30这样", "arrive_before": "要写成08:30这样",
    "price_min": "要是一个不小于零的金额", "price_max": "要是一个不小于零的金额",
    "day_price_max": "要是一个不小于零的金额",
    "days": "要是1到60之间的整数", "seats": "要是1到60之间的整数", "expected_price": "要是一个不小于零的金额",
    "quantity": "要是不小于1的整数", "train_type": "只能是G、D、Z、T、K之一",
}


def refusal_of(error: ValidationError, unit: str = "") -> str:
    """The first fault in words; `unit` is what the tool's goods are counted in.

    Nothing of the rejected value is repeated: it may be anything.
    """
    first: Any = error.errors(include_url=False, include_input=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    label = _LABELS.get(name, "有一项条件")
    if first["type"] == "missing" or first["type"] == "string_too_short":
        return f"还缺少{label}，请补充一下。"
    if first["type"] == "string_too_long":
        return f"{label}太长了，请不要超过{first['ctx']['max_length']}个字。"
    if name == "quantity" and first["type"] == "less_than_equal":
        return f"{label}太多了，一次最多{first['ctx']['le']}{unit}。"
    return f"{label}{_SHAPES.get(name, '写得不对，请检查一下')}。"

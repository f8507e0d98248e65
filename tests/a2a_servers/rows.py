"""Rows as the tools return them, with fields to change."""

from core.shared.json_types import JsonObject, JsonValue


def weather_row(**changes: JsonValue) -> JsonObject:
    return {
        "city": "上海", "date": "2026-08-17", "condition_day": "多云", "condition_night": "小雨", "temp_max_c": 31,
        "temp_min_c": 24, "humidity_pct": 78, "wind": "东南风3级", "precip_mm": 6.5,
        "updated_at": "2026-08-16T08:00:00+08:00", **changes,
    }


def train_row(**changes: JsonValue) -> JsonObject:
    return {
        "item_id": "t-1", "title": "G1 北京南→上海虹桥", "price": "553.00", "remaining": 12, "train_no": "G1",
        "train_type": "G", "from_station": "北京南", "to_station": "上海虹桥", "from_city": "北京", "to_city": "上海",
        "date": "2026-08-17", "depart_at": "2026-08-17T07:00:00+08:00", "arrive_at": "2026-08-17T11:29:00+08:00",
        "duration_min": 269, "seat_class": "二等座", **changes,
    }


def flight_row(**changes: JsonValue) -> JsonObject:
    return {
        "item_id": "f-1", "title": "MU5101", "price": "880.00", "remaining": 5, "flight_no": "MU5101",
        "airline": "东方航空", "from_airport": "首都国际机场T2", "to_airport": "虹桥国际机场T2", "from_city": "北京",
        "to_city": "上海", "date": "2026-08-17", "depart_at": "2026-08-17T22:30:00+08:00",
        "arrive_at": "2026-08-18T00:50:00+08:00", "duration_min": 140, "cabin": "经济舱", **changes,
    }


def concert_row(**changes: JsonValue) -> JsonObject:
    return {
        "item_id": "c-1", "title": "五月天演唱会 看台", "price": "480.00", "remaining": 60, "artist": "五月天",
        "venue": "上海体育场", "city": "上海", "date": "2026-08-22", "starts_at": "2026-08-22T19:30:00+08:00",
        "area": "看台", **changes,
    }


def car_row(**changes: JsonValue) -> JsonObject:
    return {
        "item_id": "v-1", "title": "大众帕萨特 3天", "price": "750.00", "remaining": 4, "brand": "大众",
        "model": "帕萨特", "seats": 5, "city": "三亚", "date": "2026-08-17", "days": 3, **changes,
    }


def insurance_row(**changes: JsonValue) -> JsonObject:
    return {
        "item_id": "s-1", "title": "安心境内旅行险 7天", "price": "35.00", "remaining": 500, "name": "安心境内旅行险",
        "insurer": "平安保险", "coverage": "意外身故伤残50万元，意外医疗5万元，航班延误300元，紧急救援", "days": 7,
        **changes,
    }


def order_row(**changes: JsonValue) -> JsonObject:
    return {
        "order_id": "SV100000000000000001", "kind": "train", "status": "confirmed", "item": train_row(),
        "quantity": 2, "total_price": "1106.00", "created_at": "2026-08-16T12:00:00.000000+08:00", **changes,
    }


def tour_row(**changes: JsonValue) -> JsonObject:
    return {
        "item_id": "g-1", "title": "成都熊猫二日游", "price": "599.00", "remaining": 9, "name": "成都熊猫二日游",
        "from_city": "重庆", "destination": "成都", "days": 2, "date": "2026-08-17", **changes,
    }

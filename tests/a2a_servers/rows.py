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


def tour_row(**changes: JsonValue) -> JsonObject:
    return {
        "item_id": "g-1", "title": "成都熊猫二日游", "price": "599.00", "remaining": 9, "name": "成都熊猫二日游",
        "from_city": "重庆", "destination": "成都", "days": 2, "date": "2026-08-17", **changes,
    }

"""Orders of several agents as one list: numbered through, newest first."""

from collections.abc import Sequence
from datetime import datetime

from core.shared.json_types import JsonObject

MOST_LINES = 10

_STATUS = {"confirmed": "已预订", "cancelled": "已取消"}


def listed(orders: Sequence[JsonObject], *, choosing: bool) -> str:
    """The list in words; `choosing`: the person is to say which one is meant."""
    lines = [f"{number}. {_line(order)}" for number, order in enumerate(orders[:MOST_LINES], 1)]
    rest = f"（另有{len(orders) - MOST_LINES}笔较早的没有列出。）" if len(orders) > MOST_LINES else ""
    ask = "请问是哪一笔？说第几个或订单号就行。" if choosing else ""
    return "\n".join(part for part in [f"您共有{len(orders)}笔订单：", *lines, rest, ask] if part)


def _line(order: JsonObject) -> str:
    item = order.get("item")
    title = item.get("title") if isinstance(item, dict) else order.get("kind")
    when = _day(item) if isinstance(item, dict) else ""
    status = _STATUS.get(str(order.get("status")), "")
    cost = f"×{order.get('quantity')}，¥{order.get('total_price')}"
    return f"{title}{when}，{cost}，{status}，订单号{order.get('order_id')}"


def _day(item: JsonObject) -> str:
    try:
        day = datetime.fromisoformat(str(item.get("date")))
    except ValueError:
        return ""
    return f"（{day.month}月{day.day}日）"

"""Orders: what was placed, what was cancelled, and the list of one's own. 已下单 is made from the order's row only."""

from collections.abc import Iterable, Sequence

from a2a_servers.goods import goods
from a2a_servers.wording.bits import clock, day, joined, money, text
from a2a_servers.wording.template import Found
from core.shared.json_types import JsonObject, Row

MAX_SHOWN = 5
_BRIEF_SHOWN = 2
_NO_CONDITIONS = {"kind", "limit"}
_STATUS = {"confirmed": "已预订", "cancelled": "已取消"}


class OrderTemplate:
    """Words rows of kind `order` for an agent that sells these kinds."""

    def __init__(self, *kinds: str) -> None:
        self._nouns = _listed(kinds, last="或")

    def full(self, found: Found) -> str:
        lines = [f"{place}. {_line(row)}" for place, row in enumerate(found.rows[:MAX_SHOWN], 1)]
        return "\n".join([f"{self._head(found)}：", *lines, *_tail(found, len(lines))])

    def brief(self, found: Found) -> str:
        shown = "；".join(_short(row) for row in found.rows[:_BRIEF_SHOWN])
        return f"{self._head(found)}：{shown}{'等' if found.total > _BRIEF_SHOWN else ''}。"

    def nothing(self, query: JsonObject) -> str:
        if order_id := text(query, "order_id"):
            return f"没有找到订单号为{order_id}的订单，请核对一下。"
        nouns = goods(text(query, "kind")).noun or self._nouns
        if query.get("before"):
            return f"没有更早的{nouns}订单了。"
        which = "符合条件的" if set(query) - _NO_CONDITIONS else "您的"
        return f"没有查到{which}{nouns}订单。"

    def _head(self, found: Found) -> str:
        """How many; of which kinds only where one was asked for: the rows say what they are."""
        noun = goods(text(found.query, "kind")).noun
        if found.query.get("before"):
            return f"更早的{noun}订单有{found.total}笔"
        return f"您有{found.total}笔{noun}订单"


def told(orders: Sequence[Row]) -> str:
    """What has just been done, a line for each order."""
    return "\n".join(_told(order) for order in orders)


def title(order: Row) -> str:
    """What was ordered, as the row had it."""
    item = _item(order)
    return text(item, "title", "name") or goods(text(order, "kind")).noun or "订单"


def already_cancelled(order: Row) -> str:
    return f"{_what(order)}这笔订单（{text(order, 'order_id')}）之前已经取消了，不用再办。"


def to_cancel(order: Row) -> str:
    """The order that would be cancelled."""
    return f"找到这笔订单：{_line(order)}。"


def which_one(orders: Sequence[Row]) -> str:
    """A numbered list of orders that could be meant."""
    lines = [f"{place}. {_line(order)}" for place, order in enumerate(orders[:MAX_SHOWN], 1)]
    rest = len(orders) - len(lines)
    more = [f"另有{rest}笔没有列出。"] if rest > 0 else []
    return "\n".join([f"有{len(orders)}笔订单可以取消：", *lines, *more, "请问取消哪一笔？"])


def nothing_to_cancel(kinds: Iterable[str], *, order_id: str | None, narrowed: bool) -> str:
    if order_id is not None:
        return f"没有找到订单号为{order_id}的订单，请核对一下。"
    which = "符合条件的" if narrowed else ""
    return f"您目前没有{which}可以取消的{_listed(sorted(kinds))}订单。"


def _listed(kinds: Iterable[str], last: str = "、") -> str:
    nouns = [noun for kind in kinds if (noun := goods(kind).noun)]
    return last.join(part for part in ("、".join(nouns[:-1]), *nouns[-1:]) if part)


def _item(order: Row) -> Row:
    item = order.get("item")
    return item if isinstance(item, dict) else {}


def _when(order: Row) -> str:
    """8月17日（周一）07:00 of what was ordered."""
    item = _item(order)
    moment = text(item, "depart_at", "starts_at")
    date = day(text(item, "date") or moment)
    return f"{date}{clock(moment)}" if moment else date


def _what(order: Row) -> str:
    return joined([title(order), _when(order)])


def _amount(order: Row) -> str:
    count = f"{text(order, 'quantity')}{goods(text(order, 'kind')).unit}" if text(order, "quantity") else ""
    total = money(order.get("total_price"))
    return joined([count, f"共{total}" if total else ""])


def _number(order: Row) -> str:
    return f"订单号{text(order, 'order_id')}" if text(order, "order_id") else ""


def _status(order: Row) -> str:
    said = text(order, "status")
    return _STATUS.get(said, said)


def _line(order: Row) -> str:
    return joined([_what(order), _amount(order), _status(order), _number(order)])


def _short(order: Row) -> str:
    return joined([title(order), _when(order), _status(order)])


def _told(order: Row) -> str:
    verb = "已取消" if text(order, "status") == "cancelled" else "已下单"
    return f"{verb}：{joined([_what(order), _amount(order), _number(order)])}。"


def _tail(found: Found, shown: int) -> list[str]:
    rest = [f"另有{found.total - shown}笔没有列出。"] if found.total > shown else []
    if any(text(row, "status") == "confirmed" for row in found.rows):
        return [*rest, "想取消哪一笔，告诉我订单号或车次、日期这样的内容就行。"]
    return rest

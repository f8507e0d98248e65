"""Why something is not sold or not taken back, each in one sentence that says what has changed."""

import datetime as dt
from decimal import Decimal

from core.shared.clock import SHANGHAI
from core.shared.errors import Conflict, InvalidRequest
from mcp_tools.checks import chinese_date
from mcp_tools.on_sale import OnSale
from mcp_tools.order_book import OrderRecord
from mcp_tools.search import yuan
from mcp_tools.shelves import Shelf


def too_many(shelf: Shelf, quantity: int) -> None:
    if not 1 <= quantity <= shelf.most:
        raise InvalidRequest(f"一次可以预订1到{shelf.most}{shelf.unit}，请改一下数量。")


def not_on_sale() -> Conflict:
    return Conflict("您选的这一项已经不在售了，没有下单，请重新查询后再选。")


def unsellable(found: OnSale, shelf: Shelf, quantity: int, expected_price: Decimal, now: dt.datetime) -> None:
    """Raises Conflict when it has begun, costs something else, or too few are left."""
    title = found.shown["title"]
    if found.leaves_at is not None and found.leaves_at <= now:
        moment = found.leaves_at.astimezone(SHANGHAI)
        when = f"{chinese_date(moment.date(), now.date())}{moment:%H:%M}"
        raise Conflict(f"{title}{shelf.too_late}（{when}），不能再预订了，请换一个时间。")
    if expected_price * 100 != found.price_fen:
        asked = f"{expected_price:.2f}"
        raise Conflict(f"{title}的价格变了，现在是¥{yuan(found.price_fen)}，不是¥{asked}，所以没有下单。")
    if found.remaining == 0:
        raise Conflict(f"{title}已经售完，没有下单，可以换一个试试。")
    if found.remaining < quantity:
        raise Conflict(f"{title}只剩{found.remaining}{shelf.unit}，不够{quantity}{shelf.unit}，所以没有下单。")


def begun(order: OrderRecord, now: dt.datetime) -> None:
    """Raises Conflict when what was ordered has left: there is nothing to give back any more."""
    if order["leaves_at"] is not None and order["leaves_at"].replace(tzinfo=dt.UTC) <= now:
        raise Conflict("这个订单的出行时间已经过了，不能再取消了。")

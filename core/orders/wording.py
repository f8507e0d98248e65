"""What is said about offers and orders. 已下单 is made from the order's row, never from the wish to order."""

from collections.abc import Sequence
from datetime import datetime

from core.shared.json_types import JsonObject, JsonValue
from core.types.orders import OFFER_MINUTES, Offer, Placement
from core.types.understanding import Understanding


def put_offers(offers: Sequence[Offer]) -> str:
    """The question under the quotes of a reply."""
    lines = [_offer_line(offer) for offer in offers]
    actions = {offer.quote.action for offer in offers}
    ask = _ASKS.get("/".join(sorted(actions)), _ASKS["place"])
    return "\n".join([*lines, f"{ask}回复“确认”即可，{OFFER_MINUTES}分钟内有效；回复“算了”就不办了。"])


_ASKS = {
    "cancel": "确认取消吗？",
    "place": "需要为您下单吗？",
    "cancel/place": "要这样办吗？会先订好新的，再取消原来的；新的没订成，原来的就不动。",
}

NOT_GIVEN_UP = "新的没有订成，原来的订单没有取消，照旧有效。"
NOT_YET_GIVEN_UP = "新的还没有结果，原来的订单先不取消。"
ON_THE_WAY = "这一单正在办理，请稍等片刻再回复“确认”查看结果，不会重复下单。"


def not_recallable(offers: Sequence[Offer]) -> str:
    """Words that came too late for these: they were agreed to, and their outcome is not known yet."""
    lines = "\n".join(_offer_line(offer) for offer in offers)
    return f"这一单已经提交，结果还没有收到，现在撤不回来：\n{lines}\n请稍后回复“确认”查看结果，不会重复下单。"


def of_earlier(placements: Sequence[Placement]) -> str:
    """What became of orders whose outcome was unknown when they were last spoken of."""
    return "\n".join(f"之前那一单：{_placement_line(placement)}" for placement in placements)


def told_placements(placements: Sequence[Placement]) -> str:
    """What became of confirmed offers, one line each."""
    return "\n".join(_placement_line(placement) for placement in placements)


def withdrawn(offers: Sequence[Offer]) -> str:
    return f"好的，{'这几项' if len(offers) > 1 else '这一项'}就不办了。需要时随时告诉我。"


def waiting(offers: Sequence[Offer]) -> str:
    until = min(offer.expires_at for offer in offers)
    return f"不着急，报价为您保留到{until:%H:%M}，想好了回复“确认”就行。"


def expired() -> str:
    return f"报价已经超过{OFFER_MINUTES}分钟失效了，什么都没有办理。需要的话请再说一次，我重新为您报价。"


_ALREADY = {
    "placed": "这一单已经办过了，没有重复下单。",
    "placing": "这一单正在办理，请稍等片刻再查。",
    "unknown": "这一单的结果还没有收到，请稍后再确认一次，不会重复下单。",
    "withdrawn": "这个报价已经撤回了，没有下单。需要的话请再说一次，我重新为您报价。",
    "failed": "这个报价没有办成，没有下单。需要的话请再说一次，我重新为您报价。",
    "open": "报价已经失效了，没有下单。",
}


def already(offers: Sequence[Offer]) -> str:
    """Why an offer that is no longer open cannot be placed (again)."""
    done_away = offers[0].state == "placed" and offers[0].quote.action == "cancel"
    return "这笔订单已经取消过了，没有重复办理。" if done_away else _ALREADY[offers[0].state]


def asked_again(offers: Sequence[Offer]) -> str:
    """What was said is neither a clear yes nor a no."""
    return f"还没有办理；想换别的，直接告诉我要什么就行。\n{put_offers(offers)}"


def not_changed(reason: str, offers: Sequence[Offer]) -> str:
    """Another quantity could not be quoted; the old offer is as good as before."""
    return f"{reason or '数量暂时没有改成。'}\n原来的报价仍然有效：\n{put_offers(offers)}"


def still_open(offers: Sequence[Offer]) -> str:
    """A new wish to order led to nothing: a yes would mean what was offered before."""
    lines = "\n".join(_offer_line(offer) for offer in offers)
    return f"之前的报价还没有确认，回复“确认”办理的是它：\n{lines}"


def set_aside() -> str:
    """The wish was changed, and nothing new could be offered for it."""
    return "（之前的报价已经撤回，没有下单。）"


def changes(text: str, offer: Offer, understanding: Understanding) -> bool:
    """Whether a message that leans on the conversation changes the wish behind an offer, rather than looking round."""
    verb, _, goods = offer.quote.skill.partition(" ")
    swaps = any(mark in text for mark in ("换", "改", "不要"))
    for task in understanding.tasks:
        asked_verb, _, asked_goods = task.intent.partition(" ")
        if asked_goods == goods and (asked_verb == verb or swaps):
            return True
    return False


def _offer_line(offer: Offer) -> str:
    verb = "取消" if offer.quote.action == "cancel" else "预订"
    items = "，".join(f"{_title(item.item)} ×{item.quantity}" for item in offer.quote.items)
    total = f"退款¥{offer.total_price:.2f}" if offer.quote.action == "cancel" else f"共¥{offer.total_price:.2f}"
    return f"{verb}：{items}，{total}。"


def _placement_line(placement: Placement) -> str:
    if placement.refusal:
        return placement.refusal
    return "\n".join(_order_line(order) for order in placement.orders)


def _order_line(order: JsonObject) -> str:
    item = order.get("item")
    title = _title(item) if isinstance(item, dict) else str(order.get("kind", ""))
    verb, refund = ("已取消", "退款") if order.get("status") == "cancelled" else ("已下单", "")
    paid = f"{refund}¥{order.get('total_price')}"
    return f"{verb}：{title} ×{order.get('quantity')}，{paid}，订单号 {order.get('order_id')}。"


def _title(item: JsonObject) -> str:
    when = next((short for key in ("depart_at", "starts_at", "date") if (short := _short(item.get(key)))), "")
    return f"{item.get('title', '')}{f'（{when}）' if when else ''}"


def _short(value: JsonValue) -> str:
    """8月17日 09:00 of a moment, 8月17日 of a date; empty for anything else."""
    if not isinstance(value, str):
        return ""
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return ""
    day = f"{moment.month}月{moment.day}日"
    return day if len(value) <= len("2026-08-17") else f"{day} {moment:%H:%M}"

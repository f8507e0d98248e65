"""Who buys, as the metadata of a call says it: never the words of a message, never a tool's parameters."""

import re
from dataclasses import dataclass

from core.shared.call_context import CallContext
from core.shared.errors import Forbidden

_USER = re.compile(r"[A-Za-z0-9_.@:-]{1,64}")
_OFFER = re.compile(r"[!-~]{1,64}")
_ITEM_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_KEY = re.compile(r"[!-~]{1,255}")


@dataclass(frozen=True, slots=True)
class Buyer:
    """A person who has said yes to an offer. One key is good for one order, and so is each item of an offer."""

    user_id: str
    offer_id: str
    idempotency_key: str

    @property
    def item_number(self) -> int:
        """Which of the offer's items: a key ends in it. One of another form stands for an offer of a single item."""
        number = self.idempotency_key.removeprefix(f"{self.offer_id}:")
        return int(number) if _ITEM_NUMBER.fullmatch(number) else 1


def user_of(call: CallContext) -> str:
    """The person whose orders may be seen. Raises Forbidden when there is none."""
    if not _USER.fullmatch(call.user_id):
        raise Forbidden("还不知道您是谁，请登录后再查看或办理订单。")
    return call.user_id


def buyer_of(call: CallContext) -> Buyer:
    """Raises Forbidden for a call without a person, a confirmed offer or a key of its own."""
    user_id = user_of(call)
    if not _OFFER.fullmatch(call.offer_id or ""):
        raise Forbidden("下单或退订之前，需要您先确认报价。")
    if not _KEY.fullmatch(call.idempotency_key or ""):
        raise Forbidden("这次请求没有带有效的请求编号，没有办理，请重新确认一次。")
    return Buyer(user_id, call.offer_id or "", call.idempotency_key or "")

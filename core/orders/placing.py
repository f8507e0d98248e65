"""Carries a confirmed offer to the agent that quoted it, item by item, each under its own idempotency key."""

from core.language.slots import slots_from_json
from core.ports.agents import AgentNetwork, Unreachable
from core.shared.call_context import CallContext, child_traceparent
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action, AgentRequest, AgentResponse, Quote, QuoteItem
from core.types.orders import Offer, Placement

QUERY = "query orders"
PLACING_MS = 30_000
"""What one placement may take, whatever is left of the turn: a started order is brought to its end."""

UNKNOWN = "这一单的结果暂时没有收到。请稍后再回复一次“确认”：已经办成的会直接告诉您，不会重复下单。"
GONE = "没有办成，没有产生订单，也没有扣款。"
UNTOUCHED = "预订服务暂时联系不上，没有下单，也没有扣款。报价还有效，请稍后再回复“确认”。"


class Placing:
    """Knows how an offer becomes a call. The agent's answer is the only source of what is said afterwards."""

    def __init__(self, network: AgentNetwork) -> None:
        self._network = network

    async def place(self, offer: Offer, traceparent: str) -> Placement:
        """The orders made, or why there are none; never raises for what an agent does."""
        orders: list[JsonObject] = []
        for number, item in enumerate(offer.quote.items, 1):
            answer = await self._network.call(offer.agent, _request(offer, item), _context(offer, number, traceparent))
            failed = _failure(offer, answer, tuple(orders))
            if failed is not None:
                return failed
            orders += _orders(answer)
        return Placement(offer, tuple(orders))

    async def look_up(self, offer: Offer, traceparent: str) -> Placement:
        """The orders that were made of the offer. None of them: `refusal` says so, `unknown` when nobody could tell."""
        orders: list[JsonObject] = []
        for number, item in enumerate(offer.quote.items, 1):
            key = f"{offer.offer_id}:{number}"
            cancels = offer.quote.action == "cancel"
            parameter: JsonObject = {"order_id": item.item.get("order_id")} if cancels else {"idempotency_key": key}
            action = Action(tool_name=QUERY, parameter=parameter, job_desc="查询订单")
            request = AgentRequest(thought="查一下这一单的结果。", action_code=[action])
            context = CallContext(offer.user_id, offer.session_id, PLACING_MS, child_traceparent(traceparent))
            answer = await self._network.call(offer.agent, request, context)
            if isinstance(answer, Unreachable) or answer.status == "failed":
                return Placement(offer, tuple(orders), refusal=UNKNOWN, unknown=True)
            wanted = "cancelled" if cancels else "confirmed"
            orders += [row for row in _orders(answer) if row.get("status") == wanted or not cancels]
        return Placement(offer, tuple(orders), refusal="" if orders else GONE)

    async def quote_again(self, offer: Offer, quantity: int, traceparent: str) -> AgentResponse | Unreachable:
        """The same item in another quantity, quoted afresh: the agent knows what is left and how many one may take."""
        item = offer.quote.items[0].item
        parameter = _slots(item, quantity)
        job = f"预订{quantity}份：{item.get('title', '')}"
        action = Action(tool_name=offer.quote.skill, parameter=parameter, job_desc=job)
        request = AgentRequest(thought="换个数量，重新报价。", action_code=[action])
        context = CallContext(offer.user_id, offer.session_id, PLACING_MS, child_traceparent(traceparent))
        return await self._network.call(offer.agent, request, context)


def _slots(item: JsonObject, quantity: int) -> JsonObject:
    """All that the row says: an agent looks it up afresh, and a bare number of an item finds nothing there."""
    bare: JsonObject = {"item_id": item.get("item_id"), "quantity": quantity}
    try:
        return {**slots_from_json({**item, "quantity": quantity}).to_json(), **bare}
    except ValueError:  # a third party's row may spell a name of ours in its own way
        return bare


def with_quantity(quote: Quote, quantity: int) -> Quote:
    """The quote for another quantity, for an agent that quotes but does not count."""
    items = [item.model_copy(update={"quantity": quantity}) for item in quote.items]
    return quote.model_copy(update={"items": items})


def _failure(offer: Offer, answer: AgentResponse | Unreachable, orders: tuple[JsonObject, ...]) -> Placement | None:
    if isinstance(answer, Unreachable):
        untouched = not answer.sent and not orders
        text = UNTOUCHED if untouched else UNKNOWN
        return Placement(offer, orders, refusal=text, unknown=not untouched, untouched=untouched)
    if answer.status == "completed" and _orders(answer):
        return None
    untouched = answer.code == "unavailable" and not orders
    unknown = answer.code == "unknown"
    text = UNTOUCHED if untouched else UNKNOWN if unknown else answer.observation
    return Placement(offer, orders, refusal=text, unknown=unknown, untouched=untouched)


def _orders(answer: AgentResponse | Unreachable) -> list[JsonObject]:
    if isinstance(answer, Unreachable) or answer.data is None or answer.data.kind != "order":
        return []
    return answer.data.rows


def _request(offer: Offer, item: QuoteItem) -> AgentRequest:
    verb = "取消" if offer.quote.action == "cancel" else "下单"
    if offer.quote.action == "cancel":
        parameter: JsonObject = {"order_id": item.item.get("order_id")}
    else:
        parameter = {
            "item_id": item.item.get("item_id"),
            "quantity": item.quantity,
            "expected_price": item.unit_price,
        }
    action = Action(tool_name=offer.quote.skill, parameter=parameter, job_desc=f"{verb}：{item.item.get('title', '')}")
    return AgentRequest(thought=f"用户已确认报价，{verb}。", action_code=[action])


def _context(offer: Offer, number: int, traceparent: str) -> CallContext:
    return CallContext(
        user_id=offer.user_id,
        session_id=offer.session_id,
        remaining_ms=PLACING_MS,
        traceparent=child_traceparent(traceparent),
        offer_id=offer.offer_id,
        idempotency_key=f"{offer.offer_id}:{number}",
    )

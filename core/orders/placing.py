"""Carries a confirmed offer to the agent that quoted it, item by item, each under its own idempotency key."""

from core.ports.agents import AgentNetwork, Unreachable
from core.shared.call_context import CallContext, child_traceparent
from core.shared.json_types import JsonObject
from core.types.agent_protocol import Action, AgentRequest, QuoteItem
from core.types.orders import Offer, Placement

PLACING_MS = 30_000
"""What one placement may take, whatever is left of the turn: a started order is brought to its end."""

UNKNOWN = "这一单的结果暂时没有收到，请稍后用“查我的订单”确认，先不要重复下单。"


class Placing:
    """Knows how an offer becomes a call. The agent's answer is the only source of what is said afterwards."""

    def __init__(self, network: AgentNetwork) -> None:
        self._network = network

    async def place(self, offer: Offer, traceparent: str) -> Placement:
        """The orders made, or why there are none; never raises for what an agent does."""
        orders: list[JsonObject] = []
        for number, item in enumerate(offer.quote.items, 1):
            answer = await self._network.call(offer.agent, _request(offer, item), _context(offer, number, traceparent))
            if isinstance(answer, Unreachable):
                return Placement(offer, tuple(orders), refusal=UNKNOWN)
            rows = answer.data.rows if answer.data and answer.data.kind == "order" else []
            if answer.status != "completed" or not rows:
                return Placement(offer, tuple(orders), refusal=answer.observation)
            orders += rows
        return Placement(offer, tuple(orders))


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

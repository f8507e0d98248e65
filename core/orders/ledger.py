"""A person's orders, asked of the agents: the core reads no business table."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from core.ports.agents import AgentNetwork, Unreachable
from core.shared.call_context import CallContext
from core.shared.errors import NotFound, UpstreamUnavailable
from core.shared.json_types import JsonObject
from core.types.agent_protocol import INVALID_PARAMETER, Action, AgentRequest, AgentResponse, Quote

QUERY, CANCEL = "query orders", "cancel order"
ASK_MS = 20_000
RETRY_AFTER_S = 5


@dataclass(frozen=True, slots=True)
class OrderPage:
    """Orders, newest first; `next` is where the following page begins, None at the end."""

    orders: tuple[JsonObject, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class AskedBy:
    """Who asks, in which trace."""

    user_id: str
    traceparent: str


class OrderLedger:
    """Merges what every agent with orders has. An agent that is silent is an error: half a list would be a lie."""

    def __init__(self, network: AgentNetwork) -> None:
        self._network = network

    async def page(self, who: AskedBy, *, limit: int, before: str | None) -> OrderPage:
        """At most `limit` orders older than the cursor `before`."""
        parameter: JsonObject = {"limit": limit, **({"before": before} if before else {})}
        answers = [_heard(answer) for answer in await self._ask_all(QUERY, who, parameter)]
        orders = sorted((row for answer in answers for row in _rows(answer)), key=_cursor, reverse=True)
        more = len(orders) > limit or any(answer.data and answer.data.more for answer in answers)
        page = tuple(orders[:limit])
        return OrderPage(orders=page, next=_cursor(page[-1]) if more and page else None)

    async def get(self, who: AskedBy, order_id: str) -> JsonObject:
        """One order. NotFound for none of this person's; UpstreamUnavailable when that cannot be known."""
        answers = await self._ask_all(QUERY, who, {"order_id": order_id})
        for answer in answers:
            if isinstance(answer, AgentResponse):
                for row in _rows(answer):
                    if row.get("order_id") == order_id:
                        return row
        for answer in answers:
            _heard(answer)
        raise NotFound("没有这个订单。")

    async def cancellation(self, who: AskedBy, order_id: str) -> tuple[str, Quote]:
        """The agent that has the order, and what it would cancel."""
        agents = self._offering(CANCEL)
        answers = await self._ask_all(CANCEL, who, {"order_id": order_id})
        for agent, answer in zip(agents, answers, strict=True):
            if isinstance(answer, AgentResponse) and answer.quotes:
                return agent, answer.quotes[0]
        for answer in answers:
            _heard(answer)
        raise NotFound("没有这个订单。")

    def _offering(self, intent: str) -> list[str]:
        return [agent.name for agent in self._network.agents() if agent.offers(intent)]

    async def _ask_all(
        self, intent: str, who: AskedBy, parameter: JsonObject
    ) -> Sequence[AgentResponse | Unreachable]:
        request = AgentRequest(thought="查阅订单。", action_code=[Action(tool_name=intent, parameter=parameter)])
        context = CallContext(
            user_id=who.user_id, session_id="orders", remaining_ms=ASK_MS, traceparent=who.traceparent, wording=False
        )
        calls = (self._network.call(agent, request, context.child()) for agent in self._offering(intent))
        return await asyncio.gather(*calls)


def _heard(answer: AgentResponse | Unreachable) -> AgentResponse:
    """An id that no order of this agent can have is an answer: it has none of that name."""
    if isinstance(answer, AgentResponse) and answer.code == INVALID_PARAMETER:
        return answer
    if isinstance(answer, Unreachable) or answer.status == "failed":
        raise UpstreamUnavailable("订单暂时查不到，请稍后再试。", retry_after_s=RETRY_AFTER_S)
    return answer


def _rows(answer: AgentResponse) -> list[JsonObject]:
    return answer.data.rows if answer.data is not None and answer.data.kind == "order" else []


def _cursor(order: JsonObject) -> str:
    """Sorts by moment, then id; what the next page's `before` says."""
    return f"{order.get('created_at')}|{order.get('order_id')}"

"""An agent that sells one train, in memory: quotes without an offer, places and cancels with one."""

from typing import Any

from core.ports.agents import Unreachable
from core.shared.call_context import CallContext
from core.shared.json_types import JsonObject
from core.types.agent_protocol import AgentRequest, AgentResponse

ITEM: JsonObject = {
    "item_id": "i1",
    "title": "G1 北京南→上海虹桥 二等座",
    "price": "553.00",
    "date": "2026-08-17",
    "train_no": "G1",
    "from_city": "北京",
    "to_city": "上海",
    "from_station": "北京南",
    "to_station": "上海虹桥",
    "depart_at": "2026-08-17T09:00:00+08:00",
}


class TrainSeller:
    """Honest about money: one order for one idempotency key, nothing without an offer id."""

    def __init__(self, stock: int = 5) -> None:
        self.stock = stock
        self.price = "553.00"
        self.orders: dict[str, JsonObject] = {}
        self.unreachable = False
        self.refused = False
        self.silent_after_work = False

    async def __call__(self, request: AgentRequest, context: CallContext) -> AgentResponse | Unreachable:
        if self.unreachable or self.refused:
            return Unreachable(agent="TicketAssistant", reason="连接中断", sent=not self.refused)
        action = request.action_code[0]
        if self.silent_after_work and context.offer_id is not None:
            getattr(self, _METHODS[action.tool_name])(action.parameter, context)
            return Unreachable(agent="TicketAssistant", reason="没有在限定时间内答复")
        return getattr(self, _METHODS[action.tool_name])(action.parameter, context)  # type: ignore[no-any-return]

    def _order(self, parameter: JsonObject, context: CallContext) -> AgentResponse:
        if context.offer_id is None:
            wanted = int(str(parameter.get("quantity") or 1))
            if wanted > self.stock:
                return _answer("completed", f"抱歉，只剩{self.stock}张了。", rows=[])
            seat = str(parameter.get("seat_class") or "二等座")
            item = {**ITEM, "price": self.price, "seat_class": seat, "title": f"G1 北京南→上海虹桥 {seat}"}
            items = [{"item": item, "quantity": wanted, "unit_price": self.price}]
            quote = {"skill": "order train tickets", "action": "place", "kind": "train", "items": items}
            return _answer("input_required", "G1有票。", quotes=[quote])
        key = f"{context.user_id}/{context.idempotency_key}"
        if key not in self.orders:
            if parameter["expected_price"] != self.price:
                return _answer("failed", f"价格已变为¥{self.price}，没有下单。")
            quantity = int(str(parameter["quantity"]))
            if quantity > self.stock:
                return _answer("failed", f"只剩{self.stock}张，没有下单。")
            self.stock -= quantity
            self.orders[key] = self._new_order(len(self.orders) + 1, quantity, context.user_id)
        return _answer("completed", "已下单。", rows=[self.orders[key]])

    def _new_order(self, number: int, quantity: int, user_id: str) -> JsonObject:
        return {
            "order_id": f"T{number:04}",
            "kind": "train",
            "status": "confirmed",
            "item": ITEM,
            "quantity": quantity,
            "total_price": f"{float(self.price) * quantity:.2f}",
            "created_at": f"2026-08-16T12:00:{number:02}.000+08:00",
            "owner": user_id,
        }

    def _list(self, parameter: JsonObject, context: CallContext) -> AgentResponse:
        own = [o for o in self.orders.values() if o["owner"] == context.user_id]
        if key := parameter.get("idempotency_key"):
            own = [o for k, o in self.orders.items() if k == f"{context.user_id}/{key}"]
        if order_id := parameter.get("order_id"):
            own = [o for o in own if o["order_id"] == order_id]
        own = sorted(own, key=lambda o: f"{o['created_at']}|{o['order_id']}", reverse=True)
        if before := parameter.get("before"):
            own = [o for o in own if f"{o['created_at']}|{o['order_id']}" < str(before)]
        limit = int(str(parameter.get("limit", 20)))
        return _answer("completed", "您的订单。", rows=own[:limit], more=max(0, len(own) - limit))

    def _cancel(self, parameter: JsonObject, context: CallContext) -> AgentResponse:
        own = [o for o in self.orders.values() if o["owner"] == context.user_id and o["status"] == "confirmed"]
        found = [o for o in own if parameter.get("order_id") in (None, o["order_id"])]
        if not found:
            return _answer("completed", "没有可以取消的订单。", rows=[])
        order = found[0]
        if context.offer_id is None:
            item = {**ITEM, "order_id": order["order_id"]}
            items = [{"item": item, "quantity": order["quantity"], "unit_price": "553.00"}]
            quote = {"skill": "cancel order", "action": "cancel", "kind": "train", "items": items}
            return _answer("input_required", "找到一个订单。", quotes=[quote])
        order["status"] = "cancelled"
        self.stock += int(str(order["quantity"]))
        return _answer("completed", "已取消。", rows=[order])


_METHODS = {"order train tickets": "_order", "query orders": "_list", "cancel order": "_cancel"}
INTENTS = list(_METHODS)


def _answer(status: str, observation: str, *, rows: list[JsonObject] | None = None, **more: Any) -> AgentResponse:
    data = {"kind": "order", "rows": rows, "more": more.pop("more", 0)} if rows is not None else None
    return AgentResponse.model_validate({"status": status, "observation": observation, "data": data, **more})

"""改签 as what can be done: the wanted journey is offered anew and the old order's cancellation beside it.

The cancellation waits for the new booking: nobody gives a seat away before another one is theirs.
"""

from dataclasses import replace

from core.language.frames import Condition, Frame, Reading
from core.language.slots import Slots, slots_from_json
from core.shared.json_types import JsonObject
from core.types.memory import TaskContext

CANCEL = "cancel order"
_ANEW = {"train": "order train tickets", "flight": "order flight tickets"}
"""Kinds of which the same is sold for other days and hours."""

_KEPT = ("from_city", "to_city", "train_type", "seat_class", "cabin", "airline", "direct")
_SAME_SERVICE = ("train_no", "flight_no", "from_station", "to_station")
_CHANGED = (
    "date", "time_after", "time_before", "arrive_after", "arrive_before", "train_no", "flight_no", "seat_class",
    "cabin", "train_type",
)


def rebooked(reading: Reading, context: TaskContext) -> Reading:
    """The reading with a change of a known order as its two halves; else as it is, and the person is asked."""
    if len(reading.frames) != 1 or reading.frames[0].slots.action != "change":
        return reading
    change = reading.frames[0].slots
    order = _order(change.order_id, context)
    if order is None or not any(getattr(change, slot) for slot in _CHANGED):
        return reading
    wanted = _wanted(change, order)
    if wanted is None:
        return reading
    anew = Frame(_ANEW[str(order["kind"])], wanted, _in_words(wanted), spans=reading.frames[0].spans)
    old = Slots(order_id=change.order_id, action="cancel")
    cancel = Frame(CANCEL, old, f"取消订单{change.order_id}", when=Condition(0, "found"))
    return replace(reading, frames=(anew, cancel), leaned=True)


def _order(order_id: str | None, context: TaskContext) -> JsonObject | None:
    """The order, as long as it can still be given back."""
    if order_id is None or context.shown_kind != "order":
        return None
    for row in context.shown:
        if row.get("order_id") == order_id and row.get("status") == "confirmed" and row.get("kind") in _ANEW:
            return row
    return None


def _wanted(change: Slots, order: JsonObject) -> Slots | None:
    """What was ordered, with what is to be different; None where the row does not say enough."""
    item = order.get("item")
    try:
        before = slots_from_json({**item, "quantity": order.get("quantity")} if isinstance(item, dict) else {})
    except ValueError:
        return None
    if before.from_city is None or before.to_city is None or before.date is None:
        return None
    new = {slot: getattr(change, slot) for slot in _CHANGED if getattr(change, slot) is not None}
    same = () if new.keys() - {"date", "seat_class", "cabin"} else _SAME_SERVICE
    kept = {slot: getattr(before, slot) for slot in (*_KEPT, *same)}
    first = {} if same or change.train_no or change.flight_no else {"sort": "depart"}
    return Slots(**{"date": before.date, "quantity": before.quantity, **kept, **first, **new})


def _in_words(wanted: Slots) -> str:
    which = wanted.train_no or wanted.flight_no or ""
    return f"改订{wanted.date}{wanted.from_city}到{wanted.to_city}的{which or '票'}"

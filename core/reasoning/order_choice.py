"""The answer to 取消哪一笔: the order that is chosen is the one to cancel, not one to look at."""

import re
from dataclasses import replace

from core.language.frames import Frame, Reading, Trouble
from core.language.numerals import NUMERALS, value_of
from core.language.slots import Slots
from core.shared.json_types import JsonObject
from core.types.memory import TaskContext

QUERY, CANCEL = "query orders", "cancel order"
_NUMERAL = f"[0-9]{{1,2}}|[{''.join(sorted(NUMERALS))}]{{1,3}}"
_PLACE = re.compile(
    rf"\s*(?:选|就|要|取消|退)*第?(?P<number>{_NUMERAL})(?:个|笔|单|条)?(?:吧|的|那个|那笔)*[\s。.!！]*"
)


def of_orders(reading: Reading, context: TaskContext) -> Reading:
    """The reading, where we asked about orders and it answers that; else as it is."""
    last = context.tasks[-1] if context.tasks else None
    if not context.asked or last is None or context.shown_kind != "order":
        return reading
    if last.intent == CANCEL:
        frame = _chosen(reading, context.shown)
        return replace(reading, frames=(frame,), leaned=True, topic="travel") if frame else reading
    if last.slots.action == "change" and last.slots.order_id and reading.topic == "assent":
        return replace(reading, frames=(_cancelling(last.slots.order_id),), leaned=True, topic="travel")
    return reading


def _chosen(reading: Reading, shown: tuple[JsonObject, ...]) -> Frame | None:
    if (place := _PLACE.fullmatch(reading.text)) is not None:
        return _at(place["number"], place.group().strip(), shown)
    if len(reading.frames) != 1 or reading.frames[0].intent != QUERY or reading.frames[0].slots.action:
        return None
    frame = reading.frames[0]
    if frame.slots.order_id:
        return _cancelling(frame.slots.order_id)
    return replace(frame, intent=CANCEL, slots=Slots(action="cancel")) if frame.troubles else None


def _at(said: str, whole: str, shown: tuple[JsonObject, ...]) -> Frame:
    number = int(said) if said.isdigit() else value_of(said) or 0
    if not 1 <= number <= len(shown):
        missing = Trouble("no_such_item", "item_id", whole)
        return Frame(CANCEL, Slots(action="cancel"), "取消订单", troubles=(missing,))
    return _cancelling(str(shown[number - 1].get("order_id")))


def _cancelling(order_id: str) -> Frame:
    return Frame(CANCEL, Slots(order_id=order_id, action="cancel"), f"取消订单{order_id}")

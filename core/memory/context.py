"""What the conversation is about after a turn: so that 第二个 and 那上海呢 find what they lean on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.shared.json_types import JsonObject
from core.types.memory import PastTask, Profile, TaskContext
from core.types.plan import StepResult
from core.types.services import services
from core.types.turn import Answer
from core.types.understanding import Task

MOST_SHOWN = 20
"""Services that can be spoken of by their number; no reply shows more."""

ORDER = "order"
"""The kind of rows that are orders, whatever was ordered."""

_PREFERRED = ("train_type", "seat_class", "seat_pref", "airline", "cabin")
_NOT_FOR_SALE = frozenset({"weather", "attraction"})


def next_context(before: TaskContext, answer: Answer) -> TaskContext:
    """The context for the following turn: what this one did not touch stays, a question that still stands too."""
    kind, shown = _shown(before, answer) or (before.shown_kind, before.shown)
    if answer.understanding.outcome == "withdrawn":
        return TaskContext(shown=shown, shown_kind=kind)
    if not answer.understanding.tasks:
        return TaskContext(before.tasks, before.asked or answer.status == "follow_up", shown, kind)
    waiting = _waiting(answer)
    asked = answer.status == "follow_up" or bool(waiting)
    tasks = waiting or answer.understanding.tasks
    return TaskContext(tuple(PastTask(task.intent, task.slots) for task in tasks), asked, shown, kind)


def with_new_preferences(context: TaskContext, said: Profile) -> TaskContext:
    """The context without what a preference that was just told takes the place of: 以后都订一等座 after 二等座."""
    slots = [name for name in said if name in _PREFERRED]
    if not slots:
        return context
    emptied: dict[str, Any] = dict.fromkeys(slots)
    tasks = tuple(replace(task, slots=replace(task.slots, **emptied)) for task in context.tasks)
    return replace(context, tasks=tasks)


def _waiting(answer: Answer) -> tuple[Task, ...]:
    """The wishes about which a question stands: those held back, and those about which an agent asks."""
    latest = {result.step.task: result for result in answer.results}
    asking = {task for task, r in latest.items() if r.status == "input_required" and not r.quotes}
    held = asking.union(answer.understanding.waiting)
    return tuple(task for task in answer.understanding.tasks if task.id in held)


def _shown(before: TaskContext, answer: Answer) -> tuple[str, tuple[JsonObject, ...]] | None:
    """The rows put before the person, one for each service; None where there were none."""
    if answer.orders:
        return ORDER, tuple(answer.orders[:MOST_SHOWN])
    if answer.offers:
        return _offered(before, answer)
    chosen = _spoken_of(answer.results)
    if chosen is None or chosen.data is None:
        return None
    kind = chosen.data.kind
    lists = [_services(kind, result.data.rows) for result in (*_way_out(chosen, answer.results), chosen) if result.data]
    return kind, tuple(row for rows in lists for row in rows[: MOST_SHOWN // len(lists)])


def _services(kind: str, rows: Sequence[JsonObject]) -> list[JsonObject]:
    """One row for each service: the first of its classes that is left to sell."""
    groups = services(kind, rows)
    return [next((row for row in group if row.get("remaining") != 0), group[0]) for group in groups]


def _way_out(home: StepResult, results: Sequence[StepResult]) -> list[StepResult]:
    """The journey of which the other is the way back: both lists are before the person."""
    start, end = home.step.slots.from_city, home.step.slots.to_city
    return [
        result for result in results
        if result.has_rows and result.data and home.data and result.data.kind == home.data.kind and start and end
        and (result.step.slots.from_city, result.step.slots.to_city) == (end, start)
    ][-1:]


def _offered(before: TaskContext, answer: Answer) -> tuple[str, tuple[JsonObject, ...]]:
    """What was offered; where it was chosen from a list, that list still is before the person (还是第三个吧)."""
    cancelling = [offer for offer in answer.offers if offer.quote.action == "cancel"]
    cancels = bool(cancelling)  # beside a new booking, too: it is the old order that may still be changed otherwise
    kind = ORDER if cancels else answer.offers[0].quote.kind
    items = [item.item for offer in cancelling or answer.offers for item in offer.quote.items]
    if before.shown_kind == kind and all(_among(before.shown, kind, item) for item in items):
        return kind, before.shown
    if not cancels:
        return kind, tuple(items[:MOST_SHOWN])
    rows = [row for result in answer.results if result.data and result.data.kind == ORDER for row in result.data.rows]
    return kind, tuple((rows or items)[:MOST_SHOWN])


def _among(shown: Sequence[JsonObject], kind: str, item: JsonObject) -> bool:
    if kind == ORDER:
        return any(row.get("order_id") == item.get("order_id") for row in shown)
    return any(len(services(kind, [row, item])) == 1 or row.get("item_id") == item.get("item_id") for row in shown)


def _spoken_of(results: Sequence[StepResult]) -> StepResult | None:
    """Of several results the last one from which something can be chosen, else the last with rows."""
    with_rows = [result for result in results if result.has_rows]
    for_sale = [r for r in with_rows if r.data is not None and r.data.kind not in _NOT_FOR_SALE]
    choosing = for_sale or with_rows
    return choosing[-1] if choosing else None

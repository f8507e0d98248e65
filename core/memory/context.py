"""What the conversation is about after a turn: so that 第二个 and 那上海呢 find what they lean on."""

from collections.abc import Sequence

from core.shared.json_types import JsonObject
from core.types.memory import PastTask, TaskContext
from core.types.plan import StepResult
from core.types.services import services
from core.types.turn import Answer

MOST_SHOWN = 20
"""Services that can be spoken of by their number; no reply shows more."""

_NOT_FOR_SALE = frozenset({"weather", "attraction"})


def next_context(before: TaskContext, answer: Answer) -> TaskContext:
    """The context for the following turn: what this one did not touch stays."""
    tasks = tuple(PastTask(task.intent, task.slots) for task in answer.understanding.tasks) or before.tasks
    kind, shown = _shown(answer) or (before.shown_kind, before.shown)
    return TaskContext(tasks=tasks, asked=answer.status == "follow_up", shown=shown, shown_kind=kind)


def _shown(answer: Answer) -> tuple[str, tuple[JsonObject, ...]] | None:
    """The rows put before the person, one for each service; None where there were none."""
    if items := [item.item for offer in answer.offers for item in offer.quote.items]:
        return answer.offers[0].quote.kind, tuple(items[:MOST_SHOWN])
    if bought := [item for order in answer.orders if isinstance(item := order.get("item"), dict)]:
        return str(answer.orders[0].get("kind")), tuple(bought[:MOST_SHOWN])
    chosen = _spoken_of(answer.results)
    if chosen is None or chosen.data is None:
        return None
    rows = [group[0] for group in services(chosen.data.kind, chosen.data.rows)]
    return chosen.data.kind, tuple(rows[:MOST_SHOWN])


def _spoken_of(results: Sequence[StepResult]) -> StepResult | None:
    """Of several results the last one from which something can be chosen, else the last with rows."""
    with_rows = [result for result in results if result.has_rows]
    for_sale = [r for r in with_rows if r.data is not None and r.data.kind not in _NOT_FOR_SALE]
    choosing = for_sale or with_rows
    return choosing[-1] if choosing else None

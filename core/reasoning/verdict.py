"""How a turn went, in one word."""

from core.reasoning.reflection import latest_by_task
from core.types.plan import StepResult
from core.types.turn import ReplyStatus


def verdict(results: tuple[StepResult, ...]) -> ReplyStatus:
    """`answered` when every task got its answer: an empty result and an unmet condition are answers too."""
    statuses = [result.status for result in latest_by_task(results)]
    fine = [status in ("ok", "skipped") for status in statuses]
    if "ok" in statuses:
        return "answered" if all(fine) else "partial"
    return "follow_up" if "input_required" in statuses else "failed"

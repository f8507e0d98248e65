"""How a turn went, in one word."""

from core.reasoning.reflection import latest_by_task
from core.types.plan import StepResult
from core.types.turn import ReplyStatus


def verdict(results: tuple[StepResult, ...], *, asking: bool = False) -> ReplyStatus:
    """`answered` when every task got its answer: an empty result and an unmet condition are answers too.

    `asking`: a further wish waits for the person's answer; what the others brought is then `partial`.
    """
    latest = latest_by_task(results)
    statuses = [result.status for result in latest]
    fine = [result.status in ("ok", "skipped") and not result.incomplete for result in latest]
    if "ok" in statuses:
        return "answered" if all(fine) and not asking else "partial"
    return "follow_up" if asking or "input_required" in statuses else "failed"

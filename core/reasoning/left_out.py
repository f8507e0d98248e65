"""Why a step of a plan is left out, in words that say no more than what is known."""

from collections.abc import Callable, Mapping

from core.reasoning.conditions import can_tell, passes, unmet
from core.types.plan import Step, StepResult

Name = Callable[[str], str]
"""From an intent to what a traveller calls it."""


def why_not(step: Step, before: Mapping[int, StepResult], name: Name) -> str:
    """Empty when the step may run."""
    about = name(step.intent)
    verb = "办" if step.intent.startswith(("order ", "cancel ")) else "查"
    decides = before[int(step.when.of)] if step.when else None
    for result in before.values():
        judged = step.when is not None and result is decides and can_tell(step.when.test, result)
        if result.status != "ok" and not judged:
            return f"{_standstill(result, name(result.step.intent))}，{about}就先没有{verb}。"
    if step.when and decides is not None and not passes(step.when.test, decides):
        of = name(decides.step.intent).removesuffix("预订")
        return f"{unmet(step.when.test, decides, of)}，就没有再{verb}{about}。"
    for bind in step.bind:
        if not before[bind.step].has_rows:
            return f"没有查到{name(before[bind.step].step.intent)}，{about}就先没有{verb}。"
    return ""


def _standstill(result: StepResult, about: str) -> str:
    """What became of a step that others wait for."""
    if result.status == "input_required":
        return f"{about}还要等您确认"
    return f"{about}这次没有查成" if result.status == "failed" else f"{about}没有进行"

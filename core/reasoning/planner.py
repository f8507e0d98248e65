"""Planning by rules: one step for each task at first, afterwards what reflection still wants."""

from collections.abc import Mapping

from core.ports.reasoning import PlanningInput
from core.reasoning.next_task import follow, watched
from core.reasoning.reflection import further_steps
from core.types.plan import Plan, Step
from core.types.understanding import Task, When


class RulePlanner:
    """Implements the port Planner without a model."""

    async def plan(self, given: PlanningInput) -> Plan:
        if given.results:
            return Plan(further_steps(given))
        numbers = {task.id: given.next_number + index for index, task in enumerate(given.tasks)}
        return Plan(watched([first_step(task, numbers) for task in given.tasks]))

    async def next(self, given: PlanningInput, step: Step) -> Plan:
        return follow(given, step)


def first_step(task: Task, numbers: Mapping[str, int]) -> Step:
    """The step of a task with its condition; `numbers`: those of all tasks' steps."""
    when = When(of=str(numbers[task.when.of]), test=task.when.test) if task.when else None
    return Step(
        number=numbers[task.id], task=task.id, intent=task.intent, action=task.query, query=task.query,
        slots=task.slots, depends_on=(int(when.of),) if when else (), when=when,
    )

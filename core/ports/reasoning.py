"""The steps of reasoning that a model or the rules can take. Each has one method."""

from dataclasses import dataclass
from typing import Protocol

from core.types.network import Skill
from core.types.plan import Step, StepResult
from core.types.turn import UserMessage
from core.types.understanding import Task, Understanding


@dataclass(frozen=True, slots=True)
class PlanningInput:
    """What a planner sees. `results` is empty on the first round; `next_number` is the first number still free."""

    message: UserMessage
    tasks: tuple[Task, ...]
    results: tuple[StepResult, ...] = ()
    next_number: int = 1


class Understander(Protocol):
    async def understand(self, message: UserMessage, skills: tuple[Skill, ...]) -> Understanding: ...


class Planner(Protocol):
    async def plan(self, given: PlanningInput) -> tuple[Step, ...]: ...


class Summarizer(Protocol):
    async def summarize(self, message: UserMessage, results: tuple[StepResult, ...]) -> str: ...


class LocalSkill(Protocol):
    """An intent that the core answers itself, without an agent."""

    @property
    def skill(self) -> Skill: ...

    async def run(self, step: Step) -> StepResult: ...

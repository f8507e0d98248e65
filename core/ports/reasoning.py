"""The steps of reasoning that a model or the rules can take. Each has one method."""

from dataclasses import dataclass
from typing import Protocol

from core.types.agent_protocol import ResultData
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
    """Turns a message into tasks, or into what to say instead. `skills` is what can be done at the moment."""

    async def understand(self, message: UserMessage, skills: tuple[Skill, ...]) -> Understanding: ...


class Planner(Protocol):
    """The first plan while nothing is observed; afterwards reflection: further steps, or none when all is there."""

    async def plan(self, given: PlanningInput) -> tuple[Step, ...]: ...


class Summarizer(Protocol):
    """Words the results as one reply."""

    async def summarize(self, message: UserMessage, results: tuple[StepResult, ...]) -> str: ...


@dataclass(frozen=True, slots=True)
class LocalResult:
    """What a local skill brings: `data` in the same form as an agent's."""

    text: str
    data: ResultData


class LocalSkill(Protocol):
    """An intent that the core answers itself, without an agent. It never raises for want of data."""

    @property
    def skill(self) -> Skill: ...

    async def run(self, step: Step, *, brief: bool) -> LocalResult: ...

"""The steps of reasoning that a model or the rules can take. Each has one method."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.types.agent_protocol import ResultData
from core.types.memory import Learned, MemoryContext, Profile
from core.types.network import Skill
from core.types.plan import Plan, Step, StepResult
from core.types.turn import Turn
from core.types.understanding import Task, Understanding


@dataclass(frozen=True, slots=True)
class PlanningInput:
    """What a planner sees. `results` is empty on the first round; `next_number` is the first number still free."""

    turn: Turn
    tasks: tuple[Task, ...]
    results: tuple[StepResult, ...] = ()
    next_number: int = 1


class Understander(Protocol):
    """Turns the turn's message into tasks, or into what to say instead. `skills`: what can be done at the moment."""

    async def understand(self, turn: Turn, skills: tuple[Skill, ...]) -> Understanding: ...


class Planner(Protocol):
    """The first plan while nothing is observed; afterwards reflection: further steps, or none when all is there."""

    async def plan(self, given: PlanningInput) -> Plan: ...

    async def next(self, given: PlanningInput, step: Step) -> Plan:
        """The next task, predicted anew from `given.results`, which `step` has waited for: as a rule the step itself.

        The last step of the plan is the one in its place, under its number; those before it are new and run first.
        Without steps nothing follows, and the thought tells the person why.
        """
        ...


class Summarizer(Protocol):
    """Words the results as one reply."""

    def words(self, turn: Turn, results: tuple[StepResult, ...]) -> AsyncGenerator[str]:
        """The reply in pieces, each fit to be shown the moment it comes; together they are the whole of it."""
        ...


@dataclass(frozen=True, slots=True)
class LocalResult:
    """What a local skill brings: `data` in the same form as an agent's."""

    text: str
    data: ResultData


class LocalSkill(Protocol):
    """An intent that the core answers itself, without an agent. It never raises for want of data."""

    @property
    def skill(self) -> Skill: ...

    async def run(self, turn: Turn, step: Step, *, brief: bool) -> LocalResult: ...


class Recollection(Protocol):
    """What memory can do for understanding, without a model."""

    def learned(self, text: str, memory: MemoryContext, now: datetime) -> Learned:
        """What the person says of themselves for good in this message."""
        ...

    def told(self, text: str, memory: MemoryContext) -> str | None:
        """The answer to what is only about memory: a question, or something to be kept. None for any other message."""
        ...

    def wish_part(self, text: str, profile: Profile) -> str:
        """The message without what only tells about the person; the whole of it where nothing would be left."""
        ...

    def with_profile(self, tasks: tuple[Task, ...], profile: Profile) -> tuple[tuple[Task, ...], str]:
        """Open slots filled from lasting preferences, and a sentence that names them (empty for none)."""
        ...

"""What happens while a turn runs, in the order a client sees it."""

from collections.abc import Callable
from dataclasses import dataclass

from core.types.plan import Considered, Step, StepResult
from core.types.turn import CacheLevel, Reply
from core.types.understanding import Understanding


@dataclass(frozen=True, slots=True)
class Began:
    trace_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class Cached:
    """Whether the answer comes from the cache, and from which of its levels."""

    hit: bool
    level: CacheLevel | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    understanding: Understanding


@dataclass(frozen=True, slots=True)
class Planned:
    """`thought`: the decision in words; `considered`: the paths of tools that it was chosen from."""

    round: int
    steps: tuple[Step, ...]
    thought: str = ""
    considered: tuple[Considered, ...] = ()


@dataclass(frozen=True, slots=True)
class StepStarted:
    step: Step
    agent: str | None
    round: int
    started_ms: int


@dataclass(frozen=True, slots=True)
class StepEnded:
    result: StepResult


@dataclass(frozen=True, slots=True)
class Delta:
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    reply: Reply


Event = Began | Cached | Understood | Planned | StepStarted | StepEnded | Delta | Done
Emit = Callable[[Event], None]

"""Steps of a plan and what came of them."""

from dataclasses import dataclass
from typing import Literal

from core.language.slots import Slots
from core.shared.json_types import JsonValue
from core.types.agent_protocol import NOTHING_SPENT, Quote, ResultData, Usage
from core.types.understanding import When

MAX_STEPS = 12
MAX_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Bind:
    """A slot that is taken from a row of a dependency's result: the first, unless that does not fit."""

    slot: str
    step: int
    field: str
    row: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One call of one skill. Numbers rise through the turn and never restart."""

    number: int
    task: str
    intent: str
    action: str
    query: str
    slots: Slots
    depends_on: tuple[int, ...] = ()
    when: When | None = None
    bind: tuple[Bind, ...] = ()
    relaxed: tuple[str, ...] = ()
    """Slots that reflection dropped because nothing was found with them."""
    extra: tuple[tuple[str, JsonValue], ...] = ()
    """Parameters beyond the slots, from rows of another tool: what only third parties know, such as a form's number."""
    trust_mode: Literal[0, 1] = 1
    """0: what it brings is reasoned over before anything that waits for it runs; 1: it is passed on."""


@dataclass(frozen=True, slots=True)
class ConsideredPath:
    """Tools in the order in which they would run, what they cost together, and what the person would have to say."""

    tools: tuple[str, ...]
    cost: float
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Considered:
    """The paths that were compared for a task; the first was taken, and `why` says by what."""

    task: str
    closing: str
    paths: tuple[ConsideredPath, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done next, the decision in words, and what it was chosen from. Without steps: nothing more."""

    steps: tuple[Step, ...] = ()
    thought: str = ""
    considered: tuple[Considered, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentQuote:
    """A quote and the agent that stands by it."""

    agent: str
    quote: Quote


StepStatus = Literal["ok", "failed", "skipped", "input_required"]


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step brought. `text` is what a person reads; `error` says in words why there is no result.

    `title` is what the step is about, as a traveller calls it. `incomplete`: somebody who was asked was not heard, so
    that there may be more than was found. Times are milliseconds since the turn began.
    """

    step: Step
    status: StepStatus
    round: int
    text: str = ""
    data: ResultData | None = None
    quotes: tuple[AgentQuote, ...] = ()
    error: str | None = None
    agent: str | None = None
    usage: Usage = NOTHING_SPENT
    started_ms: int = 0
    elapsed_ms: int = 0
    title: str = ""
    incomplete: bool = False

    @property
    def has_rows(self) -> bool:
        return self.data is not None and bool(self.data.rows)

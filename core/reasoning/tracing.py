"""Listens to a turn as it runs: its events, its calls of agents, its questions to the model. Nobody waits for it.

The log of the turn travels in a context variable, as the trace id does, so that the rooms need not know of it.
"""

from contextvars import ContextVar
from dataclasses import dataclass, field

from core.types.events import Cached, Emit, Event, Planned, StepEnded, StepStarted, Understood
from core.types.plan import Considered, Step, StepResult
from core.types.trace import AgentCalled, ModelAsked, Phase
from core.types.turn import Turn
from core.types.understanding import Understanding

_current: ContextVar["TurnLog | None"] = ContextVar("turn_log", default=None)
_step: ContextVar[int | None] = ContextVar("turn_step", default=None)


@dataclass(frozen=True, slots=True)
class Decided:
    """A plan, why it is so, and when it was there."""

    round: int
    steps: tuple[Step, ...]
    at_ms: int
    thought: str = ""
    considered: tuple[Considered, ...] = ()


_NEXT: dict[str, str] = {"": "queue", "queue": "memory", "memory": "understand", "cache": "understand"}
"""Which phase goes on after which; after a plan its steps, and after these the words."""


@dataclass(slots=True)
class TurnLog:
    """What one turn did so far, on one event loop. `running`: the steps that have begun and not ended, by number."""

    turn: Turn
    understood: Understanding | None = None
    running: dict[int, StepStarted] = field(default_factory=dict)
    phases: list[Phase] = field(default_factory=list)
    decided: list[Decided] = field(default_factory=list)
    results: list[StepResult] = field(default_factory=list)
    calls: list[tuple[int | None, AgentCalled]] = field(default_factory=list)
    asked: list[ModelAsked] = field(default_factory=list)
    _since_ms: int = 0

    def phase(self, name: str) -> None:
        """What went on since the last phase was this one, and it is over."""
        now = self.turn.elapsed_ms()
        self.phases.append(Phase(name, self._since_ms, now - self._since_ms))
        self._since_ms = now

    def telling(self, emit: Emit) -> Emit:
        """`emit`, listened to."""

        def tell(event: Event) -> None:
            self._hear(event)
            emit(event)

        return tell

    def _hear(self, event: Event) -> None:
        if isinstance(event, Cached):
            self.phase("cache")
        elif isinstance(event, Understood):
            self.phase("understand")
            self.understood = event.understanding
        elif isinstance(event, Planned):
            self.phase("plan")
            self.decided.append(
                Decided(event.round, event.steps, self._since_ms, event.thought, event.considered)
            )
        elif isinstance(event, StepStarted):
            self.running[event.step.number] = event
            _step.set(event.step.number)  # told in the step's own task: what it calls from here on is for this step
        elif isinstance(event, StepEnded):
            self.results.append(event.result)
            self.running.pop(event.result.step.number, None)
            self._since_ms = self.turn.elapsed_ms()


    def now(self) -> tuple[str, int]:
        """What goes on: the step that has been running longest, else the phase; and when it began."""
        if self.running:
            longest = min(self.running.values(), key=lambda one: one.started_ms)
            return f"step {longest.step.number} · {longest.step.intent}", longest.started_ms
        last = self.phases[-1].name if self.phases else ""
        ended = self.results and self.results[-1].round == self.decided[-1].round
        return _NEXT.get(last, "words" if last == "plan" and ended else "plan"), self._since_ms


def watch(turn: Turn) -> TurnLog:
    """A log for the turn; what this task and its children do from now on is written there."""
    log = TurnLog(turn)
    _current.set(log)
    return log


def current() -> TurnLog | None:
    """The log of the turn that this task works for, if it works for one."""
    return _current.get()


def current_step() -> int | None:
    """The number of the step that this task works for."""
    return _step.get()

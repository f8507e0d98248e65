"""What one turn did, as it is kept and read afterwards. Times are milliseconds since the turn began.

Texts and rows are excerpts: `rows_total` beside rows says how many there were.
"""

from dataclasses import dataclass, field
from datetime import datetime

from core.shared.json_types import JsonObject
from core.types.plan import Considered


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of the turn: waiting for the session (queue), memory, cache, understand, plan, words."""

    name: str
    started_ms: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class PromptPart:
    """One message of a prompt."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelAsked:
    """A question to the language model, retries included. `failure`: why it brought nothing. `step`: for which step.

    `prompt` and `answer` are for operators; empty where they are not shown.
    """

    stage: str
    started_ms: int
    elapsed_ms: int
    calls: int = 0
    tokens: int = 0
    failure: str | None = None
    step: int | None = None
    prompt: tuple[PromptPart, ...] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class InnerRound:
    """A round inside an agent, as it told of it. `agent`: another one that this one asked, or whose round it is."""

    thought: str
    action: JsonObject
    observation: str
    elapsed_ms: int
    agent: str = ""
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class AgentCalled:
    """One call of an agent. `request` is what was sent; `status` is the agent's, or `unreachable`.

    `degraded`: its rules had to do what its language model should have done.
    """

    agent: str
    request: JsonObject
    status: str
    observation: str
    started_ms: int
    elapsed_ms: int
    data: JsonObject | None = None
    quotes: int = 0
    code: str | None = None
    model_calls: int = 0
    model_tokens: int = 0
    degraded: bool = False
    rounds: tuple[InnerRound, ...] = ()


@dataclass(frozen=True, slots=True)
class StepTrace:
    """A step of the plan with the calls made for it. `data`: what it brought where no call did (a skill of our own).

    `incomplete`: somebody who was asked was not heard.
    """

    number: int
    task: str
    intent: str
    action: str
    agent: str | None
    depends_on: tuple[int, ...]
    status: str
    input: JsonObject
    output: str
    started_ms: int
    elapsed_ms: int
    data: JsonObject | None = None
    error: str | None = None
    incomplete: bool = False
    calls: tuple[AgentCalled, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundTrace:
    """A round of the master: what was decided, as words and as actions, and what came of it.

    `considered`: the paths that were compared for each task, where tools were searched.
    """

    number: int
    thought: str
    action_code: tuple[JsonObject, ...]
    started_ms: int
    elapsed_ms: int
    steps: tuple[StepTrace, ...] = ()
    considered: tuple[Considered, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ended that brought no answer. `why`: deadline, error, or cancelled (nobody waited any longer).

    `where` is what went on at that moment: a step or a phase, when it had begun and how long it had been running.
    `detail` is the kind of error.
    """

    why: str
    where: str
    started_ms: int
    elapsed_ms: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """The recorded run of one turn. `calls`: those made for no step (an order that was confirmed).

    `outcome`: what the message was understood as; `cache_level`: where the answer was found, None for one made anew.
    `ending`: how it ended where there is no answer; a step or a call that was under way is then `unfinished`.
    """

    trace_id: str
    session_id: str
    started_at: datetime
    elapsed_ms: int
    query: str
    reply: str
    status: str
    outcome: str
    intents: tuple[str, ...] = ()
    cache_level: str | None = None
    degraded: bool = False
    model_calls: int = 0
    model_tokens: int = 0
    phases: tuple[Phase, ...] = ()
    rounds: tuple[RoundTrace, ...] = ()
    calls: tuple[AgentCalled, ...] = ()
    asked: tuple[ModelAsked, ...] = ()
    ending: Ending | None = None


@dataclass(frozen=True, slots=True)
class WeakLink:
    """The weakest link of a run: what failed first, else what was degraded first, else what took longest.

    `why` is failed, degraded or slow, or unfinished for what ran until the turn's time was over; `detail` says it in
    the words of whoever knew.
    """

    where: str
    why: str
    detail: str
    started_ms: int
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class TracedRun:
    """A trace and whose it is."""

    user_id: str
    trace: Trace = field(repr=False)

"""Tools as an agent sees them: what each is for, what it takes, and the ways a call can end badly."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.shared.call_context import CallContext
from core.shared.json_types import JsonObject, JsonValue
from core.types.agent_protocol import REFUSED


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of the agent's tool server, and the skill it gives the agent. `schema` is that of all `parameters`."""

    name: str
    intent: str
    kind: str
    description: str
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    parameters: frozenset[str] = frozenset()
    required: tuple[str, ...] = ()
    read_only: bool = False
    most_at_once: int | None = None
    """The largest `quantity` it takes; None where it says nothing."""
    quotes_with: str = ""
    """For a tool that changes something: the tool that shows what it would change."""
    planning: JsonObject = field(default_factory=dict, hash=False)
    """What it declares for planning (needs, yields, price, risk), as it was said."""
    schema: JsonObject = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool returned: structured content where it has a schema, and its text."""

    content: JsonValue
    text: str


class ToolRefused(Exception):
    """The tool said no, in words for the person: nothing for sale that day, an unknown city. `code` is that of an
    AgentResponse."""

    def __init__(self, words: str, code: str = REFUSED) -> None:
        super().__init__(words)
        self.code = code


class ToolFailed(Exception):
    """The tool broke or answered nonsense; the message is for the log, never for the person."""


class ToolsUnreachable(Exception):
    """The tool server cannot be reached; nothing was sent to it. The message is for the log."""


class ToolLost(ToolsUnreachable):
    """The connection broke while the tool may have been at work: whether it has done anything is not known."""


class ToolTooSlow(ToolLost):
    """The caller's time ran out before the tool answered."""


class ToolBox(Protocol):
    """The tools of one tool server. What was once known stays known while the server is away."""

    @property
    def reachable(self) -> bool: ...

    def tools(self) -> tuple[Tool, ...]: ...

    async def ready(self, seconds: float) -> bool:
        """Wait at most that long for the server; whether it can be reached now."""
        ...

    async def call(self, tool: str, arguments: JsonObject, context: CallContext) -> ToolAnswer:
        """Run a tool. Raises ToolRefused, ToolFailed or ToolsUnreachable, and is back within the context's time."""
        ...


def find_tool(tools: Sequence[Tool], name: str) -> Tool | None:
    """The tool of that name, or the one that serves the intent of that name."""
    by_name = (tool for tool in tools if tool.name == name)
    by_intent = (tool for tool in tools if tool.intent == name)
    return next(by_name, None) or next(by_intent, None)


def kinds_sold(tools: Sequence[Tool]) -> frozenset[str]:
    """The kinds that some of these tools can order."""
    return frozenset(tool.kind for tool in tools if not tool.read_only and tool.quotes_with)

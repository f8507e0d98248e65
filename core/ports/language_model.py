"""How any stage asks a language model: one question, one deadline, one budget. Failures are errors with a kind."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from core.shared.json_types import JsonObject

FailureKind = Literal[
    "unavailable",  # down, refused, overloaded, 5xx, cut off: the rules may take over
    "rejected",  # 400/401/403/404, exhausted quota: a setting is wrong; never retried
    "incomplete",  # the answer ended without a finish reason, or by its length limit
    "unusable",  # the answer ended but holds no words: a tool call, only thinking, nothing; may be asked again
    "filtered",  # the provider's filter refused to answer
    "too_long",  # the conversation does not fit the model
    "budget",  # the turn may not make a further call, or has no time left
]


class ModelFailure(Exception):
    """A call that brought no usable answer. The message is for the log: it holds no key and no prompt.

    `retry_after_s`: when the address said that it takes calls again, for the person's own next try.
    """

    def __init__(self, kind: FailureKind, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """One message of a prompt; content is never null."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ModelAsk:
    """What a stage asks. `schema`: the JSON schema of the wanted answer; None asks for plain words.

    `stage` chooses model and temperature from `llm.stages` and stands in the log with `prompt_version`.
    With a schema the text is JSON for `read_json`, still as the model wrote it; its thinking may stand around it.
    """

    stage: str
    messages: tuple[ModelMessage, ...]
    prompt_version: str = ""
    schema: JsonObject | None = None
    max_tokens: int | None = None
    raised: bool = False
    """The stage's own model has failed: the main one is asked."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer: never empty, thinking removed. `tokens` are those of the call that brought it, 0 when untold."""

    text: str
    tokens: int = 0


class CallBudget(Protocol):
    """What a turn may still spend. One object for a turn, shared by its parallel steps; `take` before each call."""

    def take(self) -> None:
        """Count one call. Raises ModelFailure("budget") when none is left."""
        ...

    def spent(self, tokens: int) -> None:
        """Count the tokens of a call that has ended."""
        ...

    def remaining_s(self) -> float:
        """Seconds until the turn must end."""
        ...


class LanguageModel(Protocol):
    """One client for a process. Cancelling a call reaches the socket."""

    async def complete(self, ask: ModelAsk, budget: CallBudget) -> Completion:
        """The whole answer. Raises ModelFailure. Retries are made here and nowhere else; each takes from the budget.

        At most three calls for one ask, whatever they are for.
        """
        ...

    def stream(self, ask: ModelAsk, budget: CallBudget) -> AsyncGenerator[str]:
        """The answer's words as they come, thinking removed. Raises ModelFailure, also in the middle.

        Close it (`aclosing`) when it is not read to its end; that closes the connection.
        """
        ...

    def health(self) -> Mapping[str, str]:
        """status (ok | degraded | down) and detail, from what the last calls showed; asks nobody."""
        ...

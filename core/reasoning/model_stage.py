"""How a room asks the model: a prompt, its share of the turn, one more ask that shows the error, then the rules."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import TypeVar

from core.ports.language_model import Completion, FailureKind, LanguageModel, ModelAsk, ModelFailure, ModelMessage
from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import Prompt, SmartVoyagePrompts
from core.shared.tolerant_json import Unreadable, read_json
from core.types.budget import Budget
from core.types.turn import Turn

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_CALLS = 3
"""Of one stage in one turn, retries and the second ask included."""

SHARE = 0.4
"""Of the time that is left, what one stage may take: a model that hangs must leave the rules time to answer."""

_FOR_GOOD = frozenset({"unavailable", "rejected", "budget"})
_WORTH_ASKING_AGAIN: dict[FailureKind, str] = {
    "incomplete": "上一次的回答没有说完，请给出完整而更简短的 JSON。",
    "unusable": "上一次的回答里没有文字，请直接写出 JSON。",
}
_SHOWN_BACK = 2_000
"""Characters of a failed answer that are shown to the model again."""


class Unfit(Exception):
    """An answer that can be read and must not be used; the message, in Chinese, tells the model why."""


class StageBudget:
    """The port's CallBudget over a turn's: at most MOST_CALLS calls, in SHARE of the time that is left now."""

    def __init__(self, turn: Turn) -> None:
        self._budget: Budget = turn.budget
        self._spare_s = self._budget.remaining_s() * (1 - SHARE)
        self._left = MOST_CALLS

    def take(self) -> None:
        """Count one call. Raises ModelFailure("budget")."""
        if self._left <= 0 or self.remaining_s() <= 0 or not self._budget.try_take():
            raise ModelFailure("budget", "no further model call is allowed here")
        self._left -= 1

    def spent(self, tokens: int) -> None:
        """Count the tokens of a call that has ended."""
        self._budget.spent(tokens)

    def remaining_s(self) -> float:
        """Seconds until the stage must end."""
        return max(0.0, self._budget.remaining_s() - self._spare_s)


@dataclass(frozen=True, slots=True)
class ModelDesk:
    """The model and the words it is asked with; shared by all rooms that ask."""

    model: LanguageModel
    prompts: SmartVoyagePrompts
    refused: set[str] = field(default_factory=set)
    """Stages whose refusal the operator has been told of: once for a process is enough."""

    def question(self, stage: str, prompt: Prompt, values: dict[str, str], schema: JsonObject | None) -> ModelAsk:
        """The first ask of a stage."""
        system, user = prompt.fill(**values)
        messages = (ModelMessage("system", system), ModelMessage("user", user))
        return ModelAsk(stage=stage, messages=messages, prompt_version=prompt.version, schema=schema)

    async def answer(self, turn: Turn, ask: ModelAsk, use: Callable[[JsonValue], T]) -> T | None:
        """What `use` makes of the model's JSON; None, and the turn degraded, when no usable answer was had.

        An answer that cannot be read, or that `use` refuses with Unfit, is asked for once more.
        """
        budget = StageBudget(turn)
        try:
            try:
                return await self._once(ask, budget, use)
            except _AskAgain as again:
                return await self._once(again.ask, budget, use)
        except _AskAgain as again:
            log.warning("model answer unusable", extra={"stage": ask.stage, "reason": again.reason})
            turn.budget.degrade()
        except ModelFailure as failure:
            self.give_up(turn, ask.stage, failure)
        return None

    async def _once(self, ask: ModelAsk, budget: StageBudget, use: Callable[[JsonValue], T]) -> T:
        try:
            completion = await self.model.complete(ask, budget)
        except ModelFailure as failure:
            if failure.kind not in _WORTH_ASKING_AGAIN:
                raise
            raise _AskAgain(_again(ask, "", _WORTH_ASKING_AGAIN[failure.kind]), failure.kind) from failure
        try:
            return use(read_json(completion.text))
        except (Unreadable, Unfit) as error:
            raise _AskAgain(_again(ask, _shown(completion), str(error)), str(error)) from error

    def give_up(self, turn: Turn, stage: str, failure: ModelFailure) -> None:
        """The rules take this stage over; where no further call would fare better, the whole turn."""
        turn.budget.degrade(ask_no_more=failure.kind in _FOR_GOOD)
        if failure.kind != "rejected":
            log.warning("model stage given up", extra={"stage": stage, "reason": failure.kind})
        elif stage not in self.refused:
            self.refused.add(stage)
            log.error("the model refuses our calls: check LLM_API_KEY, LLM_MODEL, LLM_BASE_URL", extra={"stage": stage})


class _AskAgain(Exception):
    """The answer was of no use; `ask` shows the model why."""

    def __init__(self, ask: ModelAsk, reason: str) -> None:
        super().__init__(reason)
        self.ask = ask
        self.reason = reason


def schema_of(name: str) -> JsonObject:
    """The JSON schema of the answer to the prompt of that name."""
    raw: JsonObject = json.loads((resources.files("core.prompts") / f"{name}.json").read_text("utf-8"))
    return raw


def _shown(completion: Completion) -> str:
    return completion.text[:_SHOWN_BACK]


def _again(ask: ModelAsk, said: str, reason: str) -> ModelAsk:
    """The same question with the failed answer and what is wrong with it. An empty answer may come of the JSON mode."""
    answered = (ModelMessage("assistant", said),) if said.strip() else ()
    wrong = ModelMessage("user", f"上面的回答不能用：{reason}\n请重新只输出一个符合要求的 JSON 对象。")
    longer = ask.max_tokens * 2 if ask.max_tokens else None
    schema = ask.schema if said.strip() else None
    return replace(ask, messages=(*ask.messages, *answered, wrong), schema=schema, max_tokens=longer)

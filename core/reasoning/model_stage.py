"""How a room asks the model: a prompt, its share of the turn, one more ask that shows the error, then the rules."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from typing import TypeVar

from core.ports.asking import NoUse, Unfit, asked
from core.ports.language_model import LanguageModel, ModelAsk, ModelFailure, ModelMessage
from core.ports.stage_budget import StageBudget
from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import Prompt, SmartVoyagePrompts
from core.types.turn import Turn

__all__ = ["ModelDesk", "StageBudget", "Unfit", "schema_of"]

log = logging.getLogger(__name__)

T = TypeVar("T")

_FOR_GOOD = frozenset({"unavailable", "rejected", "budget"})


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
        try:
            return await asked(self.model, ask, StageBudget(turn), use)
        except NoUse as error:
            log.warning("model answer unusable", extra={"stage": ask.stage, "reason": str(error)})
            turn.budget.degrade()
        except ModelFailure as failure:
            self.give_up(turn, ask.stage, failure)
        return None

    def give_up(self, turn: Turn, stage: str, failure: ModelFailure) -> None:
        """The rules take this stage over; where no further call would fare better, the whole turn."""
        turn.budget.degrade(ask_no_more=failure.kind in _FOR_GOOD)
        if failure.kind != "rejected":
            log.warning("model stage given up", extra={"stage": stage, "reason": failure.kind})
        elif stage not in self.refused:
            self.refused.add(stage)
            log.error("the model refuses our calls: check LLM_API_KEY, LLM_MODEL, LLM_BASE_URL", extra={"stage": stage})


def schema_of(name: str) -> JsonObject:
    """The JSON schema of the answer to the prompt of that name."""
    raw: JsonObject = json.loads((resources.files("core.prompts") / f"{name}.json").read_text("utf-8"))
    return raw

"""How an agent asks the language model: its prompts, the caller's allowance, and silence once the caller has gone."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeVar

from a2a_servers.caller import CallerGone, while_waited_for
from core.adapters.llm.allowance import Allowance
from core.adapters.llm.wording import Result, ResultWording
from core.ports.asking import NoUse, asked
from core.ports.language_model import LanguageModel, ModelAsk, ModelFailure, ModelMessage
from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import SmartVoyagePrompts

log = logging.getLogger(__name__)

T = TypeVar("T")

_WEEKDAYS = "一二三四五六日"
_PROMPTS = SmartVoyagePrompts("a2a_servers.prompts")
_HOUSE_PROMPTS = SmartVoyagePrompts("core.prompts")


@dataclass
class ModelDesk:
    """One for an agent. `model` comes when the agent starts, and stays None where none is set."""

    written: str | None = None
    """The prompt of config.yaml by which this agent's results are worded."""
    model: LanguageModel | None = None
    _wording: ResultWording | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.written:
            self._wording = ResultWording(_HOUSE_PROMPTS.get("agent_wording"), self.written)

    def may_ask(self, allowance: Allowance) -> bool:
        """Whether there is a model and the caller lets it be asked."""
        return self.model is not None and allowance.open

    async def answer(self, ask: ModelAsk, use: Callable[[JsonValue], T], allowance: Allowance) -> T | None:
        """What `use` makes of the model's answer; None when none was had."""
        if self.model is None or not allowance.open:
            return None
        try:
            return await while_waited_for(asked(self.model, ask, allowance.stage(), use))
        except NoUse as error:
            log.warning("model answer unusable", extra={"stage": ask.stage, "reason": str(error)})
            allowance.degrade()
        except ModelFailure as failure:
            log.warning("model stage given up", extra={"stage": ask.stage, "reason": failure.kind})
            allowance.degrade(failure)
        except CallerGone:
            allowance.close()
        return None

    async def words(self, result: Result, today: date, allowance: Allowance) -> str | None:
        """The result by this agent's prompt; None where the template has to word it."""
        if self.model is None or self._wording is None or not allowance.open:
            return None
        try:
            return await while_waited_for(self._wording.words(self.model, result, today, allowance))
        except CallerGone:
            allowance.close()
        return None


def question(stage: str, values: dict[str, str], schema: JsonObject) -> ModelAsk:
    """The ask of a stage, by the prompt of its name."""
    prompt = _PROMPTS.get(stage)
    system, user = prompt.fill(**values)
    messages = (ModelMessage("system", system), ModelMessage("user", user))
    return ModelAsk(stage, messages, prompt_version=prompt.version, schema=schema)


def today_line(now: datetime) -> str:
    """2026-08-16 星期日."""
    return f"{now.date().isoformat()} 星期{_WEEKDAYS[now.weekday()]}"

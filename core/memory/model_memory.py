"""Long-term facts and preferences by a model: it points at the person's own words, code keeps only those."""

import json
import logging
from importlib import resources

from core.memory.masking import mask
from core.memory.quoting import MOST_FACTS, OwnWords, own_words
from core.ports.asking import NoUse, Unfit, asked
from core.ports.language_model import LanguageModel, ModelAsk, ModelFailure, ModelMessage
from core.ports.stage_budget import StageBudget
from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import Prompt, fenced
from core.shared.tolerant_json import unwrap_json_strings
from core.types.memory import Fact, Learned, Profile
from core.types.turn import Turn

log = logging.getLogger(__name__)

STAGE = "memory"
MOST_CALLS = 2
"""Nobody waits for it and little is lost without it."""


class ModelLearner:
    """Implements the port Learner. It is shown the message alone: no row, no document, no earlier answer."""

    def __init__(self, model: LanguageModel, prompt: Prompt) -> None:
        self._model = model
        self._prompt = prompt

    def is_worth_asking(self, text: str) -> bool:
        return own_words(mask(text)).worth_asking

    async def learned(self, turn: Turn) -> Learned:
        said = mask(turn.message.text)
        words = own_words(said)
        try:
            answer = await asked(self._model, self._question(said), StageBudget(turn, MOST_CALLS), _read)
        except NoUse as error:
            log.warning("model answer unusable", extra={"stage": STAGE, "reason": str(error)})
        except ModelFailure as failure:
            log.warning("model stage given up", extra={"stage": STAGE, "reason": failure.kind})
        else:
            facts = [fact for fact in map(words.fact, _quotes(answer["facts"])) if fact is not None]
            now = turn.clock.now()
            kept = tuple(Fact(fact, now) for fact in dict.fromkeys(facts[:MOST_FACTS]))
            return Learned(_preferences(answer["preferences"], words), kept)
        return Learned()

    def _question(self, said: str) -> ModelAsk:
        system, user = self._prompt.fill(message=fenced("用户消息", said))
        messages = (ModelMessage("system", system), ModelMessage("user", user))
        return ModelAsk(STAGE, messages, prompt_version=self._prompt.version, schema=_schema())


def _read(value: JsonValue) -> JsonObject:
    """{facts, preferences}, either of which may be missing. Raises Unfit."""
    if not isinstance(value, dict):
        raise Unfit("需要一个 JSON 对象。")
    value = unwrap_json_strings(value, ("facts", "preferences"))
    read: JsonObject = {name: value.get(name) or [] for name in ("facts", "preferences")}
    if not any(name in value for name in read) or not all(isinstance(items, list) for items in read.values()):
        raise Unfit("请按 {facts: [...], preferences: [...]} 的形状回答，没有就给空列表。")
    return read


def _quotes(items: JsonValue) -> list[str]:
    """The quotations of a list, each as a text or as an object that holds one."""
    found = []
    for item in items if isinstance(items, list) else ():
        quote = item.get("quote") if isinstance(item, dict) else item
        if isinstance(quote, str):
            found.append(quote)
    return found


def _preferences(items: JsonValue, words: OwnWords) -> Profile:
    found: Profile = {}
    for item in items if isinstance(items, list) else ():
        slot, quote = (item.get("slot"), item.get("quote")) if isinstance(item, dict) else (None, None)
        if isinstance(slot, str) and isinstance(quote, str) and (value := words.preference(slot, quote)) is not None:
            found[slot] = value
    return found


def _schema() -> JsonObject:
    raw: JsonObject = json.loads((resources.files("core.prompts") / "memory.json").read_text("utf-8"))
    return raw

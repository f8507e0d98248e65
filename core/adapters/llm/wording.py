"""A result in a model's words, by the prompt that config.yaml has for its agent, checked before anybody reads it."""

import datetime as dt
import hashlib
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.adapters.llm.allowance import Allowance
from core.language.guard import fault_in
from core.language.guard_facts import Source, facts_of
from core.language.guard_words import plain
from core.ports.language_model import LanguageModel, ModelAsk, ModelFailure, ModelMessage
from core.shared.json_types import JsonObject
from core.shared.prompts import Prompt, fenced
from core.shared.row_digest import digest_of
from core.types.agent_protocol import ResultData
from core.types.services import services

log = logging.getLogger(__name__)

STAGE = "wording"

MOST_ROWS = 12
_SHORTEST, _LONGEST = 10, 500
_RUN = 20
"""Characters in a row that betray the operator's own prompt; fewer may be a phrase that it asks for."""

_PLACE = re.compile(r"\{(query|raw_response)\}")
_SENTENCE = re.compile(r"[^。！？!?；;\n]+[。！？!?；;\n]*")
_NOT_SHOWN = ("item_id", "updated_at", "created_at")
_WEEKDAYS = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Result:
    """What is to be worded: what was asked, what was found by which parameters, and the rules' words for it."""

    query: str
    data: ResultData
    parameters: JsonObject
    template: str


@dataclass(frozen=True, slots=True)
class _Known:
    """The prompts whose words must not come back."""

    prompts: tuple[Prompt, ...]

    def all(self) -> tuple[Prompt, ...]:
        return self.prompts


class ResultWording:
    """Words results of one agent. `written`: its prompt with {query} and {raw_response}; `frame`: the house's rules."""

    def __init__(self, frame: Prompt, written: str) -> None:
        self._frame = frame
        self._written = written
        self._known = _Known((frame,))
        self._version = hashlib.sha256(f"{frame.version}\n{written}".encode()).hexdigest()[:12]

    async def words(
        self, model: LanguageModel, result: Result, today: dt.date, allowance: Allowance
    ) -> str | None:
        """The model's words; None where there is nothing to word, no call left, or they say what the rows do not."""
        if not result.data.rows or not allowance.open:
            return None
        try:
            completion = await model.complete(self._ask(result, today), allowance.stage())
        except ModelFailure as failure:
            log.warning("model stage given up", extra={"stage": STAGE, "reason": failure.kind})
            allowance.degrade(failure)
            return None
        text = completion.text.strip()
        if fault := self._fault(text, result, today):
            log.warning("a model's words were held back", extra={"stage": STAGE, "reason": fault})
            allowance.degrade()
            return None
        return text + _demo_note(text, result.data)

    def _ask(self, result: Result, today: dt.date) -> ModelAsk:
        values = {"query": fenced("用户的问题", result.query), "raw_response": fenced("查询结果", _shown(result.data))}
        wording = _PLACE.sub(lambda place: values[place.group(1)], self._written)
        day = f"{today.isoformat()} 星期{_WEEKDAYS[today.weekday()]}"
        system, user = self._frame.fill(today=day, wording=wording)
        messages = (ModelMessage("system", system), ModelMessage("user", user))
        return ModelAsk(STAGE, messages, prompt_version=self._version)

    def _fault(self, text: str, result: Result, today: dt.date) -> str | None:
        """Why the words may not leave, for the log; None when they may."""
        if not _SHORTEST <= len(text) <= _LONGEST:
            return f"{len(text)} characters"
        if _quotes(text, self._written):
            return "a prompt"
        if not _speaks_of(text, result):
            return "nothing of the result"
        facts = facts_of([_source(result)], today)
        faults = (fault_in(sentence, facts, self._known) for sentence in _SENTENCE.findall(text))
        return next((fault for fault in faults if fault is not None), None)


def _source(result: Result) -> Source:
    data = result.data
    return Source(
        rows=data.rows, wish=result.parameters, words=result.template, asked=result.query, more=data.more,
        services=len(services(data.kind, data.rows)),
    )


def _shown(data: ResultData) -> JsonObject:
    rows = data.rows[:MOST_ROWS]
    return digest_of(rows, more=len(data.rows) - len(rows) + data.more)


def _quotes(text: str, written: str) -> bool:
    said, own = plain(text), plain(written)
    return any(said[at : at + _RUN] in own for at in range(len(said) - _RUN + 1))


def _speaks_of(text: str, result: Result) -> bool:
    """Whether something is said that only the rows say."""
    asked, said = plain(result.query), plain(text)
    marks = {plain(mark) for row in result.data.rows for mark in _marks(row)}
    telling = {mark for mark in marks if mark not in asked}
    return not telling or any(mark in said for mark in telling)


def _marks(row: JsonObject) -> Iterator[str]:
    """A row's fields as they would be said."""
    for name, value in row.items():
        if name not in _NOT_SHOWN and isinstance(value, (str, int, float)) and not isinstance(value, bool):
            text = str(value).removesuffix(".00")
            if len(text) > 1:
                yield text


def _demo_note(text: str, data: ResultData) -> str:
    """Rows that were made up for a demonstration are called so."""
    return "（以上为演示数据。）" if data.origin == "demo" and "演示" not in text else ""

"""The reply by a model: streamed, checked sentence by sentence, and finished by the templates where it fails."""

import contextlib
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

from core.language.guard import fault_in
from core.language.guard_facts import Facts
from core.language.guard_words import plain
from core.ports.language_model import ModelAsk, ModelFailure
from core.reasoning.labels import label
from core.reasoning.model_inputs import MOST_ROWS, message_part, today_line
from core.reasoning.model_stage import ModelDesk, StageBudget
from core.reasoning.summary import MOST_CHARACTERS, Told, in_template, together, told_of
from core.reasoning.summary_facts import facts_of
from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import fenced
from core.shared.row_digest import digest_of
from core.types.plan import StepResult
from core.types.turn import Turn

log = logging.getLogger(__name__)

STAGE = "summary"

_END = re.compile(r"[。！？!?；;\n]+[”’」）)]*")
_SAID_SO = re.compile(r"没有?|未|无|暂|失败|不可用|不到|开通|跳过|抱歉|条件")
_GAVE_WAY = re.compile(r"放宽|没有完全|没有查到|没有找到|没有现成")
MOST_ROWS_EACH = 5
"""Of several results: the reply has room for one or two of each."""
_LEAST_ROOM = 60
"""Characters that the template of what is still missing may always take."""


class ModelSummarizer:
    """Implements the port Summarizer. One result stands as its agent worded it; what is offered is worded by rules."""

    def __init__(self, desk: ModelDesk) -> None:
        self._desk = desk

    async def words(self, turn: Turn, results: tuple[StepResult, ...]) -> AsyncGenerator[str]:
        told = told_of(results)
        if not _worth_a_model(told, results):
            yield in_template(told)
            return
        facts = facts_of(tuple(each.result for each in told), turn.clock.now().date())
        sent, held = "", ""
        async with contextlib.aclosing(self._checked(turn, results, told, facts)) as sentences:
            async for sentence in sentences:
                held += sentence
                # A greeting waits for the first sentence that tells something: alone it would be no answer.
                if sent or any(_spoken_of(each, plain(held)) for each in told):
                    piece = held if sent else held.lstrip()
                    sent, held = sent + piece, ""
                    yield piece
        if not sent:
            turn.budget.degrade()
        for rest in (_rest(told, sent), _demo_note(told, sent)):
            if rest:
                yield rest

    async def _checked(
        self, turn: Turn, results: tuple[StepResult, ...], told: Sequence[Told], facts: Facts
    ) -> AsyncGenerator[str]:
        """Sentences that may leave; it ends before the first that may not, or that would be too long."""
        length = 0
        stream = self._desk.model.stream(self._question(turn, results, told), StageBudget(turn))
        try:
            async with contextlib.aclosing(stream) as pieces, contextlib.aclosing(_sentences(pieces)) as sentences:
                async for sentence in sentences:
                    length += len(sentence)
                    if length > MOST_CHARACTERS:
                        return
                    if fault := fault_in(sentence, facts, self._desk.prompts):
                        log.warning("a sentence of the model was held back", extra={"stage": STAGE, "reason": fault})
                        turn.budget.degrade()
                        return
                    yield sentence
        except ModelFailure as failure:
            self._desk.give_up(turn, STAGE, failure)

    def _question(self, turn: Turn, results: tuple[StepResult, ...], told: Sequence[Told]) -> ModelAsk:
        prompt = self._desk.prompts.get("summary" if len(told) > 1 else "summary_one")
        most = MOST_ROWS if len(told) == 1 else MOST_ROWS_EACH
        shown: list[JsonValue] = [_shown(each, most) for each in told]
        values = {
            "today": today_line(turn.clock.now()), "message": message_part(turn), "results": fenced("结果", shown),
        }
        return self._desk.question(STAGE, prompt, values, None)


def _worth_a_model(told: Sequence[Told], results: Sequence[StepResult]) -> bool:
    """Several results, or one that took several looks; never one with an offer, which is money."""
    if any(result.quotes for result in results) or not any(each.result.has_rows for each in told):
        return False
    return len(told) > 1 or (len(told) == 1 and len(results) > 1)


async def _sentences(pieces: AsyncIterator[str]) -> AsyncGenerator[str]:
    """Whole sentences out of pieces of any size, each with its end mark; the last one may have none."""
    waiting = ""
    async for piece in pieces:
        waiting += piece
        while (end := _END.search(waiting)) and end.end() < len(waiting):
            yield waiting[: end.end()]
            waiting = waiting[end.end() :]
        if len(waiting) > MOST_CHARACTERS:
            break
    if waiting.strip():
        yield waiting.rstrip()


def _rest(told: Sequence[Told], sent: str) -> str:
    """The templates of the results that the sent sentences have not spoken of; all where nothing was sent."""
    if not sent:
        return in_template(told)
    missing = [each for each in told if not _spoken_of(each, plain(sent))]
    if not missing:
        return ""
    room = max(MOST_CHARACTERS - len(sent) - 1, _LEAST_ROOM)
    return "\n" + together([each.labelled for each in missing], most=room)


def _demo_note(told: Sequence[Told], sent: str) -> str:
    """Rows that were made up for a demonstration are called so; the templates do it themselves."""
    demo = any(each.result.data is not None and each.result.data.origin == "demo" for each in told)
    return "（以上为演示数据。）" if sent and demo and "演示" not in sent else ""


def _spoken_of(told: Told, sent: str) -> bool:
    """Whether something that only this result says has been said."""
    result = told.result
    if result.step.relaxed and not _GAVE_WAY.search(sent):
        return False
    if result.status == "ok" and result.has_rows:
        return any(plain(mark) in sent for mark in _marks(result))
    about = (result.title or label(result.step.intent)).removesuffix("查询").removesuffix("预订")
    return about in sent and bool(_SAID_SO.search(sent))


def _marks(result: StepResult) -> list[str]:
    """Words that show that a result is spoken of: numbers of trains, names, temperatures."""
    rows = result.data.rows[:MOST_ROWS] if result.data else []
    names = ("train_no", "flight_no", "artist", "name", "model", "insurer", "order_id")
    marks = [str(row[name]) for row in rows for name in names if row.get(name)]
    marks += [str(row[name]) for row in rows for name in ("condition_day", "temp_max_c") if row.get(name) is not None]
    return marks or [str(row["title"]) for row in rows if row.get("title")]


def _shown(told: Told, most: int) -> JsonObject:
    result = told.result
    rows = result.data.rows[:most] if result.data else []
    name = result.title or label(result.step.intent)
    about: JsonObject = {"事项": name, "要求": result.step.query, "说明": told.text}
    if not rows or result.data is None:
        return about
    return about | digest_of(rows, more=len(result.data.rows) - len(rows) + result.data.more)

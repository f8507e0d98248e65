"""Parameters by a language model, asked only for what the grammar could not read; the grammar's own word stands."""

from collections.abc import Sequence
from dataclasses import replace

from a2a_servers.desk import ModelDesk, question, today_line
from a2a_servers.extraction import RulesExtractor, Wish, laid_under, wishes_in
from a2a_servers.model_calls import Call, Question, answer_schema, calls_in, tools_shown
from a2a_servers.tools import Tool
from core.adapters.llm.allowance import Allowance
from core.language.frames import Reading
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.shared.prompts import fenced
from core.types.agent_memory import NO_PAST, Past
from core.types.agent_protocol import MAX_ACTIONS

STAGE = "parameters"

_IDLE = frozenset({"服务", "业务", "信息", "情况", "资讯"})
"""Words that name no parameter, though no table has them: 租车服务 is 租车."""


class ModelExtractor:
    """Implements ParameterExtractor: the rules read first, the model what they left, and the rules check it."""

    def __init__(self, rules: RulesExtractor, desk: ModelDesk, clock: Clock) -> None:
        self._rules = rules
        self._desk = desk
        self._clock = clock

    async def wishes(
        self, text: str, tools: Sequence[Tool], allowance: Allowance | None = None, past: Past = NO_PAST
    ) -> tuple[Wish, ...]:
        reading = self._rules.reading(text, tools, past)
        wishes = wishes_in(reading, tools)
        unread = _unread(reading)
        if allowance is None or not unread:
            return wishes
        about = Question(tuple(tools), text, {}, unread, self._clock.now().date())
        return _joined(wishes, await self._ask(about, allowance), text)

    async def fill(self, tool: Tool, text: str, known: JsonObject, allowance: Allowance) -> JsonObject:
        unread = _unread(self._rules.reading(text, (tool,)))
        if not unread:
            return {}
        about = Question((tool,), text, known, unread, self._clock.now().date())
        calls = await self._ask(about, allowance)
        return next((call.parameters for call in calls), {})

    async def _ask(self, about: Question, allowance: Allowance) -> tuple[Call, ...]:
        if not self._desk.may_ask(allowance):
            return ()
        values = {
            "today": today_line(self._clock.now()), "tools": fenced("工具", tools_shown(about.tools)),
            "known": fenced("已经知道的参数", about.known), "words": fenced("用户原话", about.text),
        }
        ask = question(STAGE, values, answer_schema(about.tools))
        return await self._desk.answer(ask, lambda value: calls_in(value, about), allowance) or ()


def _unread(reading: Reading) -> tuple[str, ...]:
    """The words that the grammar could make nothing of, or only something doubtful."""
    spans = [*reading.leftover, *(e.span for e in reading.expressions if e.certainty < 1 and e.kind != "act")]
    words = (reading.text[first:end] for first, end in spans)
    return tuple(word for word in words if word not in _IDLE)


def _joined(wishes: Sequence[Wish], calls: Sequence[Call], text: str) -> tuple[Wish, ...]:
    """Calls fill the wishes of their kind, each once; what is left over of them are wishes of their own."""
    joined, left = list(wishes), list(calls)
    for place, wish in enumerate(joined):
        call = next((call for call in left if call.intent == wish.intent), None)
        if call is not None:
            left.remove(call)
            doubted = {trouble.slot for trouble in wish.troubles if trouble.kind != "missing"}
            more = {name: value for name, value in call.parameters.items() if name not in doubted}
            joined[place] = replace(wish, parameter=laid_under(more, wish.parameter, wish.assumed))
    known = {wish.intent for wish in wishes}
    joined += [Wish(call.intent, call.parameters, text) for call in left if call.intent not in known]
    return tuple(joined[:MAX_ACTIONS])

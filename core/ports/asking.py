"""Asking a model for JSON: what it writes is read tolerantly and used; what cannot be used is asked for once more."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from core.ports.language_model import CallBudget, FailureKind, LanguageModel, ModelAsk, ModelFailure, ModelMessage
from core.shared.json_types import JsonValue
from core.shared.tolerant_json import Unreadable, read_json

T = TypeVar("T")

_WORTH_ASKING_AGAIN: dict[FailureKind, str] = {
    "incomplete": "上一次的回答没有说完，请给出完整而更简短的 JSON。",
    "unusable": "上一次的回答里没有文字，请直接写出 JSON。",
}
_SHOWN_BACK = 2_000
"""Characters of a failed answer that are shown to the model again."""


class Unfit(Exception):
    """An answer that can be read and must not be used; the message, in Chinese, tells the model why."""


class NoUse(Exception):
    """The second answer was of no use either; the message is for the log."""


async def asked(model: LanguageModel, ask: ModelAsk, budget: CallBudget, use: Callable[[JsonValue], T]) -> T:
    """What `use` makes of the model's JSON; what it refuses with Unfit is asked for once more.

    Raises ModelFailure, or NoUse where the model answers and none of it can be used.
    """
    try:
        return await _once(model, ask, budget, use)
    except _AskAgain as again:
        second = again.ask
    try:
        return await _once(model, second, budget, use)
    except _AskAgain as again:
        raise NoUse(str(again)) from again


async def _once(model: LanguageModel, ask: ModelAsk, budget: CallBudget, use: Callable[[JsonValue], T]) -> T:
    try:
        completion = await model.complete(ask, budget)
    except ModelFailure as failure:
        if failure.kind not in _WORTH_ASKING_AGAIN:
            raise
        raise _AskAgain(_again(ask, "", _WORTH_ASKING_AGAIN[failure.kind]), failure.kind) from failure
    try:
        return use(read_json(completion.text))
    except (Unreadable, Unfit) as error:
        raise _AskAgain(_again(ask, completion.text[:_SHOWN_BACK], str(error)), str(error)) from error


class _AskAgain(Exception):
    """The answer was of no use; `ask` shows the model why."""

    def __init__(self, ask: ModelAsk, reason: str) -> None:
        super().__init__(reason)
        self.ask = ask


def _again(ask: ModelAsk, said: str, reason: str) -> ModelAsk:
    """The same question with the failed answer and what is wrong with it, to the main model where a smaller one failed.

    An empty answer may come of the JSON mode.
    """
    answered = (ModelMessage("assistant", said),) if said.strip() else ()
    wrong = ModelMessage("user", f"上面的回答不能用：{reason}\n请重新只输出一个符合要求的 JSON 对象。")
    longer = ask.max_tokens * 2 if ask.max_tokens else None
    schema = ask.schema if said.strip() else None
    return replace(ask, messages=(*ask.messages, *answered, wrong), schema=schema, max_tokens=longer, raised=True)

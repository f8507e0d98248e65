"""Asks in short, for the tests of the adapter."""

from contextlib import aclosing

from core.ports.language_model import CallBudget, LanguageModel, ModelAsk, ModelFailure, ModelMessage
from core.shared.json_types import JsonObject

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"intents": {"type": "array", "items": {"type": "string"}}},
    "required": ["intents"],
    "additionalProperties": False,
}
PROMPT = "用户想要什么？按 JSON 回答。"


def words(stage: str = "summary") -> ModelAsk:
    return ModelAsk(stage, (ModelMessage("user", PROMPT),), prompt_version="v1")


def wants_json(stage: str = "intent") -> ModelAsk:
    return ModelAsk(stage, (ModelMessage("user", PROMPT),), prompt_version="v1", schema=SCHEMA)


async def read_all(model: LanguageModel, ask: ModelAsk, budget: CallBudget) -> tuple[list[str], ModelFailure | None]:
    """The pieces of a stream, and the failure that ended it."""
    pieces: list[str] = []
    try:
        async with aclosing(model.stream(ask, budget)) as stream:
            async for piece in stream:
                pieces.append(piece)
    except ModelFailure as failure:
        return pieces, failure
    return pieces, None


async def failure_of(model: LanguageModel, ask: ModelAsk, budget: CallBudget) -> ModelFailure:
    """The failure that an ask ends with."""
    try:
        completion = await model.complete(ask, budget)
    except ModelFailure as failure:
        return failure
    raise AssertionError(f"answered: {completion.text}")

"""A model's answer to the understanding prompt: its usual forms, and the older triple, as one frozen shape."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.language.slots import Slots
from core.reasoning.conditions import TESTS
from core.reasoning.model_names import ORDER, OUT_OF_SCOPE, our_intent, our_keys, our_test
from core.reasoning.model_slots import slots_of
from core.reasoning.model_stage import Unfit
from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_json import unwrap_json_strings
from core.shared.tolerant_shapes import listed, named_values, unwrapped
from core.shared.tolerant_values import is_null_word, read_words
from core.types.understanding import When

MOST_TASKS = 12
_WANTED = ("tasks", "intents", "intent", "任务", "意图", "任务列表", "意图列表")
_NESTED = ("tasks", "intents", "user_queries", "slots")


@dataclass(frozen=True, slots=True)
class HeardTask:
    """A task as the model has it: the intent is offered, the slots are readable, and nothing more is certain."""

    id: str
    intent: str
    query: str
    slots: Slots
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What a model understood. `foreign`: it named intents that nobody offers; `outside`: nothing for us."""

    tasks: tuple[HeardTask, ...]
    message: str | None = None
    foreign: bool = False
    outside: bool = False


def _or_none(value: Any) -> Any:
    return None if is_null_word(value) else value


def _said(value: Any) -> Any:
    """A text; a flag or a number in its place says nothing."""
    return value if isinstance(value, str) and not is_null_word(value) else None


def _object(value: Any) -> Any:
    """Nothing said is an empty object; a list or a text in its place is a mistake."""
    return {} if is_null_word(value) else value


class _TaskIn(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)

    id: Annotated[str, Field(max_length=40)] = ""
    intent: Annotated[str, Field(max_length=100)]
    query: Annotated[str | None, BeforeValidator(_said)] = None
    slots: Annotated[dict[str, Any] | None, BeforeValidator(_or_none)] = None
    when: Annotated[dict[str, Any], BeforeValidator(_object)] = {}


class _AnswerIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    tasks: Annotated[list[_TaskIn], Field(max_length=MOST_TASKS)]
    follow_up_message: Annotated[str | None, BeforeValidator(_said)] = None


def heard(value: JsonValue, offered: Collection[str]) -> Heard:
    """Read an answer. Raises Unfit, whose message tells the model what to mend."""
    value = unwrapped(value, _WANTED)
    if isinstance(value, dict) and "intent" in value and "tasks" not in value:
        value = [value]
    if isinstance(value, list):
        value = {"tasks": value}
    if not isinstance(value, dict):
        raise Unfit("需要一个 JSON 对象。")
    value = unwrap_json_strings(our_keys(value), _NESTED)
    if "tasks" not in value and _are_objects(value.get("intents")):
        value = {**value, "tasks": value["intents"]}
    if "tasks" not in value:
        value = _from_triple(value)
    answer = _checked(_with_our_keys(value))
    return _heard(answer, offered)


def _with_our_keys(value: JsonObject) -> JsonObject:
    tasks = listed(value.get("tasks"), "id")
    tasks = [tasks] if isinstance(tasks, dict) else [] if tasks is None else tasks
    if not isinstance(tasks, list):
        raise Unfit("tasks 应当是列表。")
    return {**value, "tasks": [_task_keys(task) for task in tasks]}


def _are_objects(value: JsonValue) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _task_keys(task: JsonValue) -> JsonValue:
    if not isinstance(task, dict):
        return task
    ours = unwrap_json_strings(our_keys(task), ("slots", "when"))
    intent, slots = ours.get("intent"), named_values(ours.get("slots"))
    only = intent[0] if isinstance(intent, list) and len(intent) == 1 else intent
    return {**ours, "intent": only, "slots": slots}


def _checked(value: JsonObject) -> _AnswerIn:
    try:
        return _AnswerIn.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unfit(f"{where} 不符合要求（{first['type']}）。") from error


def _from_triple(value: JsonObject) -> JsonObject:
    """{intents, user_queries, slots, follow_up_message} as tasks. Slots may be given by intent or for all at once."""
    intents = read_words(value.get("intents")) if "intents" in value else None
    if intents is None:
        raise Unfit("没有找到 tasks；请按 {tasks, follow_up_message} 的形状回答。")
    queries, slots = _object(_by_intent(intents, value.get("user_queries"))), _object(named_values(value.get("slots")))
    if not isinstance(queries, dict) or not isinstance(slots, dict):
        raise Unfit("user_queries 和 slots 应当是对象。")
    tasks: list[JsonValue] = [
        {"id": f"t{place}", "intent": intent, "query": queries.get(intent), "slots": _of_intent(slots, intent)}
        for place, intent in enumerate(intents, 1)
    ]
    return {"tasks": tasks, "follow_up_message": value.get("follow_up_message")}


def _by_intent(intents: Collection[str], queries: JsonValue) -> JsonValue:
    """A list of queries, one for each intent, as an object; a single one may stand as a text."""
    listed_ones = [queries] if isinstance(queries, str) and not is_null_word(queries) else queries
    if not isinstance(listed_ones, list) or len(listed_ones) != len(intents):
        return queries
    return dict(zip(intents, listed_ones, strict=True))


def _of_intent(slots: JsonObject, intent: str) -> JsonValue:
    own = slots.get(intent)
    return own if isinstance(own, dict) else {key: item for key, item in slots.items() if not isinstance(item, dict)}


def _heard(answer: _AnswerIn, offered: Collection[str]) -> Heard:
    named = [(task, our_intent(task.intent, offered)) for task in answer.tasks]
    known = [(task, intent) for task, intent in named if intent in offered or intent == ORDER]
    strange = [intent for _, intent in named if intent and intent not in (*offered, ORDER, OUT_OF_SCOPE)]
    tasks = tuple(_task(place, task, intent) for place, (task, intent) in enumerate(known, 1))
    outside = not tasks and any(intent == OUT_OF_SCOPE for _, intent in named)
    return Heard(tasks, answer.follow_up_message, foreign=bool(strange) and not tasks, outside=outside)


def _task(place: int, task: _TaskIn, intent: str) -> HeardTask:
    return HeardTask(
        id=task.id or f"t{place}", intent=intent, query=task.query or "", slots=slots_of(task.slots or {}),
        when=_when(task.when),
    )


def _when(raw: dict[str, Any]) -> When | None:
    said, of = raw.get("test"), raw.get("task", raw.get("of"))
    if is_null_word(said) or is_null_word(of):
        return None
    if (test := our_test(str(said))) not in TESTS:
        raise Unfit(f"when.test 只能是 {'、'.join(sorted(TESTS))}。")
    return When(of=str(of), test=test)

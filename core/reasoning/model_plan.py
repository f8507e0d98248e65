"""A model's plan, read and checked: its steps stand for tasks that were understood, and for nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from core.language.slots import Slots
from core.ports.reasoning import PlanningInput
from core.reasoning.conditions import TESTS
from core.reasoning.model_names import ORDER, our_intent, our_keys, our_slot, our_test, sibling
from core.reasoning.model_stage import Unfit
from core.shared.json_types import JsonObject, JsonValue
from core.shared.tolerant_json import unwrap_json_strings
from core.shared.tolerant_shapes import listed, unwrapped
from core.shared.tolerant_values import is_null_word, read_flag, read_numbers
from core.types.plan import MAX_STEPS, Bind
from core.types.understanding import Task, When

_BINDABLE = frozenset({"from_city", "to_city", "city", "destination", "date", "artist"})


@dataclass(frozen=True, slots=True)
class WishedStep:
    """A step as the model numbers it, for a task of ours. `dropped`: slots it wants left open or different."""

    number: int
    task: Task
    intent: str
    action: str
    depends_on: tuple[int, ...] = ()
    when: When | None = None
    bind: tuple[Bind, ...] = ()
    dropped: frozenset[str] = field(default_factory=frozenset)


def _numbers(value: Any) -> Any:
    read = read_numbers(value)
    if read is None:
        raise ValueError("numbers of steps were expected")
    return read


def _text(value: Any) -> Any:
    return value if isinstance(value, str) and not is_null_word(value) else ""


def _object(value: Any) -> Any:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> Any:
    items = [value] if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


class _StepIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    step: Annotated[tuple[int, ...], BeforeValidator(_numbers)] = ()
    task: Annotated[str, BeforeValidator(_text)] = ""
    intent: Annotated[str, BeforeValidator(_text)] = ""
    agent: Annotated[str, BeforeValidator(_text)] = ""
    action: Annotated[str, BeforeValidator(_text)] = ""
    query: Annotated[str, BeforeValidator(_text)] = ""
    depends_on: Annotated[tuple[int, ...], BeforeValidator(_numbers)] = ()
    when: Annotated[dict[str, Any], BeforeValidator(_object)] = {}
    bind: Annotated[list[dict[str, Any]], BeforeValidator(_list)] = []
    slots: Annotated[dict[str, Any], BeforeValidator(_object)] = {}


class _PlanIn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    steps: Annotated[list[_StepIn], Field(max_length=2 * MAX_STEPS)]


def wished_steps(
    value: JsonValue, given: PlanningInput, tools: Sequence[tuple[str, Sequence[str]]]
) -> tuple[WishedStep, ...]:
    """The steps of an answer, each for its task. Raises Unfit for one that nobody asked for.

    `tools`: agents with their intents, because a model may name the agent instead of the intent.
    """
    plan = _read(value)
    taken: set[tuple[str, str]] = set()
    found: list[WishedStep] = []
    for place, raw in enumerate(plan.steps, 1):
        step = _wished(raw, place, given.tasks, tools, taken)
        taken.add((step.task.id, step.intent))
        found.append(step)
    numbers = [step.number for step in found]
    if doubled := [number for number in numbers if numbers.count(number) > 1]:
        raise Unfit(f"步骤编号 {doubled[0]} 用了不止一次。")
    return tuple(found)


def _read(value: JsonValue) -> _PlanIn:
    value = unwrapped(value, ("steps", "plan", "步骤", "计划", "complete"))
    if isinstance(value, dict) and isinstance(inner := value.get("plan"), dict) and "steps" in inner:
        value = inner
    if isinstance(value, list):
        value = {"steps": value}
    if not isinstance(value, dict):
        raise Unfit("需要一个 JSON 对象。")
    value = unwrap_json_strings(our_keys(value), ("steps",))
    if "steps" not in value:
        if read_flag(value.get("complete")) is not True:
            raise Unfit("没有找到 steps；请按 {steps: [...]} 的形状回答。")
        value = {"steps": []}
    steps = listed(value["steps"], "step")
    steps = [steps] if isinstance(steps, dict) else steps if isinstance(steps, list) else []
    try:
        return _PlanIn.model_validate({"steps": [_step_keys(step) for step in steps]})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unfit(f"{where} 不符合要求（{first['type']}）。") from error


def _step_keys(step: JsonValue) -> JsonValue:
    if not isinstance(step, dict):
        return step
    ours: JsonObject = our_keys(step)
    return {**ours, "step": ours.get("step", ours.get("id"))}


def _wished(
    raw: _StepIn, place: int, tasks: Sequence[Task], tools: Sequence[tuple[str, Sequence[str]]],
    taken: set[tuple[str, str]],
) -> WishedStep:
    number = raw.step[0] if raw.step else place
    task, intent = _of_task(raw, number, tasks, tools, taken)
    return WishedStep(
        number=number, task=task, intent=intent, action=raw.action or raw.query, depends_on=raw.depends_on,
        when=_when(raw.when), bind=tuple(_bind(item, task.slots) for item in raw.bind if _is_open(item, task.slots)),
        dropped=_dropped(raw.slots, task.slots),
    )


def _of_task(
    raw: _StepIn, number: int, tasks: Sequence[Task], tools: Sequence[tuple[str, Sequence[str]]],
    taken: set[tuple[str, str]],
) -> tuple[Task, str]:
    """The task that a step serves and the intent it uses: the task's own, or the query that goes before an order."""
    meant = _intents(raw, tools, [task.intent for task in tasks])
    named = [task for task in tasks if task.id == raw.task] or list(tasks)
    fitting = [(task, intent) for task in named for intent in _usable(task, meant)]
    if not fitting and not meant and len(named) == 1:
        fitting = [(named[0], named[0].intent)]
    if not fitting:
        raise Unfit(f"步骤 {number} 的“{raw.intent or raw.agent or '空'}”不在任务之中，任务里没有的事不要安排。")
    return next((pair for pair in fitting if (pair[0].id, pair[1]) not in taken), fitting[0])


def _intents(raw: _StepIn, tools: Sequence[tuple[str, Sequence[str]]], offered: Sequence[str]) -> list[str]:
    """What a step may mean by its intent or its agent."""
    said = raw.intent or raw.agent
    if not said:
        return []
    by_agent: Mapping[str, Sequence[str]] = {name.lower(): intents for name, intents in tools}
    every = {intent for intents in by_agent.values() for intent in intents} | set(offered)
    return list(by_agent.get(said.lower(), ())) or [our_intent(said, every)]


def _usable(task: Task, meant: Sequence[str]) -> list[str]:
    if task.intent in meant or (ORDER in meant and task.intent.startswith("order ")):
        return [task.intent]
    looked_up = f"query {sibling(task.intent)}"
    return [looked_up] if task.intent.startswith("order ") and looked_up in meant else []


def _when(raw: dict[str, Any]) -> When | None:
    of = read_numbers(raw.get("of", raw.get("step")))
    if not of or is_null_word(raw.get("test")):
        return None
    if (test := our_test(str(raw["test"]))) not in TESTS:
        raise Unfit(f"when.test 只能是 {'、'.join(sorted(TESTS))}。")
    return When(of=str(of[0]), test=test)


def _is_open(raw: dict[str, Any], slots: Slots) -> bool:
    """A binding fills what the person left open, never what they said."""
    name = our_slot(str(raw.get("slot", "")))
    return name in _BINDABLE and getattr(slots, name) is None


def _bind(raw: dict[str, Any], slots: Slots) -> Bind:
    step = read_numbers(raw.get("step"))
    source = our_slot(str(raw.get("field", "")))
    if not step or source not in _BINDABLE:
        raise Unfit("bind 要写明 slot、step 和 field。")
    return Bind(slot=our_slot(str(raw["slot"])), step=step[0], field=source)


def _dropped(raw: dict[str, Any], slots: Slots) -> frozenset[str]:
    """Slots of the task that the step names with another value or with none."""
    wire = slots.to_json()
    named = {our_slot(name): value for name, value in raw.items()}
    return frozenset(name for name in wire if name in named and str(named[name]) != str(wire[name]))


def renumbered(steps: Sequence[WishedStep], first: int, done: Sequence[int]) -> tuple[WishedStep, ...]:
    """The same steps numbered on from `first`. A number of this plan's own is meant before one of an earlier round."""
    numbers = {step.number: first + place for place, step in enumerate(steps)}

    def new(number: int) -> int:
        if number in numbers:
            return numbers[number]
        if number in done:
            return number
        raise Unfit(f"依赖的步骤 {number} 不存在。")

    return tuple(
        replace(
            step,
            number=numbers[step.number],
            depends_on=tuple(dict.fromkeys(map(new, step.depends_on))),
            when=When(str(new(int(step.when.of))), step.when.test) if step.when else None,
            bind=tuple(replace(bind, step=new(bind.step)) for bind in step.bind),
        )
        for step in steps
    )

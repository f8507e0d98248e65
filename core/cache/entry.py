"""An answer as the cache writes it down, and read back."""

import json

from core.language.slots import slots_from_json
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData
from core.types.plan import Step, StepResult
from core.types.turn import Answer
from core.types.understanding import Task, Understanding, When

FORM = 1
"""Rises when what is written changes; older entries are then not read any more."""


def written(answer: Answer) -> str:
    """JSON. Only what policy.may_write lets through: no offers, no orders, nothing that waits for the person."""
    understanding = answer.understanding
    entry: JsonObject = {
        "form": FORM,
        "text": answer.text,
        "rounds": answer.rounds,
        "note": understanding.note,
        "tasks": [_task(task) for task in understanding.tasks],
        "results": [_result(result) for result in answer.results],
    }
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def read(payload: str) -> Answer | None:
    """None for what is no entry of ours, whoever wrote it."""
    try:
        entry = json.loads(payload)
        if entry["form"] != FORM:
            return None
        tasks = tuple(_read_task(raw) for raw in entry["tasks"])
        results = tuple(_read_result(raw) for raw in entry["results"])
        understanding = Understanding("tasks", tasks, note=str(entry["note"]))
        return Answer(str(entry["text"]), "answered", understanding, results, _whole(entry["rounds"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _task(task: Task) -> JsonObject:
    when: JsonObject | None = {"of": task.when.of, "test": task.when.test} if task.when else None
    return {"id": task.id, "intent": task.intent, "query": task.query, "slots": task.slots.to_json(), "when": when}


def _read_task(raw: JsonObject) -> Task:
    found: dict[str, object] = dict(raw)
    when, slots = found["when"], found["slots"]
    if not isinstance(slots, dict):
        raise TypeError("slots")
    read_when = When(of=when["of"], test=when["test"]) if isinstance(when, dict) else None
    return Task(str(found["id"]), str(found["intent"]), str(found["query"]), slots_from_json(slots), read_when)


def _result(result: StepResult) -> JsonObject:
    step = result.step
    return {
        "step": {
            "number": step.number,
            "task": step.task,
            "intent": step.intent,
            "action": step.action,
            "query": step.query,
            "slots": step.slots.to_json(),
            "depends_on": list(step.depends_on),
            "relaxed": list(step.relaxed),
        },
        "round": result.round,
        "text": result.text,
        "data": result.data.model_dump(mode="json") if result.data else None,
        "agent": result.agent,
        "title": result.title,
        "started_ms": result.started_ms,
        "elapsed_ms": result.elapsed_ms,
    }


def _read_result(raw: dict[str, object]) -> StepResult:
    data = raw["data"]
    return StepResult(
        step=_read_step(raw["step"]),
        status="ok",
        round=_whole(raw["round"]),
        text=str(raw["text"]),
        data=ResultData.model_validate(data) if data is not None else None,
        agent=str(raw["agent"]) if raw["agent"] is not None else None,
        title=str(raw["title"]),
        started_ms=_whole(raw["started_ms"]),
        elapsed_ms=_whole(raw["elapsed_ms"]),
    )


def _read_step(raw: object) -> Step:
    if not isinstance(raw, dict):
        raise TypeError("step")
    return Step(
        number=_whole(raw["number"]),
        task=str(raw["task"]),
        intent=str(raw["intent"]),
        action=str(raw["action"]),
        query=str(raw["query"]),
        slots=slots_from_json(raw["slots"]),
        depends_on=tuple(_whole(number) for number in raw["depends_on"]),
        relaxed=tuple(str(name) for name in raw["relaxed"]),
    )


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("a whole number was expected")
    return value

"""The events of a turn as the stream's clients know them: a name and JSON data."""

from collections.abc import Callable
from typing import Any

from core.gateway.reply_json import planned_out, reply_out, started_out, step_out, task_out
from core.shared.json_types import JsonObject
from core.types.events import Began, Cached, Delta, Done, Event, Planned, StepEnded, StepStarted, Understood

Named = tuple[str, JsonObject]


def event_json(event: Event) -> Named:
    """The event's name in the contract, and its data."""
    shape: Callable[[Any], Named] = _SHAPES[type(event)]
    return shape(event)


def _began(event: Began) -> Named:
    return "meta", {"trace_id": event.trace_id, "session_id": event.session_id}


def _cached(event: Cached) -> Named:
    return "cache", {"hit": event.hit, "level": event.level}


def _understood(event: Understood) -> Named:
    understanding = event.understanding
    tasks = [task_out(task).model_dump() for task in understanding.tasks]
    queries: JsonObject = {}
    for task in understanding.tasks:
        queries.setdefault(task.intent, task.query)
    return "intent", {
        "tasks": list(tasks),
        "intents": list(queries),
        "user_queries": queries,
        "follow_up_message": understanding.follow_up_message,
    }


def _planned(event: Planned) -> Named:
    return "plan", {"round": event.round, "steps": [planned_out(step) for step in event.steps]}


def _started(event: StepStarted) -> Named:
    return "step", started_out(event).model_dump()


def _ended(event: StepEnded) -> Named:
    return "step", step_out(event.result).model_dump()


def _delta(event: Delta) -> Named:
    return "delta", {"text": event.text}


def _done(event: Done) -> Named:
    return "done", reply_out(event.reply).model_dump()


_SHAPES: dict[type, Callable[[Any], Named]] = {
    Began: _began,
    Cached: _cached,
    Understood: _understood,
    Planned: _planned,
    StepStarted: _started,
    StepEnded: _ended,
    Delta: _delta,
    Done: _done,
}

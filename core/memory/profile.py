"""What may stand in a profile, and how it and the wishes of a conversation pass the mask."""

import json
from dataclasses import fields, replace
from typing import Any

from core.language.slots import Slots
from core.memory.masking import mask
from core.shared.errors import InvalidRequest
from core.types.memory import PastTask, Profile, ProfileValue, TaskContext

MOST_PROFILE_BYTES = 16 * 1024

_NAMES_OF_THINGS = ("item_id", "order_id", "train_no", "flight_no")
"""Slots that hold numbers of trains, flights and orders, never a person's."""


def masked_profile(profile: Profile) -> Profile:
    return {mask(key): _masked_value(value) for key, value in profile.items()}


def masked_context(context: TaskContext) -> TaskContext:
    return replace(context, tasks=tuple(masked_task(task) for task in context.tasks))


def masked_task(task: PastTask) -> PastTask:
    """The wish without numbers that name a person: some slots hold free text."""
    masked: dict[str, Any] = {
        f.name: mask(value)
        for f in fields(Slots)
        if f.name not in _NAMES_OF_THINGS and isinstance(value := getattr(task.slots, f.name), str)
    }
    return replace(task, slots=replace(task.slots, **masked))


def refuse_too_large(profile: Profile) -> None:
    """InvalidRequest for a profile of more than 16 KiB as JSON."""
    if len(json.dumps(profile, ensure_ascii=False).encode("utf-8")) > MOST_PROFILE_BYTES:
        raise InvalidRequest("个人偏好合计不能超过 16 KiB。")


def _masked_value(value: ProfileValue) -> ProfileValue:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [mask(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return _masked_number(value)
    return value


def _masked_number(value: int) -> ProfileValue:
    """A phone number may come as a JSON number."""
    masked = mask(str(value))
    return value if masked == str(value) else masked

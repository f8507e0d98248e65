"""A person's memories over HTTP: read, corrected, cleared."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query

from core.gateway.access import BackendIn, UserIn
from core.gateway.memory_schemas import MemoryKindOut, MemoryOut, ProfileIn, items_of, memory_out
from core.gateway.problems import documented
from core.gateway.schemas import Identifier
from core.shared.errors import InvalidRequest, NotFound, SmartVoyageError
from core.shared.json_types import JsonObject
from core.types.memory import KINDS, MemoryKind, Profile

router = APIRouter(tags=["memory"])

SessionIn = Annotated[Identifier, Query()]
_PROBLEMS = documented(InvalidRequest, NotFound, SmartVoyageError)


def _kind(kind: Annotated[str, Path(description="short_term, user_profile, task_context or long_term")]) -> MemoryKind:
    if kind not in KINDS:
        raise NotFound("没有这种记忆；可选 short_term、user_profile、task_context、long_term。")
    return kind


KindIn = Annotated[MemoryKind, Depends(_kind)]


@router.get("/api/memory/state", summary="All four memories", responses=_PROBLEMS)
async def state(user_id: UserIn, backend: BackendIn, session_id: SessionIn = "default") -> MemoryOut:
    """short_term and task_context are those of the session, user_profile and long_term the user's."""
    return memory_out(await backend.memory.read(user_id, session_id))


@router.get("/api/memory/{kind}", summary="One memory", responses=_PROBLEMS)
async def one_kind(
    kind: KindIn,
    user_id: UserIn,
    backend: BackendIn,
    session_id: SessionIn = "default",
    limit: Annotated[int | None, Query(ge=1, le=100)] = None,
) -> MemoryKindOut:
    """The newest `limit`, oldest first; never more than the memory holds."""
    part = await backend.memory.get_memory(user_id, session_id, kind)
    items = items_of(part)
    return MemoryKindOut(kind=kind, items=items[-limit:] if limit else items)


@router.put("/api/memory/user_profile", summary="Replace the profile", responses=_PROBLEMS)
async def replace_profile(profile: ProfileIn, user_id: UserIn, backend: BackendIn) -> JsonObject:
    """The profile as it is now. At most 16 KiB; values are strings, numbers, booleans or lists of strings."""
    return _as_json(await backend.memory.replace_profile(user_id, _as_profile(profile)))


@router.patch("/api/memory/user_profile", summary="Merge into the profile", responses=_PROBLEMS)
async def merge_profile(changes: ProfileIn, user_id: UserIn, backend: BackendIn) -> JsonObject:
    """The whole profile after the change; keys that are not named stay."""
    return _as_json(await backend.memory.merge_profile(user_id, _as_profile(changes)))


@router.delete("/api/memory", status_code=204, summary="Clear all four memories", responses=_PROBLEMS)
async def clear(user_id: UserIn, backend: BackendIn, session_id: SessionIn = "default") -> None:
    """Of the session its conversation and context, of the user profile and facts."""
    await backend.memory.clear(user_id, session_id)


@router.delete("/api/memory/{kind}", status_code=204, summary="Clear one memory", responses=_PROBLEMS)
async def clear_kind(kind: KindIn, user_id: UserIn, backend: BackendIn, session_id: SessionIn = "default") -> None:
    """short_term takes the session's whole history with it."""
    await backend.memory.clear(user_id, session_id, (kind,))


def _as_profile(body: ProfileIn) -> Profile:
    return dict(body)


def _as_json(profile: Profile) -> JsonObject:
    return {key: [*value] if isinstance(value, list) else value for key, value in profile.items()}

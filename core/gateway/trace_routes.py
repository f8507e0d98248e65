"""The recorded run of a turn, for the person whose turn it was."""

from dataclasses import dataclass, fields, replace
from typing import Annotated

from fastapi import APIRouter, Path

from core.gateway.access import BackendIn, CallerIn, UserIn
from core.gateway.problems import documented
from core.reasoning.tracing_weakest import weakest_link
from core.shared.errors import Forbidden, InvalidRequest, NotFound, SmartVoyageError, UpstreamUnavailable
from core.types.trace import Trace, WeakLink

router = APIRouter(tags=["traces"])

TracePath = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="`trace_id` of a reply or a message.")]


@dataclass(frozen=True, slots=True)
class TraceOut(Trace):
    """A run with its weakest link: what failed first, else what was degraded first, else what took longest."""

    weakest: WeakLink | None = None


@router.get(
    "/api/traces/{trace_id}",
    summary="The recorded run of a turn",
    responses=documented(Forbidden, InvalidRequest, NotFound, UpstreamUnavailable, SmartVoyageError),
)
async def trace(trace_id: TracePath, user_id: UserIn, backend: BackendIn, caller: CallerIn) -> TraceOut:
    """Every round's thought, action code, calls, inputs, outputs and times. Another's run is like none. What the model
    was asked and answered is for operators; for others `prompt` and `answer` are empty."""
    found = await backend.traces.find(user_id, trace_id) if backend.traces is not None else None
    if found is None:
        raise NotFound("没有这次对话的运行记录。")
    shown = found if caller.operator else _without_prompts(found)
    return TraceOut(**{f.name: getattr(shown, f.name) for f in fields(shown)}, weakest=weakest_link(shown))


def _without_prompts(trace: Trace) -> Trace:
    return replace(trace, asked=tuple(replace(asked, prompt=(), answer="") for asked in trace.asked))

"""One skill asked of several agents: their results as one."""

from collections.abc import Sequence
from dataclasses import replace

from core.reasoning.labels import service_name
from core.reasoning.order_list import listed
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData, Usage
from core.types.plan import StepResult


def merged(results: Sequence[StepResult], blank: StepResult) -> StepResult:
    """What all together found. Who could not be reached is said in the text; `failed` only when nobody could."""
    heard = [result for result in results if result.status != "failed"]
    if len(results) == 1 or not heard:
        return results[0]
    telling = [r for r in heard if r.has_rows or r.quotes or r.status == "input_required"] or heard
    data, asking = _data(telling), any(r.status == "input_required" for r in telling)
    return replace(
        blank,
        status="input_required" if asking else "ok",
        text="\n".join([_text(telling, data, asking), *_missing(results)]),
        data=data,
        incomplete=len(heard) < len(results),
        quotes=() if _which(telling, data) else tuple(quote for r in telling for quote in r.quotes),
        usage=Usage(
            model_calls=sum(r.usage.model_calls for r in results),
            model_tokens=sum(r.usage.model_tokens for r in results),
        ),
    )


def _which(telling: Sequence[StepResult], data: ResultData | None) -> bool:
    """Whether the person is asked which order is meant: then nothing is offered that a yes would settle for all."""
    return len(telling) > 1 and data is not None and data.kind == "order"


def _text(telling: Sequence[StepResult], data: ResultData | None, asking: bool) -> str:
    """The agents' words one under another; lists of orders are numbered anew as one list."""
    if len(telling) > 1 and data is not None and data.kind == "order" and data.rows:
        return listed(data.rows, choosing=asking)
    return "\n".join(dict.fromkeys(result.text for result in telling))


def _missing(results: Sequence[StepResult]) -> list[str]:
    lost = [service_name(result.agent or "") for result in results if result.status == "failed"]
    return [f"（{'、'.join(lost)}暂时联系不上，可能还有没列出的内容。）"] if lost else []


def _data(results: Sequence[StepResult]) -> ResultData | None:
    found = [result.data for result in results if result.data is not None]
    if not found:
        return None
    rows = [row for data in found for row in data.rows]
    kinds = list(dict.fromkeys(data.kind for data in found if data.rows)) or [found[0].kind]
    return ResultData(
        kind=kinds[0] if len(kinds) == 1 else "mixed",
        rows=sorted(rows, key=_created_at, reverse=True),
        more=sum(data.more for data in found),
        origin=found[0].origin,
    )


def _created_at(row: JsonObject) -> str:
    """Newest first where rows have a moment of creation; others keep their order (sorting is stable)."""
    return str(row.get("created_at", ""))

"""What results say beside one another: which way to travel is cheaper or faster, which journey goes out and which home.
"""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from core.language.slots import Slots
from core.shared.json_types import Row
from core.types.plan import StepResult

_BY = {"price": "price", "duration": "duration_min"}
_TRAINS = {"G": "高铁", "D": "动车"}
_HOUR = 60


def comparison(results: Sequence[StepResult]) -> str:
    """机票更便宜：…, where journeys of one way and day were looked up by price or duration; else empty.

    Each result is in that order, so that its first row that is left to sell is its best.
    """
    compared = [result for result in results if _is_journey(result) and result.step.slots.sort in _BY]
    asked = {(_way(r.step.slots), r.step.slots.date, r.step.slots.sort) for r in compared}
    if len(compared) < 2 or len(asked) != 1:
        return ""
    sort = str(compared[0].step.slots.sort)
    best = [(value, _named(result)) for result in compared if (value := _best(result, _BY[sort])) is not None]
    if len(best) < 2 or len({name for _, name in best}) < 2:
        return ""
    return _in_words(sorted(best, key=lambda one: one[0]), sort)


def ways(results: Sequence[StepResult]) -> dict[str, str]:
    """去程 and 返程 by task, where one journey goes back the way of another; else empty."""
    journeys = [result for result in results if _way(result.step.slots) != (None, None)]
    for number, out in enumerate(journeys):
        for home in journeys[number + 1 :]:
            if _way(home.step.slots) == _way(out.step.slots)[::-1]:
                return {
                    result.step.task: "去程" if _way(result.step.slots) == _way(out.step.slots) else "返程"
                    for result in journeys
                    if _way(result.step.slots) in (_way(out.step.slots), _way(home.step.slots))
                }
    return {}


def _way(slots: Slots) -> tuple[str | None, str | None]:
    return slots.from_city, slots.to_city


def _is_journey(result: StepResult) -> bool:
    known = result.data is not None and result.data.kind in ("train", "flight")
    return known and result.status == "ok" and result.has_rows and not result.step.relaxed


def _best(result: StepResult, field: str) -> Decimal | None:
    rows = result.data.rows if result.data else []
    return next((value for row in rows if row.get("remaining") != 0 and (value := _number(row, field))), None)


def _number(row: Row, field: str) -> Decimal | None:
    try:
        return Decimal(str(row.get(field)))
    except InvalidOperation:
        return None


def _named(result: StepResult) -> str:
    slots = result.step.slots
    if slots.train_no or slots.flight_no:
        return str(slots.train_no or slots.flight_no)
    if result.data is not None and result.data.kind == "flight":
        return "飞机"
    return _TRAINS.get(slots.train_type or "", "火车")


def _in_words(best: Sequence[tuple[Decimal, str]], sort: str) -> str:
    told = "，".join(f"{name}最{'低' if sort == 'price' else '短'}{_amount(value, sort)}" for value, name in best)
    if best[0][0] == best[1][0]:
        return f"比下来一样：{told}。"
    if sort == "price":
        return f"比下来{best[0][1]}更便宜：{told}。"
    waits = "（没有算去机场和候机的时间）" if any(name == "飞机" for _, name in best) else ""
    return f"单看路上的时间，{best[0][1]}更快：{told}{waits}。"


def _amount(value: Decimal, sort: str) -> str:
    if sort == "price":
        return f"¥{value.normalize():f}"
    hours, minutes = divmod(int(value), _HOUR)
    return f"{hours}小时{minutes}分" if hours and minutes else f"{hours}小时" if hours else f"{minutes}分钟"

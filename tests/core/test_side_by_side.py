"""Two ways to travel beside one another: which is cheaper, which faster, which goes out and which home."""

import datetime as dt

from core.language.slots import Slots
from core.reasoning.side_by_side import comparison, ways
from core.shared.json_types import JsonObject
from core.types.agent_protocol import ResultData
from core.types.plan import Step, StepResult

DAY = dt.date(2026, 8, 17)


def _result(task: str, kind: str, slots: Slots, *rows: JsonObject) -> StepResult:
    step = Step(number=int(task[1:]), task=task, intent=f"query {kind} tickets", action="", query="", slots=slots)
    return StepResult(step, "ok", 1, data=ResultData(kind=kind, rows=list(rows)))


def _there(sort: str | None = None, **more: str) -> Slots:
    return Slots(from_city="北京", to_city="上海", date=DAY, sort=sort, **more)  # type: ignore[arg-type]


def test_the_cheaper_way_is_named_with_what_both_cost() -> None:
    train = _result("t1", "train", _there("price", train_type="G"), {"price": "520.00", "remaining": 3})
    plane = _result("t2", "flight", _there("price"), {"price": "450.00", "remaining": 0}, {"price": "500.00"})
    assert comparison([train, plane]) == "比下来飞机更便宜：飞机最低¥500，高铁最低¥520。"


def test_the_faster_way_says_what_was_not_counted() -> None:
    train = _result("t1", "train", _there("duration"), {"duration_min": 260})
    plane = _result("t2", "flight", _there("duration"), {"duration_min": 135})
    said = comparison([train, plane])
    assert said.startswith("单看路上的时间，飞机更快：飞机最短2小时15分，火车最短4小时20分")
    assert "候机" in said


def test_other_days_and_other_questions_are_not_compared() -> None:
    train = _result("t1", "train", _there("price"), {"price": "520.00"})
    later = Slots(from_city="北京", to_city="上海", date=DAY + dt.timedelta(days=1), sort="price")
    assert comparison([train, _result("t2", "flight", later, {"price": "500.00"})]) == ""
    assert comparison([train, _result("t2", "flight", _there(), {"price": "500.00"})]) == ""


def test_there_and_back_have_their_names() -> None:
    out = _result("t1", "train", _there())
    home = _result("t2", "train", Slots(from_city="上海", to_city="北京", date=DAY))
    assert ways([out, home]) == {"t1": "去程", "t2": "返程"}
    assert ways([out]) == {}

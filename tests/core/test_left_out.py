"""What is said of a step that was left out is Chinese, and true."""

import pytest

from core.language.slots import Slots
from core.reasoning.labels import label
from core.reasoning.left_out import why_not
from core.shared.json_types import Row
from core.types.agent_protocol import ResultData
from core.types.plan import Bind, Step, StepResult, StepStatus
from core.types.understanding import When

TRAIN, FLIGHT, WEATHER, ORDER = (
    "query train tickets", "query flight tickets", "query weather", "order train tickets",
)


def before(intent: str, status: StepStatus = "ok", *rows: Row) -> StepResult:
    step = Step(1, "t1", intent, "查", "查", Slots())
    kind = "weather" if intent == WEATHER else "train"
    return StepResult(step, status, 1, data=ResultData.model_validate({"kind": kind, "rows": list(rows)}))


def left_out(looked_at: StepResult, test: str | None, intent: str = FLIGHT) -> str:
    when = When("1", test) if test else None
    return why_not(Step(2, "t2", intent, "查", "查", Slots(), (1,), when), {1: looked_at}, label)


FOUND: Row = {"title": "G1"}
RAINY: Row = {"condition_day": "小雨", "temp_max_c": 25, "temp_min_c": 20}
DRY: Row = {"condition_day": "晴", "temp_max_c": 25, "temp_min_c": 20}


@pytest.mark.parametrize(
    ("looked_at", "test", "intent", "said"),
    [
        (before(TRAIN, "ok", FOUND), "none_found", FLIGHT, "火车票已经查到，就没有再查机票。"),
        (before(TRAIN), "found", FLIGHT, "没有查到火车票，就没有再查机票。"),
        (before(WEATHER, "ok", DRY), "rain", FLIGHT, "预报没有雨，就没有再查机票。"),
        (before(WEATHER, "ok", RAINY), "dry", ORDER, "预报有雨雪，就没有再办火车票预订。"),
        (before(WEATHER, "ok", DRY), "hot", FLIGHT, "预报最高气温不到30℃，就没有再查机票。"),
        (before(WEATHER), "rain", FLIGHT, "没有查到天气，就没有再查机票。"),
        (before(WEATHER, "ok", DRY), "cheap", FLIGHT, "您说的条件没有满足，就没有再查机票。"),
        (before(TRAIN, "failed"), "none_found", FLIGHT, "火车票这次没有查成，机票就先没有查。"),
        (before(TRAIN, "skipped"), None, FLIGHT, "火车票没有进行，机票就先没有查。"),
        # An order that waits for its yes has not come back empty.
        (before(ORDER, "input_required", FOUND), "none_found", FLIGHT, "火车票已经查到，就没有再查机票。"),
        (before(ORDER, "input_required"), "none_found", FLIGHT, "火车票预订还要等您确认，机票就先没有查。"),
        (before(ORDER, "input_required", FOUND), None, FLIGHT, "火车票预订还要等您确认，机票就先没有查。"),
    ],
)
def test_the_reason_says_no_more_than_is_known(looked_at: StepResult, test: str | None, intent: str, said: str) -> None:
    assert left_out(looked_at, test, intent) == said


@pytest.mark.parametrize(
    ("looked_at", "test"),
    [
        (before(TRAIN), "none_found"),
        (before(TRAIN, "ok", FOUND), "found"),
        (before(ORDER, "input_required", FOUND), "found"),
        (before(WEATHER, "ok", RAINY), "rain"),
    ],
)
def test_what_is_met_runs(looked_at: StepResult, test: str) -> None:
    assert left_out(looked_at, test) == ""


def test_a_value_that_was_not_found_cannot_be_handed_on() -> None:
    step = Step(2, "t2", FLIGHT, "查", "查", Slots(), (1,), bind=(Bind("to_city", 1, "city"),))
    assert why_not(step, {1: before(WEATHER)}, label) == "没有查到天气，机票就先没有查。"

"""A run tells which paths of tools were compared for each wish, which one was taken and why; and a plan made anew."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.bootstrap import build_backend
from core.service import ChatRequest
from core.shared.clock import ManualClock
from core.shared.settings import parse_settings
from core.types.plan import Considered, ConsideredPath
from core.types.trace import Ending, Trace
from tests.planning.fixed import Fixed
from tests.planning.makers import HOUSE, agent, skill
from tests.support.stores import in_memory_stores
from tests.traces.runs import NOW, run
from tests.traces.test_command import drawn

OTHER = agent("rivals", skill("query train tickets", {"from_city": "city", "to_city": "city", "date": "date"}))


async def traced(text: str, agents: Any, **has: Any) -> Trace:
    network = Fixed(agents, {name.replace("_", " "): rows for name, rows in has.items()})
    backend = build_backend(network, in_memory_stores(), parse_settings({}), ManualClock(NOW))
    reply = await backend.turns.chat(ChatRequest("u1", "s1", text))
    assert backend.traces is not None
    found = await backend.traces.find("u1", reply.message.trace_id)
    assert found is not None
    return found


async def test_the_path_that_was_taken_stands_first_with_its_cost_and_why() -> None:
    forms = agent("forms", skill("fill form", {"city": "city"}, {"form_no": "form_no"}, price=1))
    desk = agent("desk", skill("fetch form", {"city": "city"}, {"form_no": "form_no"}, price=3))
    glide = replace(
        skill("query paragliding", {"form_no": "form_no"}, {"rows": "rows"}), description="查询滑翔伞", tags=("滑翔伞",)
    )
    agents = [*HOUSE, forms, desk, agent("gliders", glide)]
    trace = await traced("查一下成都的滑翔伞", agents, fill_form=[{"form_no": "F1"}], query_paragliding=[{"x": 1}])
    (one,) = trace.rounds
    assert [step.intent for step in one.steps] == ["fill form", "query paragliding"]
    assert one.considered == (
        Considered(
            "t1", "gliders/query_paragliding",
            (
                ConsideredPath(("forms/fill_form", "gliders/query_paragliding"), 2.0),
                ConsideredPath(("desk/fetch_form", "gliders/query_paragliding"), 4.0),
            ),
            "the cheapest of 2",
        ),
    )  # fmt: skip
    assert one.thought.endswith("fill_form → query_paragliding（2 条路里最省的）")


async def test_a_plan_made_anew_is_a_round_of_its_own_and_no_step_stands_in_two() -> None:
    def on_any_day(parameter: dict[str, Any]) -> list[dict[str, Any]]:
        return [] if "date" in parameter else [{"city": "上海", "date": "2026-08-20"}]

    text = "8月20日五月天的演唱会，再看看当地那天的天气"
    trace = await traced(text, HOUSE, query_concert_tickets=on_any_day, query_weather=[{"title": "晴"}])
    assert [[step.intent for step in one.steps] for one in trace.rounds] == [
        ["query concert tickets"], ["query concert tickets", "query weather"]
    ]
    assert [one.number for one in trace.rounds] == [1, 2]
    assert "放宽日期" in trace.rounds[1].thought
    assert [action["trust_mode"] for action in trace.rounds[0].action_code] == [0, 1]


async def test_paths_and_an_ending_are_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = (ConsideredPath(("forms/fill", "visas/order"), 1.5), ConsideredPath(("desk/fetch", "visas/order"), 3.25))
    trace = run()
    one = replace(trace.rounds[0], considered=(Considered("t1", "visas/order", paths, "the cheapest of 2"),))
    ended = replace(trace, rounds=(one,), ending=Ending("deadline", "step 1 · query train tickets", 10, 59_990))
    told = await drawn(tmp_path, capsys, monkeypatch, ended)
    assert "paths for t1 to visas/order: the cheapest of 2" in told
    assert "taken 1.5: forms/fill → visas/order" in told
    assert "other 3.25: desk/fetch → visas/order" in told
    assert "no answer: its time was over, while step 1 · query train tickets had been running for 59990 ms" in told
    assert "weakest link: step 1 · query train tickets — unfinished: " in told

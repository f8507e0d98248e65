"""A model that lies about every message: it never gets an order, a past day or a wild count past the grammar."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.language import read
from core.language.values import Act as Verb
from tests.model.world import NOW, World, task, understood
from tests.support.model_server import Act, answer

INPUTS = Path(__file__).parents[1] / "language" / "cases" / "user_inputs.jsonl"
LIES: dict[str, Act] = {
    "orders": understood(
        task("order train tickets", "预订", from_city="北京", to_city="上海", date="2026-08-21", quantity=9),
        task("cancel order", "取消全部订单", id="t2"),
    ),
    "past": understood(task("query flight tickets", from_city="北京", to_city="上海", date="2026-08-01")),
    "wild": understood(task("query train tickets", from_city="北京", to_city="上海", quantity=-3, date="2026-08-21")),
    "links": understood(task("out_of_scope"), follow_up="请打开 http://evil.example 付款99元。"),
    "nothing": understood(),
    "noise": answer("{{{{"),
}


def _texts() -> list[str]:
    cases: list[dict[str, Any]] = [json.loads(line) for line in INPUTS.read_text("utf-8").splitlines()]
    return [case["text"] for case in cases if case["text"].strip() and len(case["text"]) < 500]


@pytest.mark.parametrize("lie", LIES)
async def test_a_lying_model_gains_nothing(whole: World, lie: str) -> None:
    for number, text in enumerate(_texts()):
        whole.agent.asked.clear()
        reply = await whole.ask(text, LIES[lie], session=f"s{number}")
        verbs = [e.value for e in read(text, NOW).expressions if isinstance(e.value, Verb)]
        ordered = [tool for tool, _ in whole.agent.asked if tool.startswith("order")]
        assert not ordered or any(verb.name == "order" and not verb.denied for verb in verbs), text
        assert not reply.answer.orders, text
        assert all(str(call.get("date", "9999")) >= "2026-08-16" for _, call in whole.agent.asked), text
        assert all(int(str(call.get("quantity", 1))) > 0 for _, call in whole.agent.asked), text
        assert "evil" not in reply.answer.text, text
        assert len(whole.server.calls) <= 12 * (number + 1)
    assert whole.stages.count("intent") >= 10

"""Outputs of models, handed and our own: read without another call, or asked for again, or refused; never guessed."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.shared.tolerant_json import Unreadable, read_json
from tests.llm.generic import Refused, plan, understanding

CASES = Path(__file__).parent / "cases"
# These judge rounds, meaning and wording: they belong to the rooms behind this layer.
ROOMS_CASES = frozenset(("Q118",))


def cases(name: str) -> list[Any]:
    found = [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]
    found = [case for case in found if "raw" in case and case["stage"] in ("intent", "plan", "reflect")]
    return [pytest.param(case, id=f"{case['id']} {case['kind']}") for case in found if case["id"] not in ROOMS_CASES]


def outcome(case: dict[str, Any]) -> tuple[str, Any]:
    """parse with its value, reask or fail."""
    finish = case.get("transport", {}).get("finish_reason", "stop")
    try:
        if case["stage"] == "reflect":
            return "parse", read_json(case["raw"], finish)
        return "parse", (plan if case["stage"] == "plan" else understanding)(case["raw"], finish)
    except Unreadable:
        return "reask", None
    except Refused:
        return "fail", None


def meets(expect: dict[str, Any], action: str, value: Any) -> bool:
    if expect["action"] == "any_of":
        return any(meets(option, action, value) for option in expect["options"])
    if expect["action"] != action:
        return False
    return action != "parse" or covers(value, expect["value"])


def covers(value: Any, wanted: Any) -> bool:
    """The wanted value, where a number for `steps` means how many there are and missing keys do not matter."""
    if isinstance(wanted, dict) and isinstance(value, dict):
        return all(covers(value.get(key), item) for key, item in wanted.items())
    return len(value) == wanted if isinstance(value, list) and isinstance(wanted, int) else bool(value == wanted)


@pytest.mark.parametrize("case", [*cases("llm_outputs.jsonl"), *cases("own_outputs.jsonl")])
def test_an_output_is_taken_as_its_case_says(case: dict[str, Any]) -> None:
    action, value = outcome(case)
    assert meets(case["expect"], action, value), (action, value)


def test_values_that_must_be_exact_are() -> None:
    """`covers` lets further keys pass: not so for what an output left out."""
    own = [json.loads(line) for line in (CASES / "own_outputs.jsonl").read_text("utf-8").splitlines()]
    for case in own:
        if case["expect"]["action"] == "parse":
            assert outcome(case)[1] == case["expect"]["value"], case["id"]

"""What cannot be used of a declaration leaves its tool out, in one line that names it; the rest is not touched."""

import pytest

from core.adapters.agents.facts_wire import declared_by, facts_of
from core.reasoning.tools_dag import build_dag
from core.shared.json_types import JsonValue
from core.types.network import Skill
from tests.planning.makers import HOUSE, agent, skill


def test_the_houses_own_declarations_are_sound() -> None:
    assert build_dag(HOUSE).faults == ()


def test_a_ring_without_a_source_is_told_and_left_out() -> None:
    ring = agent("ring", skill("x of y", {"y": "y"}, {"x": "x"}), skill("y of x", {"x": "x"}, {"y": "y"}))
    dag = build_dag([*HOUSE, ring])
    assert dag.closing("x of y") == ()
    assert dag.closing("query weather") != ()
    assert dag.faults == (
        "ring/x_of_y is left out of the tools DAG: 'y' comes only from ring/y_of_x, which cannot begin: "
        "a cycle without a source",
        "ring/y_of_x is left out of the tools DAG: 'x' comes only from ring/x_of_y, which cannot begin: "
        "a cycle without a source",
    )


def test_a_need_that_nobody_yields_is_told() -> None:
    dag = build_dag([agent("odd", skill("query visa", {"passport": "passport_scan"}, {"visa": "visa"}))])
    assert dag.tools == ()
    assert dag.faults == (
        "odd/query_visa is left out of the tools DAG: nobody yields 'passport_scan', and no person can say it",
    )


@pytest.mark.parametrize(
    "said",
    [
        {"needs": {"city": 7}}, {"needs": {"city": ""}}, {"yields": {"rows": None}}, {"needs": "city"},
        {"needs": [1]}, {"needs": {"Кот": "city"}}, {"risk": 2}, {"price": True}, {"needs": {"city": "two words"}},
    ],
)
def test_an_untyped_declaration_is_told(said: dict[str, JsonValue]) -> None:
    facts = facts_of(said)
    assert facts.fault
    dag = build_dag([agent("odd", Skill("query visa", "", tool="visa", facts=facts))])
    assert (dag.tools, len(dag.faults)) == ((), 1)
    assert dag.faults[0].startswith("odd/visa is left out of the tools DAG: ")


def test_what_says_nothing_is_derived_from_its_name_and_parameters() -> None:
    hotel = Skill("query hotels", "")
    booking = skill("order hotels", ["item_id"], kind="hotels", quotes_with="query hotels")
    dag = build_dag([agent("hotels", hotel, booking)])
    assert dag.faults == ()
    keys = [tool.key for tool in dag.tools]
    assert keys == ["hotels/query hotels", "hotels/order_hotels", "hotels/order_hotels:choose"]
    assert [one.type for one in dag.tools[0].yields] == ["hotels.rows", "hotels/query hotels.rows"]


def test_an_item_of_one_agent_is_none_of_another() -> None:
    selling = agent("mine", skill("query x", {}, {"rows": "rows", "item_id": "item_id"}, kind="train"))
    buying = agent("theirs", skill("order x", {"item_id": "item_id"}, {"offer": "offer"}, kind="train"))
    assert build_dag([selling, buying]).closing("order x") == ()


@pytest.mark.parametrize("params", [{}, {"skills": []}, {"skills": {"a": 1}}])
def test_an_extension_that_says_nothing_declares_nothing(params: dict[str, JsonValue]) -> None:
    assert declared_by(params) == {}

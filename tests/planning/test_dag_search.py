"""The search finds the cheapest path, several of them, and what nobody but the person can supply."""

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from core.reasoning.dag_search import MOST_STATES, Found, Given, search
from core.reasoning.tools_dag import DagTool, Need, ToolsDag, build_dag, supplied_as
from core.types.network import AgentView
from tests.planning.makers import HOUSE, agent, skill


def found(
    agents: Sequence[AgentView], intent: str, said: Sequence[str] = (), spoken: Sequence[str] = (), most: int = 3
) -> Found:
    dag = build_dag(agents)
    given = Given(supplied_as(said), frozenset([*spoken, intent]))
    return search(dag, dag.closing(intent)[0], given, lambda tool: 0.0 if tool.inside else 1.0 + tool.price, most=most)


def keys(result: Found) -> list[str]:
    assert result.best is not None
    return [tool.key for tool in result.best.tools]


def test_an_order_is_planned_as_query_choose_offer() -> None:
    result = found(HOUSE, "order train tickets", ["from_city", "to_city", "date"])
    assert keys(result) == [
        "tickets/query_train_tickets", "tickets/order_train_tickets:choose", "tickets/order_train_tickets"
    ]
    assert result.best is not None
    assert not result.best.asked


def test_what_no_path_supplies_is_asked() -> None:
    result = found(HOUSE, "order train tickets", ["from_city"])
    assert result.best is not None
    assert result.best.asked == ("date", "to_city")


def test_city_and_day_come_from_a_concert_that_the_message_speaks_of() -> None:
    result = found(HOUSE, "query weather", ["artist"], ["query concert tickets"])
    assert keys(result) == ["tickets/query_concert_tickets", "weather/query_weather"]
    assert result.best is not None
    assert {(link.need, link.source, link.field) for link in result.best.links} == {
        ("city", "tickets/query_concert_tickets", "city"), ("date", "tickets/query_concert_tickets", "date"),
    }


def test_nobodys_concert_says_where_the_weather_is_wanted() -> None:
    result = found(HOUSE, "query weather", ["date"])
    assert result.best is not None
    assert (len(result.best.tools), result.best.asked) == (1, ("city",))


def test_one_city_said_is_the_city_but_of_two_neither() -> None:
    one = found(HOUSE, "query weather", ["to_city", "date"])
    two = found(HOUSE, "query weather", ["from_city", "to_city"])
    assert one.best is not None
    assert two.best is not None
    assert one.best.asked == ()
    assert two.best.asked == ("city", "date")


def test_a_third_partys_tools_join_by_what_they_declare() -> None:
    visa = agent("visas", skill("order visa", {"form_no": "form_no"}, {"offer": "offer"}))
    forms = agent("forms", skill("fill form", {"destination": "city"}, {"form_no": "form_no"}))
    assert keys(found([*HOUSE, visa, forms], "order visa", ["destination"])) == ["forms/fill_form", "visas/order_visa"]


def test_several_paths_come_back_the_cheapest_first() -> None:
    end = agent("end", skill("close", {"x": "x"}, {"y": "y"}))
    makers = [agent(f"m{price}", skill("make", {}, {"x": "x"}, price=price)) for price in (3, 1, 2)]
    result = found([end, *makers], "close")
    assert [path.tools[0].agent for path in result.paths] == ["m1", "m2", "m3"]
    assert [path.cost for path in result.paths] == [3.0, 4.0, 5.0]


def test_a_tool_that_serves_twice_is_paid_for_once() -> None:
    end = agent("end", skill("close", {"x": "x", "y": "y"}, {"z": "z"}))
    both = agent("both", skill("make both", {}, {"x": "x", "y": "y"}, price=2))
    singles = agent("one", skill("make x", {}, {"x": "x"}, price=1), skill("make y", {}, {"y": "y"}, price=1))
    assert keys(found([end, both, singles], "close")) == ["both/make_both", "end/close"]


def test_the_cheapest_is_not_taken_where_it_needs_what_it_is_to_supply() -> None:
    end = agent("end", skill("close", {"x": "x"}, {"z": "z"}))
    ring = agent("ring", skill("x of y", {"y": "y"}, {"x": "x"}), skill("y of x", {"x": "x"}, {"y": "y"}))
    source = agent("source", skill("dear x", {}, {"x": "x"}, price=50))
    assert keys(found([end, ring, source], "close")) == ["source/dear_x", "end/close"]


@pytest.mark.parametrize("seed", range(40))
def test_no_set_of_tools_is_cheaper_than_the_path_found(seed: int) -> None:
    chance = random.Random(seed)
    skills = [
        skill(
            f"tool {n}", {t: t for t in chance.sample("abcdef", chance.choice([0, 1, 1, 2]))},
            {t: t for t in chance.sample("abcdef", chance.choice([1, 1, 2]))}, price=chance.randint(0, 9),
        )
        for n in range(9)
    ]
    dag = build_dag([agent("end", skill("close", {"a": "a", "b": "b"}, {"z": "z"})), agent("many", *skills)])
    if not (closing := dag.closing("close")):
        assert cheapest_by_trying(dag, None) is None
        return
    result = search(dag, closing[0], Given(), lambda tool: 1.0 + tool.price)
    assert result.exact
    assert (result.best.cost if result.best else None) == cheapest_by_trying(dag, closing[0])


@pytest.mark.parametrize("seed", range(6))
def test_a_dense_graph_of_500_tools_is_searched_to_the_end(seed: int) -> None:
    dag = build_dag([layers(seed, tools=166, types=16, deep=3)])
    result = search(dag, dag.closing("close")[0], Given(), lambda tool: 0.5 + tool.price)
    assert result.exact
    assert result.states < MOST_STATES
    assert len(result.paths) == 3
    for path in result.paths:
        assert runs(path.tools[-1], path.tools[:-1])
    assert [path.cost for path in result.paths] == sorted(path.cost for path in result.paths)


def layers(seed: int, *, tools: int, types: int, deep: int) -> AgentView:
    """Each tool needs one or two types of the layer below; those of the lowest need nothing."""
    chance = random.Random(seed)
    skills = [skill("close", {"t0x0": "t0x0", "t0x1": "t0x1"}, {"z": "z"})]
    for layer in range(deep):
        for n in range(tools):
            below = {f"t{layer + 1}x{chance.randrange(types)}" for _ in range(2)} if layer + 1 < deep else set()
            own = f"t{layer}x{n % types}"
            needs = {name: name for name in sorted(below)}
            skills.append(skill(f"make {layer} {n}", needs, {own: own}, price=chance.random()))
    return agent("many", *skills)


def cheapest_by_trying(dag: ToolsDag, closing: int | None) -> float | None:
    if closing is None:
        return None
    end, others = dag.tools[closing], [tool for n, tool in enumerate(dag.tools) if n != closing]
    costs = [
        sum(1.0 + tool.price for tool in (*chosen, end))
        for size in range(len(others) + 1) for chosen in itertools.combinations(others, size) if runs(end, chosen)
    ]
    return min(costs, default=None)


def runs(end: DagTool, chosen: Sequence[DagTool]) -> bool:
    there: set[str] = set()

    def met(needs: Sequence[Need]) -> Iterator[bool]:
        return (need.type in there for need in needs)

    for _ in chosen:
        there |= {one.type for tool in chosen if all(met(tool.needs)) for one in tool.yields}
    return all(met(end.needs))


def test_a_search_that_would_never_end_takes_a_path_and_says_so() -> None:
    letters = [f"t{n}" for n in range(24)]
    end = agent("end", skill("close", {t: t for t in letters}, {"z": "z"}))
    chance = random.Random(1)
    many = [
        agent(f"a{n}", skill("make", {}, {t: t for t in chance.sample(letters, 4)}, price=chance.random()))
        for n in range(120)
    ]
    result = found([end, *many], "close")
    assert result.best is not None
    assert not result.exact

"""The closing tool: the intent's own, else the nearest that fits; costs are learnt from calls."""

import pytest

from core.ports.cache import CacheAway, Vector
from core.reasoning.dag_goal import GoalFinder
from core.reasoning.likeness import EmbeddedLikeness, KeywordLikeness
from core.reasoning.tool_costs import MeasuredCosts
from core.reasoning.tools_dag import build_dag
from core.types.network import AgentView, Skill
from tests.planning.makers import HOUSE

HOTEL = Skill("find lodging", "查询酒店和民宿", ("酒店", "民宿"), ("上海的酒店",))
SPA = Skill("find spa", "查询温泉", ("温泉", "汤泉"), ("泡温泉",))
BOOKING = Skill("order lodging", "预订酒店", ("订酒店",), ("订上海的酒店",))
MORE = (*HOUSE, AgentView("others", "http://others", healthy=True, skills=(HOTEL, SPA, BOOKING)))


def finder(costs: MeasuredCosts | None = None) -> GoalFinder:
    return GoalFinder(KeywordLikeness(), (costs or MeasuredCosts()).cost)


@pytest.mark.parametrize(
    ("intent", "wish", "closing"),
    [
        ("query weather", "查酒店", "query weather"),
        ("query hotels", "查上海的酒店", "find lodging"),
        ("query baths", "想去泡温泉", "find spa"),
        ("order hotels", "订上海的酒店", "order lodging"),
    ],
)
async def test_the_intents_own_tool_closes_else_the_nearest_that_fits(intent: str, wish: str, closing: str) -> None:
    dag = build_dag(MORE)
    place = await finder().closing(dag, intent, wish)
    assert place is not None
    assert dag.tools[place].intent == closing


async def test_where_nothing_is_near_no_tool_is_invented() -> None:
    assert await finder().closing(build_dag(MORE), "query xyz", "12345") is None


async def test_of_two_that_say_the_same_the_one_that_did_better_closes() -> None:
    agents = [AgentView(name, f"http://{name}", healthy=True, skills=(HOTEL,)) for name in ("slow", "broken", "good")]
    costs = MeasuredCosts()
    for _ in range(5):
        costs.note("slow", "find lodging", 9_000, well=True)
        costs.note("broken", "find lodging", 100, well=False)
        costs.note("good", "find lodging", 900, well=True)
    dag = build_dag(agents)
    place = await finder(costs).closing(dag, "find lodging", "酒店")
    assert place is not None
    assert dag.tools[place].agent == "good"


class Axes:
    """An embedder of two words; away when it is told to be."""

    name = "axes"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.away = False

    async def embed(self, text: str, limit_s: float) -> Vector:
        if self.away:
            raise CacheAway("away")
        self.asked.append(text)
        return (1.0, 0.0) if "甲" in text else (0.0, 1.0)


async def test_a_tools_vector_is_made_once() -> None:
    axes = Axes()
    likeness = EmbeddedLikeness(axes, KeywordLikeness())
    assert await likeness.scores("甲", ["甲物", "乙物"]) == (1.0, 0.0)  # one letter makes no pair
    await likeness.scores("乙", ["甲物", "乙物"])
    assert axes.asked == ["甲物", "乙物", "甲", "乙"]


async def test_without_the_embedder_letters_decide() -> None:
    axes = Axes()
    axes.away = True
    near, far = await EmbeddedLikeness(axes, KeywordLikeness()).scores("上海酒店", ["查询酒店", "查询温泉"])
    assert near > far

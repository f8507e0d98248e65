"""The parts of planning over the DAG, joined: what the cards declare, what calls have cost, how the goal is found."""

from collections.abc import Callable

from core.ports.cache import Embedder
from core.reasoning.dag_chains import Chains
from core.reasoning.dag_goal import GoalFinder
from core.reasoning.known_tools import KnownTools
from core.reasoning.likeness import EmbeddedLikeness, KeywordLikeness
from core.reasoning.tool_costs import MeasuredCosts
from core.types.network import AgentView


def chains_over(
    agents: Callable[[], tuple[AgentView, ...]], costs: MeasuredCosts, embedder: Embedder | None
) -> Chains:
    """Wrong declarations are told now, at the start."""
    tools = KnownTools(agents)
    tools.dag()
    letters = KeywordLikeness()
    likeness = letters if embedder is None else EmbeddedLikeness(embedder, letters)
    return Chains(tools, GoalFinder(likeness, costs.cost), costs)

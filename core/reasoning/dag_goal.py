"""The tool that ends the chain: the intent's own where one tool declares it, else the nearest of those that fit."""

from collections.abc import Callable, Sequence

from core.ports.planning import Likeness
from core.reasoning.tools_dag import DagTool, ToolsDag

NEAR_ENOUGH = 0.0
"""A tool that has nothing in common with the wish is none for it."""


class GoalFinder:
    """Finds it without a prompt that lists tools: what is asked of a model never grows with their number."""

    def __init__(self, likeness: Likeness, cost: Callable[[DagTool], float]) -> None:
        self._likeness = likeness
        self._cost = cost

    async def closing(self, dag: ToolsDag, intent: str, wish: str) -> int | None:
        """The place of the closing tool in the DAG; None where no tool fits."""
        own = dag.closing(intent)
        if len(own) == 1:
            return own[0]
        if own and len({dag.tools[place].words for place in own}) == 1:
            return min(own, key=lambda place: self._cost(dag.tools[place]))
        return await self.nearest(dag, own or _fitting(dag, intent), wish)

    async def nearest(self, dag: ToolsDag, places: Sequence[int], wish: str) -> int | None:
        """The one whose words are nearest to the wish; of equals the cheapest."""
        scores = await self._likeness.scores(wish, [dag.tools[place].words for place in places])
        ranked = [
            (score, -self._cost(dag.tools[place]), -place)
            for place, score in zip(places, scores, strict=True) if score > NEAR_ENOUGH
        ]
        return -max(ranked)[2] if ranked else None


def _fitting(dag: ToolsDag, intent: str) -> tuple[int, ...]:
    """Who looks never orders: of tools that make an offer one is fit for a wish to change something, and no other."""
    changes = intent.startswith(("order ", "cancel "))
    return tuple(
        place for place, tool in enumerate(dag.tools)
        if not tool.inside and any(one.type.endswith("offer") for one in tool.yields) == changes
    )

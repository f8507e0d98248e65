"""The chain of tools behind a task: its closing tool, the paths to it, and what of it is for the master to run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.language.domains import built_in
from core.reasoning.dag_goal import GoalFinder
from core.reasoning.dag_search import ASKING, Found, Given, Link, search
from core.reasoning.known_tools import KnownTools
from core.reasoning.tool_costs import MeasuredCosts
from core.reasoning.tools_dag import DagTool, supplied_as
from core.types.understanding import Task

_THAT_DAY = re.compile(r"那天|当天|那一天|当日|那日|同一天")
_THERE = re.compile(r"那里|那边|那儿|当地|那座城|那个城")


@dataclass(frozen=True, slots=True)
class Chain:
    """The paths found for a task. `unsaid`: slots that were filled by default, where the words refer to other rows."""

    found: Found
    unsaid: frozenset[str] = frozenset()

    @property
    def asked(self) -> tuple[str, ...]:
        """What the person has to be asked for."""
        return self.found.best.asked if self.found.best else ()

    @property
    def links(self) -> tuple[Link, ...]:
        """What one skill's rows give to another skill; what happens inside an agent is its own affair."""
        best = self.found.best
        inside = {tool.key for tool in best.tools if tool.inside} if best else set()
        return tuple(link for link in best.links if not {link.tool, link.source} & inside) if best else ()

    @property
    def tools(self) -> tuple[DagTool, ...]:
        """The skills that the master has to call, the closing one last."""
        best = self.found.best
        if best is None:
            return ()
        feeding = {link.source for link in self.links}
        return tuple(tool for tool in best.tools if tool.key in feeding or tool is best.tools[-1])


class Chains:
    """Finds the chain of each task."""

    def __init__(self, tools: KnownTools, goals: GoalFinder, costs: MeasuredCosts) -> None:
        self.tools = tools
        self._goals = goals
        self._costs = costs

    async def of(
        self, task: Task, tasks: Sequence[Task], text: str, without: frozenset[str] = frozenset()
    ) -> Chain | None:
        """The chain of one of the tasks of a message; None where no tool fits.

        那天 and 当地 mean the rows of another wish: what the grammar filled in for them counts only if no path says.
        `without`: intents whose tools have brought nothing, taken only where there is no other way and no question.
        """
        dag = self.tools.dag()
        if not dag.closing(task.intent) and (task.intent in own_intents() or self.tools.left_out(task.intent)):
            return None  # the house's own are away or local, and another's declaration is wrong: no tool stands in
        closing = await self._goals.closing(dag, task.intent, task.query)
        if closing is None:
            return None
        spoken = frozenset(other.intent for other in tasks if other.id != task.id)
        said = set(task.slots.to_json())
        unsaid = frozenset(_referring(text) & said if len(tasks) > 1 else ())
        for left_open in (unsaid, frozenset[str]()):
            given = Given(supplied_as(said - left_open), (spoken if refers(text) else frozenset()) | {task.intent})
            chain = Chain(search(dag, closing, given, lambda tool: self._cost(tool, without)), left_open)
            if not left_open or (not chain.asked and chain.links):
                return chain
        return None


    def _cost(self, tool: DagTool, without: frozenset[str]) -> float:
        return 2 * ASKING if tool.intent in without else self._costs.cost(tool)


@cache
def own_intents() -> frozenset[str]:
    """The intents that the grammar knows by itself, and with them what they need."""
    return frozenset(intent for domain in built_in().values() for intent in (domain.query, domain.order))


def refers(text: str) -> bool:
    """Whether the words point to a day or a place that something else in the message tells."""
    return bool(_THAT_DAY.search(text) or _THERE.search(text))


def _referring(text: str) -> set[str]:
    return {"date", "date_end"} if _THAT_DAY.search(text) else set()

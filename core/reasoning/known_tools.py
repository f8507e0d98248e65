"""The DAG of the tools that the agents offer now, made anew when a card changes; faults are told once."""

import logging
from collections.abc import Callable

from core.reasoning.tools_dag import ToolsDag, build_dag
from core.types.network import AgentView, Skill

log = logging.getLogger(__name__)


class KnownTools:
    """One for a process."""

    def __init__(self, agents: Callable[[], tuple[AgentView, ...]]) -> None:
        self._agents = agents
        self._made_of: tuple[tuple[str, tuple[Skill, ...]], ...] = ()
        self._dag = ToolsDag()
        self._told: set[str] = set()

    def dag(self) -> ToolsDag:
        """As the cards are now."""
        agents = self._agents()
        made_of = tuple((agent.name, agent.skills) for agent in agents)
        if made_of != self._made_of:
            self._dag, self._made_of = build_dag(agents), made_of
            for fault in self._dag.faults:
                if fault not in self._told:
                    self._told.add(fault)
                    log.warning(fault)
        return self._dag

    def left_out(self, intent: str) -> bool:
        """Whether somebody offers the intent, and the DAG has no tool for it."""
        offered = any(agent.offers(intent) for agent in self._agents())
        return offered and not self.dag().closing(intent)

"""Which agent serves an intent: read from the cards, never from a list in code."""

from dataclasses import dataclass
from typing import Literal

from core.ports.agents import AgentNetwork
from core.ports.reasoning import LocalSkill
from core.types.network import Skill

Standing = Literal["local", "ready", "down", "not_offered"]


@dataclass(frozen=True, slots=True)
class Route:
    """Where an intent goes. `down`: somebody offers it, or may offer it, but cannot be reached now."""

    standing: Standing
    agent: str | None = None
    local: LocalSkill | None = None


class Router:
    """Built from the cards at every question, so that an agent that joins or changes is seen at once."""

    def __init__(self, network: AgentNetwork, local: tuple[LocalSkill, ...]) -> None:
        self._network = network
        self._local = {skill.skill.name: skill for skill in local}

    def skills(self) -> tuple[Skill, ...]:
        """Everything that is offered, each intent once, agents first."""
        offered = [skill for agent in self._network.agents() for skill in agent.skills]
        offered += [local.skill for local in self._local.values()]
        return tuple({skill.name: skill for skill in reversed(offered)}.values())[::-1]

    def route(self, intent: str) -> Route:
        if local := self._local.get(intent):
            return Route(standing="local", local=local)
        agents = self._network.agents()
        offering = [agent for agent in agents if agent.offers(intent)]
        for agent in offering:
            if agent.healthy:
                return Route(standing="ready", agent=agent.name)
        if offering:
            return Route(standing="down", agent=offering[0].name)
        # An agent whose card was never read may be the one that offers it.
        never_read = any(not agent.skills for agent in agents)
        return Route(standing="down" if never_read else "not_offered")

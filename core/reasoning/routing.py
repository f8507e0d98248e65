"""Which agent serves an intent: read from the cards, never from a list in code."""

from dataclasses import dataclass
from typing import Literal

from core.ports.agents import AgentNetwork
from core.ports.reasoning import LocalSkill
from core.types.network import Skill

Standing = Literal["local", "ready", "down", "not_offered"]


@dataclass(frozen=True, slots=True)
class Route:
    """Where an intent goes. `down`: somebody offers it, or may offer it, but cannot be reached now.

    What several agents offer is asked of all of them: an agent only looks and quotes, it orders nothing by itself.
    """

    standing: Standing
    agents: tuple[str, ...] = ()
    local: LocalSkill | None = None

    @property
    def name(self) -> str | None:
        """The agents as one name for people; None for none."""
        return ", ".join(self.agents) or None


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

    def tools(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Who does what: each agent with its intents."""
        named = [(agent.name, tuple(skill.name for skill in agent.skills)) for agent in self._network.agents()]
        return tuple((name, intents) for name, intents in named if intents)

    def route(self, intent: str) -> Route:
        if local := self._local.get(intent):
            return Route(standing="local", local=local)
        agents = self._network.agents()
        offering = [agent for agent in agents if agent.offers(intent)]
        if offering:
            standing: Standing = "ready" if any(agent.healthy for agent in offering) else "down"
            return Route(standing=standing, agents=tuple(agent.name for agent in offering))
        # An agent whose card was never read may be the one that offers it.
        never_read = any(not agent.skills for agent in agents)
        return Route(standing="down" if never_read else "not_offered")

"""Agents as the core sees them: their cards, and whether they can be reached."""

from dataclasses import dataclass

from core.types.tool_facts import NO_FACTS, ToolFacts


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of a card. Its name is the intent it serves, for example `query train tickets`; `tool` is its id."""

    name: str
    description: str
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    tool: str = ""
    facts: ToolFacts = NO_FACTS


@dataclass(frozen=True, slots=True)
class AgentView:
    """One configured agent: what its card says, or nothing yet where it was never reached.

    `healthy`: its card can be read. `degraded`: it says of itself that it cannot do all of its work.
    """

    name: str
    url: str
    description: str = ""
    version: str = ""
    healthy: bool = False
    skills: tuple[Skill, ...] = ()
    degraded: bool = False

    @property
    def working(self) -> bool:
        """Whether it is there and can do what its skills say."""
        return self.healthy and bool(self.skills) and not self.degraded

    def offers(self, intent: str) -> bool:
        return any(skill.name == intent for skill in self.skills)

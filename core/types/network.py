"""Agents as the core sees them: their cards, and whether they can be reached."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of a card. Its name is the intent it serves, for example `query train tickets`."""

    name: str
    description: str
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentView:
    """One configured agent: what its card says, or nothing yet where it was never reached."""

    name: str
    url: str
    description: str = ""
    version: str = ""
    healthy: bool = False
    skills: tuple[Skill, ...] = ()

    def offers(self, intent: str) -> bool:
        return any(skill.name == intent for skill in self.skills)

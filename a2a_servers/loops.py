"""The loops of an agent: which of them answers a question over days."""

from dataclasses import dataclass

from a2a_servers.day_loop import DayLoop
from a2a_servers.day_quest import DayQuest
from a2a_servers.dry_loop import DryLoop
from a2a_servers.outcome import Errand, Outcome

_FORECAST = "weather"


@dataclass(frozen=True, slots=True)
class Loops:
    """`dry` serves what has no weather of its own; `days` everything else."""

    days: DayLoop
    dry: DryLoop

    async def run(self, quest: DayQuest, errand: Errand) -> Outcome:
        """Never raises for what can be expected to go wrong."""
        if quest.by == "dry" and quest.tool.kind != _FORECAST:
            return await self.dry.run(quest, errand)
        return await self.days.run(quest, errand)

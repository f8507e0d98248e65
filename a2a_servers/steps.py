"""Who says what to do next in a loop: the language model where the caller grants it, and the rules in any case."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from a2a_servers.day_looks import Look, Probe, best_rows, next_probe
from a2a_servers.day_quest import DayQuest
from a2a_servers.outcome import Errand
from a2a_servers.wording.bits import day
from a2a_servers.wording.chosen_day import DAY_WISHES, measure


@dataclass(frozen=True, slots=True)
class Decision:
    """A thought and its action code: looks at days, one after another. `model_calls`: what the decision has cost."""

    thought: str
    probes: tuple[Probe, ...]
    model_calls: int = 0


class Decider(Protocol):
    async def decide(self, quest: DayQuest, looks: Sequence[Look], errand: Errand) -> Decision | None:
        """What to do next; None for nothing more, or where it has no say."""
        ...


class RuleDecider:
    """Implements Decider by the rules; it always has a say until the question is answered."""

    async def decide(self, quest: DayQuest, looks: Sequence[Look], errand: Errand) -> Decision | None:
        probe = next_probe(quest, looks, errand.actions.left)
        return None if probe is None else Decision(_thought(quest, looks, probe), (probe,))


def span(first: object, last: object) -> str:
    """8月17日, or 8月17日至8月19日."""
    start, end = day(str(first), weekday=False), day(str(last), weekday=False)
    return start if start == end else f"{start}至{end}"


def seen(quest: DayQuest, look: Look) -> str:
    """What one look has shown, in a sentence."""
    days = span(look.probe.first, look.probe.last)
    if look.refused:
        return f"{days}：{look.refused}"
    if not look.rows:
        return f"{days}没有查到。"
    total = len(look.rows) + look.more
    if not quest.compares:
        return f"{days}共{total}条。"
    best = best_rows([look], quest.by)
    shown = "，".join(f"{day(date.isoformat(), weekday=False)}{measure(row, quest.by)}" for date, row in best.items())
    return f"{days}共{total}个选择，{shown or '都已售完'}。"


def _thought(quest: DayQuest, looks: Sequence[Look], probe: Probe) -> str:
    days = span(probe.first, probe.last)
    if probe.first == probe.last and any(look.of(probe.first) for look in looks):
        return f"{days}{'最合适' if quest.compares else '有'}，把这一天的全部选择查出来。"
    begins = "要知道" + DAY_WISHES[quest.by] + "，" if not looks else ""
    return f"{begins}{'先' if not looks else '再'}看{days}。"

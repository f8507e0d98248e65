"""The loop over days: think, look at some days with a tool that only reads, observe, until the question is answered.

At most five actions a request; tools that change something are not among what it can do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from a2a_servers.day_looks import Look, Probe, best_day, first_day, settled
from a2a_servers.day_quest import DayQuest
from a2a_servers.lookup import look_up
from a2a_servers.outcome import Errand, Outcome
from a2a_servers.steps import Decider, Decision, RuleDecider, seen
from a2a_servers.telling import Teller
from a2a_servers.tools import ToolBox
from a2a_servers.weather_days import is_dry
from a2a_servers.wording.bits import day
from a2a_servers.wording.chosen_day import compared, compared_briefly, days_found, rest, span_of
from a2a_servers.wording.template import Word
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.agent_protocol import UNAVAILABLE, Action, ResultData, Round


@dataclass(slots=True)
class _Walk:
    """One run of the loop: what was seen and how. `failure`: what ended it early."""

    looks: list[Look] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    failure: Outcome | None = None


class DayLoop:
    """Answers questions over days. Keeps nothing of any request."""

    def __init__(self, toolbox: ToolBox, model: Decider, word: Word, teller: Teller, clock: Clock) -> None:
        self._toolbox = toolbox
        self._model = model
        self._rules = RuleDecider()
        self._word = word
        self._teller = teller
        self._clock = clock

    async def run(self, quest: DayQuest, errand: Errand) -> Outcome:
        """The day that was looked for, with that day's rows and how the others compare."""
        walk = _Walk()
        while walk.failure is None and errand.actions.left > 0:
            decision = await self._decide(quest, walk.looks, errand)
            if decision is None:
                break
            await self._carry_out(decision, quest, walk, errand)
        if walk.failure is not None and not any(look.rows for look in walk.looks):
            return replace(walk.failure, rounds=tuple(walk.rounds))
        return replace(await self._conclude(quest, walk.looks, errand), rounds=tuple(walk.rounds))

    async def _decide(self, quest: DayQuest, looks: Sequence[Look], errand: Errand) -> Decision | None:
        """The rules know when the question is answered; how to go on is the model's to say where it may be asked."""
        by_rule = await self._rules.decide(quest, looks, errand)
        if by_rule is None:
            return None
        return await self._model.decide(quest, looks, errand) or by_rule

    async def _carry_out(self, decision: Decision, quest: DayQuest, walk: _Walk, errand: Errand) -> None:
        cost = decision.model_calls
        for probe in decision.probes:
            if walk.failure is not None or not errand.actions.take():
                return
            began = self._clock.monotonic()
            look = await self._look(probe, quest, walk, errand)
            elapsed_ms = int((self._clock.monotonic() - began) * 1000)
            said = look.observation if isinstance(look, Outcome) else seen(quest, look)
            action = Action(tool_name=quest.tool.name, parameter=quest.arguments(probe.first, probe.last), trust_mode=0)
            walk.rounds.append(
                Round(
                    thought=decision.thought, action=action, observation=said, elapsed_ms=elapsed_ms, model_calls=cost
                )
            )
            cost = 0

    async def _look(self, probe: Probe, quest: DayQuest, walk: _Walk, errand: Errand) -> Look | Outcome:
        """A refusal ends the loop at its first look; later it is that of a day, such as one not yet on sale."""
        found = await look_up(self._toolbox, quest.tool, quest.arguments(probe.first, probe.last), errand)
        if isinstance(found, Outcome):
            if found.code == UNAVAILABLE or not walk.looks:
                walk.failure = found
                return found
            look = Look(probe, refused=found.observation)
        else:
            look = Look(probe, tuple(found.rows), found.more, found.origin)
        walk.looks.append(look)
        return look

    async def _conclude(self, quest: DayQuest, looks: Sequence[Look], errand: Errand) -> Outcome:
        if quest.by in ("dry", "rain"):
            return await self._weather(quest, looks, errand)
        chosen = best_day(looks, quest.by) if quest.compares else first_day(looks)
        if chosen is None:
            return self._nothing(quest, looks, errand)
        look = next((one for one in looks if one.tells_all_of(chosen)), None)
        look = look or next(one for one in looks if one.of(chosen))
        alone = look.probe.first == look.probe.last
        data = ResultData(
            kind=quest.tool.kind, rows=look.of(chosen), more=look.more if alone else 0, origin=look.origin
        )
        query: JsonObject = {**quest.known, "date": chosen.isoformat()}
        told = await self._told(data, query, errand)
        return Outcome("completed", _words(quest, looks, errand, told), data)

    async def _weather(self, quest: DayQuest, looks: Sequence[Look], errand: Errand) -> Outcome:
        rows = [row for look in looks for row in look.rows]
        fitting = [row for row in rows if is_dry(row) == (quest.by == "dry")]
        if not rows:
            return self._nothing(quest, looks, errand)
        origin = next((look.origin for look in looks if look.rows), None)
        data = ResultData(kind=quest.tool.kind, rows=fitting, origin=origin)
        wish = "不下雨" if quest.by == "dry" else "有雨雪"
        place = quest.known.get("city") or ""
        if not fitting:
            return Outcome("completed", f"{place}{span_of(quest)}里没有哪天{wish}。{rest(quest)}", data)
        days = "、".join(day(row.get("date"), weekday=not errand.brief) for row in fitting)
        head = f"{place}{span_of(quest)}里，{wish}的有{len(fitting)}天：{days}。{rest(quest)}"
        if errand.brief:
            return Outcome("completed", head, data)
        query: JsonObject = {**quest.known, "date": quest.first.isoformat(), "date_end": quest.last.isoformat()}
        return Outcome("completed", f"{head}\n{await self._told(data, query, errand)}", data)

    async def _told(self, data: ResultData, query: JsonObject, errand: Errand) -> str:
        template = self._word(data.kind, data, query, errand.brief)
        return await self._teller.told(data, query, template, errand)

    def _nothing(self, quest: DayQuest, looks: Sequence[Look], errand: Errand) -> Outcome:
        """Nothing for sale on any of the days; what is sold out is shown as it is."""
        sold_out = [row for look in looks for row in look.rows]
        data = ResultData(kind=quest.tool.kind, rows=sold_out, origin=next((look.origin for look in looks), None))
        query = {**quest.known, "date": quest.first.isoformat(), "date_end": quest.last.isoformat()}
        return Outcome("completed", self._word(quest.tool.kind, data, query, errand.brief), data)


def _words(quest: DayQuest, looks: Sequence[Look], errand: Errand, told: str) -> str:
    if quest.compares:
        return compared_briefly(quest, looks) + told if errand.brief else f"{compared(quest, looks)}\n{told}"
    known = settled(looks)
    found = sorted({date for look in looks for date in look.probe.days if look.of(date)})
    head = days_found(quest, found, [date for date in quest.days if date not in known])
    return head if errand.brief else f"{head}\n{told}"

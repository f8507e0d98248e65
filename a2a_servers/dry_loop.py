"""Tours on the days without rain: another agent is asked for the weather, then the tool for those days alone."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from a2a_servers.day_quest import DayQuest
from a2a_servers.lookup import look_up
from a2a_servers.outcome import Errand, Outcome
from a2a_servers.peers import Peers
from a2a_servers.results import merged
from a2a_servers.steps import span
from a2a_servers.telling import Teller
from a2a_servers.tools import ToolBox
from a2a_servers.weather_days import dry_days, stretches
from a2a_servers.wording.bits import day, text
from a2a_servers.wording.chosen_day import rest, span_of
from a2a_servers.wording.template import Word
from core.shared.clock import Clock
from core.shared.json_types import JsonObject
from core.types.agent_protocol import UNAVAILABLE, Action, AgentResponse, ResultData, Round

QUERY_WEATHER = "query weather"

NO_WEATHER = "没有问到{place}{days}的天气（{why}），没法只挑不下雨的日子。也可以不看天气，直接查这几天的。"
ALWAYS_WET = "{place}{days}的预报里没有{at_least}不下雨，这几天就没有查。可以换个时间再看看。"


@dataclass(slots=True)
class _Walk:
    """One run: its rounds, what the tool brought, what went wrong."""

    rounds: list[Round] = field(default_factory=list)
    found: list[ResultData] = field(default_factory=list)
    failure: Outcome | None = None


class DryLoop:
    """Answers questions for the dry days of something that has no weather of its own."""

    def __init__(self, toolbox: ToolBox, peers: Peers, word: Word, teller: Teller, clock: Clock) -> None:
        self._toolbox = toolbox
        self._peers = peers
        self._word = word
        self._teller = teller
        self._clock = clock

    async def run(self, quest: DayQuest, errand: Errand) -> Outcome:
        """What there is on the dry days, told with which those are."""
        walk = _Walk()
        forecast = await self._forecast(quest, walk, errand)
        if forecast.status != "completed" or forecast.data is None or not forecast.data.rows:
            words = NO_WEATHER.format(place=_place(quest), days=span_of(quest), why=forecast.observation.rstrip("。"))
            return Outcome("failed", words, code=forecast.code or UNAVAILABLE, rounds=tuple(walk.rounds))
        dry = [date for date in dry_days(forecast.data.rows) if date in quest.days]
        runs = stretches(dry, at_least=_length(quest))
        if not runs:
            at_least = f"连着{_length(quest)}天" if _length(quest) > 1 else "哪天"
            words = ALWAYS_WET.format(place=_place(quest), days=span_of(quest), at_least=at_least)
            empty = ResultData(kind=quest.tool.kind)
            return Outcome("completed", words, empty, rounds=tuple(walk.rounds))
        looked_at = await self._look(runs, quest, walk, errand)
        if walk.failure is not None and not walk.found:
            return replace(walk.failure, rounds=tuple(walk.rounds))
        return replace(await self._told(quest, dry, runs[looked_at:], walk, errand), rounds=tuple(walk.rounds))

    async def _forecast(self, quest: DayQuest, walk: _Walk, errand: Errand) -> AgentResponse:
        errand.actions.take()
        began = self._clock.monotonic()
        days: JsonObject = {"date": quest.first.isoformat(), "date_end": quest.last.isoformat()}
        action = Action(
            tool_name=QUERY_WEATHER, parameter={"city": _place(quest), **days}, trust_mode=0,
            job_desc=f"查询{quest.first.isoformat()}至{quest.last.isoformat()}{_place(quest)}的天气",
        )
        thought = f"要知道{_place(quest)}{span_of(quest)}里哪天不下雨，先问天气。"
        asked = await self._peers.ask(QUERY_WEATHER, action, thought, errand)
        elapsed_ms = int((self._clock.monotonic() - began) * 1000)
        answer = asked.response
        walk.rounds.append(
            Round(
                thought=thought, action=action, observation=answer.observation, elapsed_ms=elapsed_ms,
                agent=asked.agent, model_calls=answer.usage.model_calls,
            )
        )
        if len(answer.rounds) > 1:  # a single one says what this round says
            walk.rounds += [one.model_copy(update={"agent": one.agent or asked.agent}) for one in answer.rounds]
        return answer

    async def _look(
        self, runs: Sequence[tuple[dt.date, dt.date]], quest: DayQuest, walk: _Walk, errand: Errand
    ) -> int:
        """Look at the runs of dry days, as far as the actions go; how many were looked at."""
        for place, (first, last) in enumerate(runs):
            if walk.failure is not None or not errand.actions.take():
                return place
            began = self._clock.monotonic()
            arguments = quest.arguments(first, last - dt.timedelta(days=_length(quest) - 1))
            found = await look_up(self._toolbox, quest.tool, arguments, errand)
            if isinstance(found, Outcome):
                walk.failure, said = found, found.observation
            else:
                walk.found.append(found)
                said = f"{span(first, last)}共{len(found.rows) + found.more}条。"
            walk.rounds.append(
                Round(
                    thought=f"{span(first, last)}不下雨，看这几天的。",
                    action=Action(tool_name=quest.tool.name, parameter=arguments, trust_mode=0),
                    observation=said, elapsed_ms=int((self._clock.monotonic() - began) * 1000),
                )
            )
        return len(runs)

    async def _told(
        self, quest: DayQuest, dry: Sequence[dt.date], left_out: Sequence[tuple[dt.date, dt.date]], walk: _Walk,
        errand: Errand,
    ) -> Outcome:
        data = merged(walk.found) or ResultData(kind=quest.tool.kind)
        data = data.model_copy(update={"rows": sorted(data.rows, key=lambda row: str(row.get("date")))})
        query: JsonObject = {**quest.known, "date": quest.first.isoformat(), "date_end": quest.last.isoformat()}
        template = self._word(data.kind, data, query, errand.brief)
        told = await self._teller.told(data, query, template, errand)
        days = "、".join(day(date.isoformat(), weekday=not errand.brief) for date in dry)
        head = f"{_place(quest)}{span_of(quest)}里，预报不下雨的有{len(dry)}天：{days}。"
        unseen = "、".join(span(first, last) for first, last in left_out)
        after = f"{unseen}还没有查，需要的话可以再问我。" if unseen else ""
        return Outcome("completed", f"{head}{after}{rest(quest)}{'' if errand.brief else chr(10)}{told}", data)


def _length(quest: DayQuest) -> int:
    """How many days it takes, each of which must be dry."""
    days = quest.known.get("days")
    return days if isinstance(days, int) and days > 0 else 1


def _place(quest: DayQuest) -> str:
    return text(quest.known, "destination", "city")

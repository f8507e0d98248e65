"""The language model proposes the next action code of a loop; nothing of it is done that the rules would not allow."""

import datetime as dt
from collections.abc import Mapping, Sequence

from a2a_servers.day_looks import Look, Probe
from a2a_servers.day_quest import DayQuest
from a2a_servers.desk import ModelDesk, question, today_line
from a2a_servers.model_calls import tools_shown
from a2a_servers.model_values import value_for
from a2a_servers.outcome import Errand
from a2a_servers.steps import Decision, seen
from a2a_servers.untrusted import plain
from a2a_servers.wording.chosen_day import DAY_WISHES
from core.ports.asking import Unfit
from core.shared.clock import Clock
from core.shared.json_types import JsonObject, JsonValue
from core.shared.prompts import fenced
from core.shared.tolerant_values import is_null_word
from core.types.agent_protocol import MAX_ACTIONS

STAGE = "next_actions"

_DATES = ("date", "date_end")

_KEPT_BACK = 1
"""Model calls that stay for the words, where this agent words its result."""


class ModelDecider:
    """Implements Decider with a language model. It has no say without one, or without a call to spare."""

    def __init__(self, desk: ModelDesk, clock: Clock) -> None:
        self._desk = desk
        self._clock = clock

    async def decide(self, quest: DayQuest, looks: Sequence[Look], errand: Errand) -> Decision | None:
        kept = 0 if errand.brief else _KEPT_BACK
        if not self._desk.may_ask(errand.allowance) or errand.allowance.calls_left <= kept:
            return None
        now = self._clock.now()
        left = errand.actions.left
        values = {
            "today": today_line(now), "left": str(left), "question": fenced("问题", _question(quest)),
            "tools": fenced("工具", tools_shown((quest.tool,))),
            "seen": fenced("已经查到的", [seen(quest, look) for look in looks]),
        }
        before = errand.allowance.usage().model_calls
        found = await self._desk.answer(
            question(STAGE, values, _SCHEMA), lambda value: decision_in(value, quest, looks, left, now.date()),
            errand.allowance,
        )
        if found is None or not found.probes:
            return None
        return Decision(found.thought, found.probes, errand.allowance.usage().model_calls - before)


def decision_in(value: JsonValue, quest: DayQuest, looks: Sequence[Look], left: int, today: dt.date) -> Decision:
    """A model's answer as a decision. Raises Unfit, in words for the model, for one that may not be carried out."""
    actions = value.get("action_code") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(actions, list):
        raise Unfit("应当是 {\"thought\": …, \"action_code\": [...]}。")
    if len(actions) > left:
        raise Unfit(f"只剩 {left} 个动作。")
    thought = plain(str(value.get("thought") or ""), 200)
    probes = tuple(_probe(action, quest, today) for action in actions)
    _refuse_waste(probes, quest, looks, left)
    return Decision(thought, probes)


def _refuse_waste(probes: Sequence[Probe], quest: DayQuest, looks: Sequence[Look], left: int) -> None:
    """Each action must show something new, and what is left must suffice for the days nobody has looked at."""
    known = {day for look in looks for day in look.probe.days if not quest.compares or look.tells_all_of(day)}
    for probe in probes:
        if known >= set(probe.days):
            raise Unfit(f"{probe.first.isoformat()} 已经查过了。")
        known |= set(probe.days)
    unseen = set(quest.days) - known - {day for look in looks for day in look.probe.days}
    if probes and unseen and len(probes) == left:
        raise Unfit("这样有的日子就查不到了，请把连着的几天并成一个动作。")


def _probe(action: JsonValue, quest: DayQuest, today: dt.date) -> Probe:
    if not isinstance(action, dict) or not isinstance(parameter := action.get("parameter", {}), dict):
        raise Unfit("每个动作应当写成 {\"tool_name\": …, \"parameter\": {…}}。")
    name = action.get("tool_name")
    if name not in (quest.tool.name, quest.tool.intent):
        raise Unfit(f"这里只能用 {quest.tool.name}，不能用“{str(name)[:40]}”。")
    fixed = quest.arguments(quest.first, quest.first)
    dates: dict[str, dt.date] = {}
    for said, given in parameter.items():
        if is_null_word(given):
            continue
        if said not in quest.tool.parameters:
            raise Unfit(f"{quest.tool.name} 没有参数 {said[:40]}。")
        read = value_for(said, given, quest.tool.schema, today)
        if said in _DATES:
            dates[said] = _within(read, quest)
        elif read != fixed.get(said):
            raise Unfit(f"参数 {said} 已经定好，不要改动或添加。")
    return _between(dates, quest)


def _between(dates: Mapping[str, dt.date], quest: DayQuest) -> Probe:
    if "date" not in dates:
        raise Unfit("每个动作都要写 date。")
    first = dates["date"]
    last = dates.get("date_end", first)
    if last < first:
        raise Unfit("date_end 不能早于 date。")
    if quest.one_by_one and last > first:
        raise Unfit("这个工具一次只查一天，不要写 date_end。")
    return Probe(first, last)


def _within(read: JsonValue, quest: DayQuest) -> dt.date:
    date = dt.date.fromisoformat(str(read))
    if not quest.first <= date <= quest.last:
        raise Unfit(f"{date.isoformat()} 不在可以查的日子里（{quest.first.isoformat()} 至 {quest.last.isoformat()}）。")
    return date


def _question(quest: DayQuest) -> JsonObject:
    return {
        "要找的": DAY_WISHES[quest.by], "可以查的日子": f"{quest.first.isoformat()} 至 {quest.last.isoformat()}",
        "已经定好的条件": quest.known,
    }


_ACTION: JsonObject = {
    "type": "object", "additionalProperties": False, "required": ["tool_name", "parameter"],
    "properties": {"tool_name": {"type": "string"}, "parameter": {"type": "object"}},
}
_SCHEMA: JsonObject = {
    "type": "object", "additionalProperties": False, "required": ["thought", "action_code"],
    "properties": {
        "thought": {"type": "string"},
        "action_code": {"type": "array", "maxItems": MAX_ACTIONS, "items": _ACTION},
    },
}

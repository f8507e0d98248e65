"""What intents and agents are called in Chinese: ours by a table, a third party's by its own card."""

import re

from core.types.network import Skill

_LABELS = {
    "query weather": "天气",
    "query train tickets": "火车票",
    "query flight tickets": "机票",
    "query concert tickets": "演唱会门票",
    "order train tickets": "火车票预订",
    "order flight tickets": "机票预订",
    "order concert tickets": "演唱会门票预订",
    "query car rental": "租车",
    "order car rental": "租车预订",
    "query tour group": "旅行团",
    "order tour group": "旅行团预订",
    "query insurance": "旅行保险",
    "order insurance": "旅行保险投保",
    "query orders": "订单查询",
    "cancel order": "订单取消",
    "attraction": "景点",
}
_SERVICES = {"WeatherQueryAssistant": "天气服务", "TicketAssistant": "票务服务", "TripAssistant": "行程服务"}

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LONGEST = 12
"""Characters of a card's own words that still read as a name."""


def label(intent: str, skills: tuple[Skill, ...] = ()) -> str:
    """A noun a traveller understands."""
    if intent in _LABELS:
        return _LABELS[intent]
    skill = next((skill for skill in skills if skill.name == intent), None)
    return _of_card(skill) if skill is not None else "这项服务"


def service_name(agent: str) -> str:
    """An agent as people know it; a third party's by its own name."""
    return _SERVICES.get(agent, agent)


def all_abilities(skills: tuple[Skill, ...]) -> str:
    """Everything that can be asked, made from what is really there: for who wants to know it."""
    if not skills:
        return "各项服务正在启动，请稍后再试。"
    names = "、".join(looked_up(skills))
    return f"我可以帮您查{names}{_orders(skills)}。您可以说“明天北京到上海的机票，顺便看看上海天气”。"


def abilities(skills: tuple[Skill, ...], most: int = 4) -> str:
    """One short sentence for who asked for something else."""
    if not skills:
        return "各项服务正在启动，请稍后再试。"
    names = looked_up(skills)
    return f"我可以帮您查{'、'.join(names[:most])}{'等' if len(names) > most else ''}，有需要随时告诉我。"


def looked_up(skills: tuple[Skill, ...]) -> tuple[str, ...]:
    """What can be looked for, by its name."""
    intents = [s.name for s in skills if not s.name.startswith(("order ", "cancel ")) and s.name != "query orders"]
    return tuple(dict.fromkeys(label(intent, skills) for intent in intents))


def _orders(skills: tuple[Skill, ...]) -> str:
    return "，查好后可以直接预订，也能查看和取消订单" if any(s.name.startswith("order ") for s in skills) else ""


def _of_card(skill: Skill) -> str:
    """The first of its tags that is Chinese, else a description that is short enough, else what it has."""
    chinese = [tag for tag in skill.tags if _CHINESE.search(tag)]
    if chinese:
        return chinese[0]
    if _CHINESE.search(skill.description) and len(skill.description) <= _LONGEST:
        return skill.description
    return skill.tags[0] if skill.tags else "这项服务"

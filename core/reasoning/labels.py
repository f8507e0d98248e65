"""What an intent is called in Chinese: built-in ones by a table, a third party's by its own card."""

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
    "attraction": "景点推荐",
}


def label(intent: str, skills: tuple[Skill, ...] = ()) -> str:
    """A noun a traveller understands."""
    if intent in _LABELS:
        return _LABELS[intent]
    for skill in skills:
        if skill.name == intent:
            return skill.tags[0] if skill.tags else skill.description or intent
    return intent


def abilities(skills: tuple[Skill, ...]) -> str:
    """One sentence on what can be asked, made from what is really there."""
    names = dict.fromkeys(label(skill.name, skills) for skill in skills)
    if not names:
        return "各项服务正在启动，请稍后再试。"
    return f"我可以帮您处理{'、'.join(names)}，比如“明天北京到上海的机票，顺便看看上海天气”。"

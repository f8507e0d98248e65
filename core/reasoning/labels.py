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
    "attraction": "景点",
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
    if not skills:
        return "各项服务正在启动，请稍后再试。"
    looked_up = [s.name for s in skills if not s.name.startswith(("order ", "cancel ")) and s.name != "query orders"]
    names = "、".join(dict.fromkeys(label(name, skills) for name in looked_up))
    orders = "，查好后可以直接预订，也能查看和取消订单" if any(s.name.startswith("order ") for s in skills) else ""
    return f"我可以帮您查{names}{orders}。您可以说“明天北京到上海的机票，顺便看看上海天气”。"

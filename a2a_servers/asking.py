"""The questions an agent asks back, in Chinese: what is missing, and what cannot be as it was said."""

from collections.abc import Sequence

from a2a_servers.goods import goods
from a2a_servers.tools import Tool
from core.language.frames import Trouble

_QUESTIONS = {
    "from_city": "从哪个城市出发",
    "to_city": "要去哪个城市",
    "city": "是哪个城市",
    "date": "是哪一天",
    "destination": "想去哪里玩",
    "days": "打算几天",
    "quantity": "一共几位",
    "artist": "想看哪位艺人",
    "item_id": "选哪一个",
    "order_id": "是哪一笔订单",
    "expected_price": "接受什么价格",
}
_DATE_OF_TRAVEL = "打算哪天出发"


def ask_for(tool: Tool, missing: Sequence[str]) -> str:
    """One natural question for everything that is missing."""
    parts = [_question(tool, slot) for slot in missing]
    if len(parts) > 1:
        parts = [*parts[:-2], f"{parts[-2]}、{parts[-1]}"]
    return f"请问{'、'.join(parts)}呢？"


def _question(tool: Tool, slot: str) -> str:
    if slot == "date" and {"to_city", "destination"} & tool.parameters:
        return _DATE_OF_TRAVEL
    return _QUESTIONS.get(slot, f"“{slot}”是什么")


def explain(trouble: Trouble, kind: str = "") -> str:
    """Say why a wish for goods of this kind cannot be run as it stands, and ask for what would help."""
    said = f"“{trouble.said}”" if trouble.said else ""
    match trouble.kind:
        case "past_date":
            return f"您说的日期{said}已经过去了，请问想查今天以后的哪一天？"
        case "impossible_date":
            return f"日历上没有{said or '这一天'}，请问具体是哪一天？"
        case "unknown_place":
            return f"没有找到{said or '您说的'}这个地方，请问是哪个城市？"
        case "same_place":
            return "出发地和目的地是同一个地方，请问要去哪个城市？"
        case "ambiguous":
            return f"{said or '您说的内容'}有不止一种可能，请说得再具体一些，好吗？"
        case "bad_count":
            return f"数量{said}不对，请问一共要几{goods(kind).unit}？"
        case "unsupported":
            return f"暂时还不能{trouble.said or '这样办理'}，可以先取消原来的订单，再重新预订。"
        case _:
            return "请把要求再说得具体一些，好吗？"


def ask_what(tools: Sequence[Tool]) -> str:
    """Say what this agent can do, with an example of each skill, when nothing in the message was understood."""
    examples = [f"“{tool.examples[0]}”" for tool in tools if tool.examples][:4]
    hint = f"比如这样问：{'、'.join(examples)}。" if examples else "请换个说法，说明要查什么。"
    return f"抱歉，没有听明白您想查什么。{hint}"

"""What is said while an order is being chosen. The question for a yes is not asked here: the order desk adds it."""

from collections.abc import Sequence

from a2a_servers.goods import goods
from a2a_servers.wording.bits import day, number
from a2a_servers.wording.items import described, short
from a2a_servers.wording.template import demo_note
from core.shared.json_types import JsonObject, Row
from core.types.agent_protocol import ResultData

MAX_OPTIONS = 5
BRIEF_OPTIONS = 3
_ASK = "请问预订哪一个？"


def offered(found: ResultData, row: Row, quantity: int, remarks: str, *, brief: bool = False) -> str:
    """The concrete item of a quote, and what was assumed in choosing it."""
    note = _note(found, [row])
    count = f"，订{quantity}{goods(found.kind).unit}" if quantity > 1 else ""
    item = short(found.kind, row) if brief else described(found.kind, row)
    return f"为您选好：{item}{count}{note}。{remarks}"


def which_one(found: ResultData, shown: Sequence[Row], count: int, *, brief: bool) -> str:
    """A numbered list to choose from; `count`: how many there are among the rows at hand."""
    note = _note(found, shown)
    if brief:
        listed = "；".join(f"{place}. {short(found.kind, row)}" for place, row in enumerate(shown, 1))
        return f"{_how_many(found, count, len(shown))}{note}：{listed}。{_ASK}"
    days = {str(row.get("date")) for row in shown}
    head = f"{day(shown[0].get('date'))}的" if len(days) == 1 and shown[0].get("date") else ""
    lines = [
        f"{place}. {described(found.kind, row, dated=len(days) > 1)}" for place, row in enumerate(shown, 1)
    ]
    title = f"{head}{goods(found.kind).noun or '选择'}{_how_many(found, count, len(shown))}{note}："
    return "\n".join([title, *lines, _ASK])


def _note(found: ResultData, rows: Sequence[Row]) -> str:
    note = demo_note(found.origin, rows)
    return f"（{note}）" if note else ""


def _how_many(found: ResultData, count: int, shown: int) -> str:
    if found.more:
        return f"有很多选择，先列出{shown}个"
    return f"有{count}个选择" + (f"，先列出{shown}个" if count > shown else "")


def too_few(kind: str, best: Row, quantity: int) -> str:
    """Not enough left; `best` is the row with most."""
    unit, left = goods(kind).unit, left_of(best)
    if not left:
        return f"抱歉，{_subject(kind)}已经售完了，可以换个日期或别的选择，我再帮您查。"
    return f"抱歉，余量不够{quantity}{unit}，最多的是{described(kind, best)}。要改成{left}{unit}以内，还是换一个？"


def left_of(row: Row) -> int:
    """What is left of a row, as a count; 0 for sold out."""
    return max(0, int(number(row, "remaining") or 0))


def gone(kind: str) -> str:
    return f"没有再查到您选的那一项{goods(kind).noun}，可能已经变动。请告诉我具体要哪一个，我重新为您查。"


def no_price(kind: str, row: Row) -> str:
    return f"{described(kind, row)}，暂时没有标价，还不能预订。"


def how_many(kind: str, most: int | None = None) -> str:
    """Asks for a number; `most` is the largest that one order takes, where too many were asked for."""
    limit = f"一次最多订{most}{goods(kind).unit}，" if most is not None else ""
    return f"{limit}请问一共要几{goods(kind).unit}？"


def one_class_each(kind: str, names: Sequence[str]) -> str:
    """Asks which of the classes that were named is meant: one quote holds one of them."""
    unit = goods(kind).unit
    return f"您提到了{'和'.join(names)}，请问先订哪一种、要几{unit}？另一种可以接着再订。"


def about_children(wish: JsonObject, per_person: bool) -> str:
    """Children count as travellers and pay the same: said whenever there are some."""
    children = wish.get("children")
    return "儿童按同样的价格计算。" if per_person and isinstance(children, int) and children > 0 else ""


def _subject(kind: str) -> str:
    return f"符合条件的{goods(kind).noun}" if goods(kind).noun else "这一项"

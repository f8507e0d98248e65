"""Numbers in a sentence that no slot holds: seats of a car, a price for each day, grown-ups and children."""

import re
from decimal import Decimal, InvalidOperation

from a2a_servers.goods import goods
from a2a_servers.tools import Tool
from core.language.numerals import value_of
from core.shared.json_types import JsonObject

_COUNT = r"([0-9]{1,2}|[一二两三四五六七八九十]{1,3})"
_SEATS = re.compile(rf"(?<![第0-9]){_COUNT}座(?![位席])")
_GROWN_UP, _CHILD = "大人|成人|成年人|老人", "儿童|小孩儿?|孩子|小朋友"
_PEOPLE = re.compile(rf"{_COUNT}[张个位名]?(?:({_GROWN_UP})|({_CHILD}))")
_PEOPLE_AFTER = re.compile(rf"(?:({_GROWN_UP})|({_CHILD})){_COUNT}[张个位名]")
_DAY = "(?:每天|每日|一天|1天|日租金?|日均)"
_AMOUNT = r"([0-9]+(?:\.[0-9]{1,2})?)"
_DAY_PRICE = re.compile(rf"{_DAY}[^0-9，。,；;、]{{0,10}}{_AMOUNT}|{_AMOUNT}[元块]?钱?(?:以内|以下|之内)?[/每]?{_DAY}")


def with_numbers(tool: Tool, words: str, slots: JsonObject) -> JsonObject:
    """The slots, and what the words say beyond them that this tool can use."""
    said = "".join(words.split())
    return {**slots, **_seats(tool, said, slots), **_price_a_day(tool, said, slots)}


def with_travellers(kind: str, words: str, slots: JsonObject) -> JsonObject:
    """The slots with grown-ups and children, where the words count both: together they are the quantity."""
    if not goods(kind).per_person or slots.get("adults") is not None or slots.get("children") is not None:
        return slots
    people = _people("".join(words.split()))
    if people is None:
        return slots
    rest: JsonObject = {name: value for name, value in slots.items() if name != "quantity"}
    return {**rest, "adults": people[0], "children": people[1]}


def _seats(tool: Tool, said: str, slots: JsonObject) -> JsonObject:
    found = _SEATS.search(said) if "seats" in tool.parameters and slots.get("seats") is None else None
    seats = _number(found[1]) if found else None
    return {"seats": seats} if seats else {}


def _price_a_day(tool: Tool, said: str, slots: JsonObject) -> JsonObject:
    """The limit of a day in place of that of the whole rental, where the amount stands beside 每天."""
    if "day_price_max" not in tool.parameters or slots.get("price_max") is None:
        return {}
    amounts = {one or other for one, other in _DAY_PRICE.findall(said)}
    if _amount(slots["price_max"]) not in {_amount(amount) for amount in amounts}:
        return {}
    return {"price_max": None, "day_price_max": slots["price_max"]}


def _people(said: str) -> tuple[int, int] | None:
    """Grown-ups and children, where both are counted."""
    before = [(count, grown_up) for count, grown_up, _ in _PEOPLE.findall(said)]
    after = [(count, grown_up) for grown_up, _, count in _PEOPLE_AFTER.findall(said)]
    for found in (before, after):
        adults = sum(_number(count) or 0 for count, grown_up in found if grown_up)
        children = sum(_number(count) or 0 for count, grown_up in found if not grown_up)
        if adults and children:
            return adults, children
    return None


def _number(said: str) -> int | None:
    return int(said) if said.isdecimal() else value_of(said)


def _amount(said: object) -> Decimal | None:
    try:
        return Decimal(str(said))
    except InvalidOperation:
        return None

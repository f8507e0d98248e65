"""What is said of one class of seats must be that one's: 二等座¥73 is no lie about 一等座, 一等座¥73 is."""

import re
from collections.abc import Mapping, Sequence

from core.language.guard_facts import ClassFacts, decimal_of

_AMOUNT = r"¥\s*(?P<sign>\d[\d,]*(?:\.\d+)?)|(?P<yuan>\d[\d,]*(?:\.\d+)?)\s*(?:元|块)"
_LEFT = r"(?:余|剩)(?:票|下|余|有)*\s*(?P<rest>\d+)|(?P<seats>\d+)\s*张"


def class_fault(said: str, classes: Mapping[str, ClassFacts]) -> str | None:
    """Why not; None where every price and number left stands beside a class that has it, or beside none.

    Several classes in a row, 二等座和一等座, with as many prices behind them, are taken one by one in their order.
    """
    if not classes:
        return None
    words = "|".join(map(re.escape, sorted(classes, key=len, reverse=True)))
    group: list[str] = []
    told: list[tuple[str, str]] = []
    for token in re.finditer(rf"(?P<word>{words})|(?:{_AMOUNT})(?:的?(?P<own>{words}))?|{_LEFT}", said):
        if word := token["word"]:
            if told:
                if fault := _fault(group, told, classes):
                    return fault
                group, told = [], []
            group.append(word)
        else:
            kind, number = _number(token)
            if own := token["own"]:
                if fault := _fault([own], [(kind, number)], classes):
                    return fault
            else:
                told.append((kind, number))
    return _fault(group, told, classes)


def _number(token: re.Match[str]) -> tuple[str, str]:
    price = token["sign"] or token["yuan"]
    return ("prices", price) if price else ("left", token["rest"] or token["seats"])


def _fault(group: Sequence[str], told: Sequence[tuple[str, str]], classes: Mapping[str, ClassFacts]) -> str | None:
    for kind in ("prices", "left"):
        numbers = [number for each, number in told if each == kind]
        for place, number in enumerate(numbers):
            meant = [group[place]] if len(numbers) == len(group) else group
            if group and not any(decimal_of(number) in getattr(classes[word], kind) for word in meant):
                return f"{number} is not of {'/'.join(meant)}"
    return None

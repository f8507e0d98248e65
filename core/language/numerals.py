"""Chinese numerals as whole numbers."""

from functools import lru_cache

_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")}
_DIGITS |= {"〇": 0, "两": 2, "俩": 2, "仨": 3, "壹": 1, "贰": 2, "叁": 3}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_TEN_THOUSAND = "万"
NUMERALS = frozenset(_DIGITS) | frozenset(_UNITS) | {_TEN_THOUSAND}


@lru_cache(maxsize=4096)
def value_of(numeral: str) -> int | None:
    """The number that a numeral stands for: 三十二, 一千五 (1500), 二〇二六 (2026). None when it is no numeral."""
    if not numeral or any(c not in NUMERALS for c in numeral):
        return None
    if all(c in _DIGITS for c in numeral):
        return int("".join(str(_DIGITS[c]) for c in numeral))
    head, found, tail = numeral.rpartition(_TEN_THOUSAND)
    if not found:
        return _below_ten_thousand(numeral)
    thousands = value_of(head)
    rest = _tail_value(tail, 1000) if tail else 0
    return None if thousands is None or rest is None else thousands * 10_000 + rest


def _below_ten_thousand(numeral: str) -> int | None:
    total, digit, last_unit = 0, None, 10_000
    for place, character in enumerate(numeral):
        if character in _DIGITS:
            if digit not in (None, 0):
                return None
            digit = _DIGITS[character]
            continue
        unit = _UNITS[character]
        if unit >= last_unit or (digit is None and place > 0):
            return None
        total += (1 if digit is None else digit) * unit
        digit, last_unit = None, unit
    if digit is None:
        return total
    spoken_short = last_unit > 10 and "零" not in numeral and numeral[-2] in _UNITS
    return total + digit * (last_unit // 10 if spoken_short else 1)


def _tail_value(tail: str, unit: int) -> int | None:
    """What stands after 万: 一万五 is 15,000."""
    if len(tail) == 1 and tail in _DIGITS:
        return _DIGITS[tail] * unit
    return value_of(tail)

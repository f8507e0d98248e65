"""Masks numbers that name a person or an account before anything is stored.

What stays: of a mobile 138****5678, of a landline its area and last four digits, of an id number its first three and
last two characters, of a card its last four digits, of a passport its letters and last two digits. Trains, flights,
orders, dates, times and prices stay as they are. A number with letters around it is an order's or a device's, unless
the letters name a telephone or an account. Masked text passes unchanged.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.memory.digit_chains import Chain, Group, chains, plain
from core.memory.number_kinds import Kind, is_dated, kind_of

_ORDER_BEFORE = re.compile(r"(订单|单号|订单编号|票号|流水号)(号|号码)?(是|为|:|#|\s)*$")
_CONTACT_BEFORE = re.compile(
    r"(电话|座机|固话|手机|联系方式|联系人|号码|tel|phone|mobile|微信|vx|wx)(号|号码)?(是|为|:|\s|\()*$", re.IGNORECASE
)
_PRICE_BEFORE = re.compile(r"[¥￥$]\s?$")
_PRICE_AFTER = re.compile(r"\s?(元(?!旦|宵)|块|万|亿|人民币|rmb)", re.IGNORECASE)
_PASSPORT = re.compile(
    r"(?P<before>(护照|通行证|台胞证|回乡证|港澳证|军官证)(号码|号)?(是|为|:|\s)*)(?P<head>[A-Za-z]{1,2})(?P<digits>\d{7,9})(?!\d)"
)
_NAMING = re.compile(r"(?<![A-Za-z])(tel|phone|mobile|vx|wx|id|card|no)[:.]?$", re.IGNORECASE)
_LOCAL = ((7,), (8,), (4, 4), (3, 4))
_LONGEST_BEFORE = 16
_FEWEST_DIGITS, _MOST_GROUPS = 7, 23
"""An id or card has at most 19 digits, a country's code before a telephone four: no longer chain is one number."""


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    kept_first: int
    kept_last: int
    stars: int


def mask(text: str) -> str:
    """The text with every such number masked."""
    pieces, place = [], 0
    for hit in sorted(_hits(text), key=lambda found: found.start):
        if hit.start >= place:
            pieces += [text[place : hit.start], _stars(text[hit.start : hit.end], hit)]
            place = hit.end
    return "".join([*pieces, text[place:]])


def _hits(text: str) -> Iterator[_Hit]:
    simple = plain(text)
    for found in _PASSPORT.finditer(simple):
        yield _Hit(found.start("head"), found.end("digits"), len(found["head"]), 2, len(found["digits"]) - 2)
    for chain in chains(text, _FEWEST_DIGITS):
        yield from _in_chain(simple, chain)


def _in_chain(simple: str, chain: Chain) -> Iterator[_Hit]:
    """The numbers of a chain, longest first from each group on; 2026-08-16 13812345678 holds one."""
    place = 0
    while place < len(chain.groups):
        for end in range(min(len(chain.groups), place + _MOST_GROUPS), place, -1):
            if hit := _number(simple, chain.groups[place:end]):
                yield _with_bracket(simple, hit)
                place = end
                break
        else:
            place += 1


def _number(simple: str, groups: tuple[Group, ...]) -> _Hit | None:
    start, end = groups[0].start, groups[-1].end
    if not _FEWEST_DIGITS <= sum(len(group.digits) for group in groups) <= _MOST_GROUPS:
        return None
    before = simple[max(0, start - _LONGEST_BEFORE) : start]
    if _within_letters(before, simple[end : end + 1]) or _is_price(before, simple[end : end + 4]):
        return None
    digits, sizes = "".join(group.digits for group in groups), tuple(len(group.digits) for group in groups)
    plus = before.endswith("+")
    kind = kind_of(digits, sizes, plus=plus)
    if kind is None:
        return _spoken_on(groups) or _local(before, digits, sizes, start, end)
    if _ORDER_BEFORE.search(before) and kind != "id":
        return None
    return _hit(kind, digits, start, end)


def _hit(kind: Kind, digits: str, start: int, end: int) -> _Hit:
    if kind == "id":
        return _Hit(start, end, 3, 2, len(digits) - 5)
    if kind == "card":
        return _Hit(start, end, 0, 4, len(digits) - 4)
    if kind == "mobile":
        return _Hit(start, end, len(digits) - 8, 4, 4)
    return _Hit(start, end, len(digits) - 8 if kind == "landline" else 0, 4, 4)


def _with_bracket(simple: str, hit: _Hit) -> _Hit:
    """(021) 6234 5678: the bracket goes with the other one."""
    opens = simple[:hit.start].endswith("(") and ")" in simple[hit.start : hit.end]
    return replace(hit, start=hit.start - 1) if opens else hit


def _spoken_on(groups: tuple[Group, ...]) -> _Hit | None:
    """一三八… spelled out, with the next word's numeral close behind: 一张, 两位."""
    only = groups[0]
    if len(groups) > 1 or not only.spelled or len(only.digits) != 12:
        return None
    start, end = only.start, only.end - 1
    return _hit("mobile", only.digits[:-1], start, end) if kind_of(only.digits[:-1], (11,), plus=False) else None


def _local(before: str, digits: str, sizes: tuple[int, ...], start: int, end: int) -> _Hit | None:
    """Seven or eight digits are a telephone only where the words before say so."""
    if sizes in _LOCAL and digits.isdecimal() and not is_dated(digits) and _CONTACT_BEFORE.search(before):
        return _Hit(start, end, 0, 4, 4)
    return None


def _within_letters(before: str, after: str) -> bool:
    if after.isascii() and (after.isalpha() or after == "_"):
        return True
    last = before[-1:]
    return last.isascii() and (last.isalpha() or last == "_") and not _NAMING.search(before)


def _is_price(before: str, after: str) -> bool:
    return bool(_PRICE_BEFORE.search(before) or _PRICE_AFTER.match(after))


def _stars(number: str, hit: _Hit) -> str:
    """First and last characters as they were typed, without their gaps."""
    typed = [character for character in number if plain(character).isalnum()]
    return "".join([*typed[: hit.kept_first], "*" * hit.stars, *typed[len(typed) - hit.kept_last :]])
